import type { Fact } from '../fact.ts';
import { nameOfFile } from '../names.ts';
import { hasWord } from './words.ts';

/** A value belongs to a key that stands on its line or this many characters away. */
const NEAR_CHARACTERS = 200;
/** Of a long key its beginning is looked for. */
const KEY_CHARACTERS = 60;

/** Whether a text already holds a fact: key and current value together; the words of the person word for word. */
export function isPresent({ type, key, value }: Fact, text: string): boolean {
  if (text === '') return false;
  if (type === 'user-message' || type === 'rule') return plain(text).includes(plain(value));
  const keys =
    type === 'file' || type === 'file-read'
      ? [key, endOf(key), nameOfFile(key)]
      : [key.slice(0, KEY_CHARACTERS)];
  return keys.some((spelling) => bound(text, spelling, value));
}

/** Case and white space aside. */
export function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[“”„]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}

const endOf = (path: string): string => path.split('/').slice(-2).join('/');

function bound(text: string, key: string, value: string): boolean {
  if (!text.includes(value)) return false;
  let lineEnd = -1;
  for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at + 1)) {
    const start = Math.max(0, at - NEAR_CHARACTERS);
    const near = text.slice(start, at + key.length + NEAR_CHARACTERS);
    if (hasWord(near, value)) return true;
    // a line is read once, however often it names the key
    if (at < lineEnd) continue;
    const end = text.indexOf('\n', at);
    lineEnd = end === -1 ? text.length : end;
    if (hasWord(text.slice(text.lastIndexOf('\n', at) + 1, lineEnd), value)) return true;
  }
  return false;
}
