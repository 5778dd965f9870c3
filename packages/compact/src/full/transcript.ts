import {
  type Block,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  type Message,
} from '@varve/messages';
import { isPerson } from '@varve/messages/persons';
import { cutMiddle } from '@varve/messages/text';
import { stripBlock } from './strip-media.ts';

/** A piece of a conversation as text. */
export interface Piece {
  readonly text: string;
  /** What a person or the model said is cut later than what tools showed. */
  readonly isSpoken: boolean;
  /** The block that it shows whole, and its message: as large as the text, and often measured already. */
  readonly of?: { readonly message: Message; readonly block: Block } | undefined;
}

/** A conversation as pieces of text that say who is speaking. Thinking is left out, and media are named. */
export const transcriptOf = (messages: readonly Message[]): readonly Piece[] =>
  messages.flatMap((message) => message.content.flatMap((block) => pieceOf(message, block)));

/** All that was said, called and shown, a text at a time: who looks for something in it seldom reads it to the end. */
export function* textsOf(messages: readonly Message[]): Generator<string> {
  for (const message of messages) {
    for (const block of message.content) {
      for (const { text } of pieceOf(message, block)) yield text;
    }
  }
}

/** A piece cut to about so many UTF-16 units, and four times as many of what was said. */
export function cutPiece(piece: Piece, units: number): string {
  const { text } = piece;
  const half = Math.ceil(unitsKept(piece, units) / 2);
  if (text.length <= half * 2) return text;
  const marker = (left: number) => `\n[${left} characters left out]\n`;
  return cutMiddle(text, { headUnits: half, tailUnits: half, marker });
}

/** How many of its units a piece keeps where it is cut. */
export const unitsKept = ({ isSpoken }: Piece, units: number): number =>
  isSpoken ? units * SPOKEN_FACTOR : units;

const SPOKEN_FACTOR = 4;

function pieceOf(message: Message, block: Block): Piece[] {
  if (isThinking(block)) return [];
  if (isToolUse(block)) {
    const text = `CALL ${block.name}: ${JSON.stringify(block.input) ?? ''}`;
    return [{ text, isSpoken: false, of: { message, block } }];
  }
  if (isToolResult(block)) {
    const state = block.is_error === true ? ' (error)' : '';
    const shown = stripBlock(block);
    const text = `RESULT${state}: ${resultText(shown)}`;
    return [{ text, isSpoken: false, ...(shown === block && { of: { message, block } }) }];
  }
  const shown = stripBlock(block);
  if (!isText(shown) || shown.text.trim() === '') return [];
  const text = `${speakerOf(message, block)}: ${shown.text}`;
  return [{ text, isSpoken: true, ...(shown === block && { of: { message, block } }) }];
}

function speakerOf(message: Message, block: Block): string {
  if (message.role === 'assistant') return 'ASSISTANT';
  if (message.role === 'system') return 'SYSTEM';
  return isPerson({ ...message, content: [block] }) ? 'USER' : MACHINE;
}

/** Stands before text of the user role that no person wrote. */
const MACHINE = 'MACHINE (put in by the program, not said by the user)';

/** The text of a result, its blocks on lines of their own. */
function resultText(block: Block): string {
  const { content } = block as { readonly content?: string | readonly Block[] };
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((inner) => (isText(inner) ? [inner.text] : [])).join('\n');
}
