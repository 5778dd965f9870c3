import { type Block, isText, isToolResult, isToolUse, type Message } from '@varve/messages';

/** What a model reads of messages, as records: a line of text, or a call with its short arguments. */
export function recordsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ content }) => content.flatMap(blockRecords));
}

function blockRecords(block: Block): readonly string[] {
  if (isText(block)) return block.text.split('\n');
  if (isToolUse(block)) return callRecords(block.name, stringsIn(block.input));
  if (!isToolResult(block)) return [];
  const { content = '' } = block;
  const records = typeof content === 'string' ? content.split('\n') : content.flatMap(blockRecords);
  return block.is_error === true ? ['error', ...records] : records;
}

function callRecords(name: string, texts: readonly string[]): readonly string[] {
  const isShort = (text: string): boolean => text.length <= SHORT && !text.includes('\n');
  const long = texts.filter((text) => !isShort(text)).flatMap((text) => text.split('\n'));
  return [[name, ...texts.filter(isShort)].join(' '), ...long];
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

const SHORT = 300;
