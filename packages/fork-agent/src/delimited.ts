/**
 * Text of another agent as data inside a tag of ours: neither tag can be written from inside, so nothing in it can pass for
 * the end of it or for a second one. Attributes lose quotes, brackets and line breaks.
 */
export function delimited(
  tag: string,
  text: string,
  attributes: Readonly<Record<string, string>> = {},
): string {
  const shown = Object.entries(attributes).map(([name, value]) => ` ${name}="${plain(value)}"`);
  return `<${tag}${shown.join('')}>\n${neutral(text)}\n</${tag}>`;
}

/** The bracket becomes an entity wherever one of our tags would begin. Spaces are passed over once, however many. */
const neutral = (text: string): string =>
  text.toWellFormed().replaceAll(/<(?=\s*(?:\/\s*)?agent-)/gi, '&lt;');

const plain = (value: string): string =>
  value.toWellFormed().replaceAll(/[<>"&\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
