import { NOTES_OPENING } from '@varve/messages/persons';
import { type LimitedNotes, type LimitNotesOptions, limitNotes } from './limit-notes.ts';

export interface SummaryTextOptions extends LimitNotesOptions {
  /** Where the whole conversation is kept, as the model is told. */
  readonly originals?: string | undefined;
  /** What is said of requests that the user stopped. */
  readonly stopped?: string | undefined;
  /** Whether requests follow that were begun and are not done yet. */
  readonly openFollows: boolean;
}

/**
 * Notes as the message that stands in place of the conversation they cover; undefined where nothing of them is left within
 * their limits.
 */
export function summaryText(notes: string, options: SummaryTextOptions): LimitedNotes | undefined {
  const { originals, openFollows, stopped } = options;
  const limited = limitNotes(notes, options);
  if (limited.text === '') return undefined;
  const where = originals === undefined ? '' : ` The whole of it is in ${originals}.`;
  const open = openFollows ? ` ${OPEN_FOLLOWS}` : '';
  const halted = stopped === undefined ? '' : `\n\n${stopped}`;
  return { ...limited, text: `${INTRODUCTION}${open}${where}\n\n${limited.text}${halted}` };
}

const INTRODUCTION = `${NOTES_OPENING} What they call done is done; go on with what is still to be done. Newer messages follow, and count where they say something else.`;

const OPEN_FOLLOWS =
  'Right behind them stands again, word for word, what the user asked for last: work on that has begun, and the notes say how far it came.';
