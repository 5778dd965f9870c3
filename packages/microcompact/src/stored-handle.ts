import type { Block, ToolResultBlock } from '@varve/messages';

const HANDLE = /\btool-results\/[\w./@+-]*[\w@+-]/;
// An envelope names its handle at the start or at the end.
const READ_CHARACTERS = 600;

/** The handle that the envelope of a stored result names; undefined for a result that is whole. */
export function findHandle({ content }: ToolResultBlock): string | undefined {
  const text = textOf(content);
  if (text === undefined) return undefined;
  const start = HANDLE.exec(text.slice(0, READ_CHARACTERS));
  return (start ?? HANDLE.exec(text.slice(-READ_CHARACTERS)))?.[0];
}

function textOf(content: ToolResultBlock['content']): string | undefined {
  if (content === undefined || typeof content === 'string') return content;
  const first: Block | undefined = content[0];
  return typeof first?.text === 'string' ? first.text : undefined;
}
