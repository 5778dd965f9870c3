import { type JsonNode, scanJson } from './json-scan.ts';

export interface OutlineOptions {
  /** Most UTF-16 units of the outline. */
  readonly maxChars: number;
}

/**
 * The shape of a JSON value: keys, the lengths of arrays, the first item of each, short values. `undefined` where the text
 * is no JSON object or array. One pass, and memory for what is shown only.
 */
export function outlineJson(text: string, { maxChars }: OutlineOptions): string | undefined {
  const root = scanJson(text);
  if (root === undefined || root.children.length === 0) return undefined;
  const lines: string[] = [];
  let room = maxChars;
  const add = (node: JsonNode, depth: number): boolean => {
    const line = `${'  '.repeat(depth)}${describe(node)}`;
    room -= line.length + 1;
    if (room < 0) return false;
    lines.push(line);
    return node.children.every((child) => add(child, depth + 1));
  };
  add(root, 0);
  return lines.join('\n');
}

function describe({ label, kind, count, value, children }: JsonNode): string {
  const name = label === '' ? '' : `${label}: `;
  if (kind === 'value') return `${name}${value}`;
  const noun = kind === 'array' ? 'item' : 'key';
  const shown =
    children.length > 0 && children.length < count ? `, the first ${children.length}` : '';
  return `${name}${kind} of ${count} ${noun}${count === 1 ? '' : 's'}${shown}`;
}
