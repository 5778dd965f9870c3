import { redact } from '@varve/redact';

/**
 * A text without its secrets, each replaced by a marker that names its kind. Beyond what `redact` finds in plain text it looks
 * through what a memory may have around a secret: characters that are not seen or look like others, marks of Markdown and HTML,
 * tables, and a label in the line above. Without a secret it is the same text.
 */
export function withoutSecrets(text: string): string {
  const plain = redact(text);
  const seen = plain.replace(UNSEEN, '').normalize('NFKC');
  const masked = redact(seen);
  const lines = (masked === seen ? plain : masked).split(/(\r\n|\n|\r)/);
  let label = '';
  let heads: readonly string[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    const line = withoutMarked(lines[at] as string);
    const bare = bareOf(line);
    const isRow = ROW.test(line);
    if (!isRow) heads = [];
    else if (heads.length === 0) heads = line.split('|').map(bareOf);
    lines[at] = isRow ? withoutCells(line, heads) : withoutValue(line, label);
    if (HEADING.test(line) || /[:：]$/.test(bare)) label = bare.replace(/\s*[:：]$/, '');
    else if (bare !== '' && !LEAD.test(line)) label = '';
  }
  return lines.join('');
}

/** The kinds that markers of a text name. */
export const kindsOf = (masked: string): readonly string[] =>
  [...masked.matchAll(/\[redacted: ([a-z0-9 -]{1,40})\]/g)].map(([, kind = '']) => kind);

const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
const ROW = /^[\s>]*\|.*\|\s*$/;
const HEADING = /^\s{0,3}#{1,6}\s/;
const LEAD = /^(?:\s|>|#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s)+/;
const MARKS =
  /\*+|~~|`+|\\(?=[-_*])|<\/?[a-z][^<>]{0,99}>|(?<![A-Za-z0-9])_+|_+(?![A-Za-z0-9])|\]\(|\)$/gi;

/** What is read of a line, without marks. */
const bareOf = (line: string): string =>
  line
    .replace(LEAD, '')
    .replace(MARKS, (mark) => (/^[<\]]/.test(mark) ? ' ' : ''))
    .replace(/\s+/g, ' ')
    .trim();

/** Takes out what is a secret where marks are not looked at; where they stand inside of it, the marks of the line go too. */
function withoutMarked(line: string): string {
  const bare = bareOf(line);
  const masked = redact(bare);
  if (masked === bare || redact(line) !== line) return line;
  const [before = '', after = '', ...more] = masked.split(/\[redacted: [^\]]*\]/);
  const secret = bare.slice(before.length, bare.length - after.length);
  const isOne = more.length === 0 && secret.length > 2 && line.includes(secret);
  const marker = masked.slice(before.length, masked.length - after.length);
  return isOne ? line.replaceAll(secret, marker) : `${LEAD.exec(line)?.[0] ?? ''}${masked}`;
}

/** The cells of a row, by what stands above them and in front of them. */
function withoutCells(row: string, heads: readonly string[]): string {
  const cells = row.split('|');
  return cells
    .map((cell, at) =>
      [heads[at], bareOf(cells[at - 1] ?? '')].reduce<string>(
        (left, label) => withoutValue(left, label ?? ''),
        cell,
      ),
    )
    .join('|');
}

/** One word that a label would make a secret, e.g. `hunter2-Zeta9` below `Password:`. */
function withoutValue(text: string, label: string): string {
  const value = bareOf(text);
  const isWord = /^\S{4,256}$/.test(value) && /[\d!@#$%^&*+=?~]/.test(value);
  if (!/^[\p{L}\p{N} .,()'’/-]{1,80}$/u.test(label) || !isWord) return text;
  const said = `${label}: ${value}`;
  const masked = redact(said);
  if (masked === said || !masked.startsWith(`${label}: `)) return text;
  const marker = masked.slice(label.length + 2);
  return text.includes(value) ? text.replace(value, marker) : marker;
}
