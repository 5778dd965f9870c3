import type { Block, ToolResultBlock } from '@varve/messages';

// Escaped wherever it is not the envelope of a stored result, so that output cannot claim to be stored.
const ENVELOPE = /^\s*<persisted-output handle="([^"<>\s]{1,200})"/;

/** The handle that the envelope of a stored result names; undefined for a result that stands there whole. */
export function findHandle({ content }: ToolResultBlock): string | undefined {
  const text = firstText(content);
  return text === undefined ? undefined : ENVELOPE.exec(text)?.[1];
}

function firstText(content: ToolResultBlock['content']): string | undefined {
  if (content === undefined || typeof content === 'string') return content;
  const first: Block | undefined = content[0];
  return typeof first?.text === 'string' ? first.text : undefined;
}
