import { textOf } from '@varve/guards';
import { fingerprint } from '../fingerprint.ts';
import { type BlockLike, field } from '../like.ts';
import { orRefuse } from '../stable-json.ts';
import type { Lose } from './conversion.ts';
import { hasOtherFields } from './fields.ts';

/** Whether a provider takes an id as it is. */
export type AcceptsId = (id: string) => boolean;

const upTo =
  (maxCharacters: number): AcceptsId =>
  (id) =>
    id !== '' && id.length <= maxCharacters;

// The limits that OpenAI's refusals of longer ids name, and the pattern that Anthropic's do.
export const acceptsChatId = upTo(40);
export const acceptsResponsesId = upTo(64);
export const acceptsAnthropicId: AcceptsId = (id) => /^[a-zA-Z0-9_-]+$/.test(id);

/** The id itself where the provider takes it, else one that derives from it: the same for a call and its result. */
export const wireId = (id: string, accepts: AcceptsId): string =>
  accepts(id) ? id : `call_${fingerprint(id)}`;

/** A call as OpenAI's two APIs have it, apart from the names of the fields. */
export interface WrittenCall {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

export interface CallContext {
  readonly index: number;
  readonly lose: Lose;
  readonly accepts: AcceptsId;
}

export function writeCallBlock(block: BlockLike, context: CallContext): WrittenCall {
  const { index, lose } = context;
  const input = field(block, 'input');
  if (losesInput(input)) lose('call-input', index);
  if (hasOtherFields(block, ['type', 'id', 'name', 'input'])) lose('block-fields', index);
  const id = writeId(textOf(field(block, 'id')), context);
  return { id, name: textOf(field(block, 'name')), text: writeArguments(input) };
}

/** The id of a call or of its result on the wire, with the loss reported where it has to be another. */
export function writeId(id: string, { index, lose, accepts }: CallContext): string {
  if (!accepts(id)) lose('call-id', index);
  return wireId(id, accepts);
}

/** The input of a call as the text OpenAI wants; text that is not JSON (a call cut short) goes as it is. */
function writeArguments(input: unknown): string {
  if (typeof input === 'string') return input;
  return orRefuse(() => JSON.stringify(input) ?? '{}');
}

/** The reverse: the value, or the text itself where it is not JSON. */
export function readArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Whether an input would read back as another value. */
function losesInput(input: unknown): boolean {
  if (input === undefined) return true;
  return typeof input === 'string' && readArguments(input) !== input;
}
