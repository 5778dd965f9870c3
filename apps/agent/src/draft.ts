import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { recordOf, textOf } from '@varve/guards';
import type { Entry } from '@varve/messages';
import { isPerson } from '@varve/messages/persons';
import { saidIn } from './said.ts';

/** What a person has entered, or typed, and the log has not got. */
export interface Unsent {
  /** Messages and commands that wait or are under way, the oldest first. */
  readonly entered: readonly Entered[];
  /** What stands in the input, and then what comes into it behind that. */
  readonly input: readonly string[];
  /** Whether some of the input was entered before a kill: then `-c` goes on here, though the log may say nothing yet. */
  readonly wasEntered: boolean;
}

export interface Entered {
  readonly text: string;
  /** The last entry of the log at that time, by its id; its own record can only stand behind it. */
  readonly after: string;
}

/** How long nothing is typed before it is written, in milliseconds. */
const PAUSE_MS = 200;
const NOTHING: Unsent = { entered: [], input: [], wasEntered: false };

/** Where the draft of a session is. */
export const draftPath = (folder: string, id: string): string => join(folder, id, 'draft.json');

/** What an earlier run left. */
export function readDraft(path: string): Unsent {
  try {
    const { entered, input, wasEntered } = JSON.parse(readFileSync(path, 'utf8')) as Unsent;
    const known = entered.map((each) => recordOf(each));
    return {
      entered: known.map(({ text, after }) => ({ text: textOf(text), after: textOf(after) })),
      input: input.map(textOf),
      wasEntered: wasEntered === true,
    };
  } catch {
    return NOTHING;
  }
}

/** Keeps in a file what is not sent, so that a kill does not take it. */
export function createDraft(path: string) {
  let unsent = NOTHING;
  let timer: NodeJS.Timeout | undefined;

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    try {
      if (unsent.entered.length === 0 && unsent.input.every((text) => text.trim() === '')) {
        rmSync(path, { force: true });
        return;
      }
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(`${path}.new`, JSON.stringify(unsent), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    } catch {
      // a disk that is full takes nothing: the conversation goes on
    }
  }

  return {
    /** What was entered is written at once, all else a moment later. */
    keep(next: Unsent): void {
      const isEntered = next.entered.some((each) => !unsent.entered.includes(each));
      unsent = next;
      if (isEntered) write();
      else timer ??= setTimeout(write, PAUSE_MS).unref();
    },
    /** Nothing is left, or another draft keeps it. */
    clear(): void {
      unsent = NOTHING;
      write();
    },
    /** Writes what is not written yet. */
    close(): void {
      if (timer !== undefined) write();
    },
  };
}

/** What was entered and has no record in the log. */
export function unsaid(entered: readonly Entered[], entries: readonly Entry[]): string[] {
  if (entered.length === 0) return [];
  const said = entries.map((entry) =>
    entry.type === 'message' && isPerson(entry.message) ? `\n\n${saidIn(entry.message)}\n\n` : '',
  );
  return entered.flatMap(({ text, after }) => {
    // several that waited were sent as one message, a blank line between them
    const words = `\n\n${text.trim()}\n\n`;
    const from = entries.findIndex(({ id }) => id === after) + 1;
    const at = said.findIndex((each, index) => index >= from && each.includes(words));
    if (at < 0) return [text];
    said[at] = (said[at] as string).replace(words, () => '\n\n');
    return [];
  });
}
