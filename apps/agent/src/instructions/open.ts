import { readFileSync, statSync } from 'node:fs';
import { codeOf } from '@varve/guards';
import { isSecret, isWithin, realPathOf } from '../permissions/paths.ts';

export interface OpenTextOptions {
  /** The real path of a folder that the file must not lead out of. @default it may lead anywhere */
  readonly within?: string | undefined;
  readonly mostBytes: number;
}

export type OpenedText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'skipped'; readonly why: string };

/** The text of a file that goes into a conversation by itself, or why it does not. Never throws. */
export function openText(path: string, { within, mostBytes }: OpenTextOptions): OpenedText {
  const skipped = (why: string): OpenedText => ({ kind: 'skipped', why });
  try {
    const real = realPathOf(path);
    const found = statSync(real, { throwIfNoEntry: false });
    if (found === undefined) return { kind: 'none' };
    if (within !== undefined && !isWithin(within, real))
      return skipped('it is outside of the project');
    if (isSecret(real) || isSecret(path)) return skipped('it may hold keys');
    if (!found.isFile()) return skipped('it is no file');
    if (found.size > mostBytes) return skipped('it is very large');
    const text = readFileSync(real, 'utf8').replace(/^\uFEFF/, '');
    return text.includes('\0') ? skipped('it is no text') : { kind: 'text', text };
  } catch (error) {
    return skipped(`it cannot be read (${codeOf(error) ?? 'error'})`);
  }
}
