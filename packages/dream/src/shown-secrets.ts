import { withoutSecrets } from '@varve/memdir/files';
import type { Said } from './sessions.ts';

/** Shorter ones may be words. */
const LEAST_CHARS = 8;
const MARK = /\[redacted: [^\]]*\]/g;

/** What sessions show to be a secret, by what stands around it, with its mark: elsewhere it may stand alone. */
export function shownSecrets(said: readonly Said[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { text } of said) {
    const masked = withoutSecrets(text);
    if (masked === text) continue;
    const marks = masked.match(MARK) ?? [];
    let at = 0;
    const parts = masked.split(MARK);
    for (const [index, mark] of marks.entries()) {
      at = text.indexOf(parts[index] ?? '', at) + (parts[index] ?? '').length;
      const next = parts[index + 1] ?? '';
      const end = next === '' ? text.length : text.indexOf(next, at);
      if (end < at) break;
      const secret = text.slice(at, end);
      if (secret.length >= LEAST_CHARS && !/\s/.test(secret) && hasSign(secret))
        found.set(secret, mark);
      at = end;
    }
  }
  return found;
}

/** A plain word would be taken out wherever it stands. */
const hasSign = (secret: string): boolean => /[^\p{L}]/u.test(secret);

/** A text without them. */
export function withoutShown(text: string, shown: ReadonlyMap<string, string>): string {
  let left = text;
  for (const [secret, mark] of shown) left = left.replaceAll(secret, mark);
  return left;
}
