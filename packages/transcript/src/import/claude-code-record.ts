import { recordOf } from '@varve/guards';
import { type Block, isText, type Origin } from '@varve/messages';
import { personBlocks } from '@varve/messages/persons';
import { isBlock, readBlocks } from './block-fields.ts';
import { type JsonRecord, textOf } from './json.ts';

/** A record of the conversation tree and where it stands. */
export interface ClaudeRecord {
  readonly record: JsonRecord;
  readonly line: number;
  readonly uuid: string;
  readonly at: string | undefined;
}

/** `type`, with the kind inside it where there is one. */
export function kindOf(record: JsonRecord): string {
  const type = textOf(record.type) ?? 'record-without-type';
  const inner =
    textOf(record.subtype) ??
    textOf(recordOf(record.data).type) ??
    textOf(recordOf(record.attachment).type);
  return inner === undefined ? type : `${type}/${inner}`;
}

/** Blocks of a message's content; one that lacks a field of its type is none. */
export const contentOf = (content: unknown): Block[] =>
  readBlocks(content, (item) => (isBlock(item) ? item : { type: '', value: item }));

/** The text of a message's content. */
export function plainText(content: readonly Block[]): string {
  const texts = content.filter(isText).map((block) => block.text);
  return texts.join('\n');
}

const COMMAND =
  /^\s*<(command-(name|message|args)|local-command-|bash-(input|stdout|stderr)|user-memory-input)/;
const INJECTED = /^\s*(<system-reminder>|\[Request interrupted by user)/;

/** Where a user message came from, as far as its marks and its first words tell. */
export function originOf(record: JsonRecord, content: readonly Block[]): Origin | undefined {
  const text = content.find(isText)?.text ?? '';
  if (COMMAND.test(text)) return { kind: 'command' };
  const isInjected = INJECTED.test(text) && personBlocks({ role: 'user', content }).length === 0;
  return record.isMeta === true || isInjected ? { kind: 'reminder' } : undefined;
}

/** The later of two times in ISO 8601, where both are known. */
export function laterOf(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? other : one;
}
