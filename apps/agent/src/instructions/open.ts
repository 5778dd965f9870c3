import { readFileSync, statSync } from 'node:fs';
import { codeOf } from '@varve/guards';
import { isSecret, isWithin, realPathOf } from '../permissions/paths.ts';

export interface OpenTextOptions {
  /** The real path of a folder that the file must not lead out of. @default it may lead anywhere */
  readonly within?: string | undefined;
  readonly mostBytes: number;
  /** Whether a rule forbids to read it, by its path and by where that leads. @default none does */
  readonly isDenied?: ((path: string) => boolean) | undefined;
}

export type OpenedText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'skipped'; readonly why: string };

/** The text of a file that goes into a conversation by itself, or why it does not. Never throws. */
export function openText(
  path: string,
  { within, mostBytes, isDenied }: OpenTextOptions,
): OpenedText {
  const skipped = (why: string): OpenedText => ({ kind: 'skipped', why });
  try {
    const real = realPathOf(path);
    const found = statSync(real, { throwIfNoEntry: false });
    if (found === undefined) return { kind: 'none' };
    if (within !== undefined && !isWithin(within, real))
      return skipped('it is outside of the project');
    if (isDenied?.(path) || isDenied?.(real)) return skipped('a rule denies to read it');
    if (isSecret(real) || isSecret(path)) return skipped('it may hold keys');
    if (!found.isFile()) return skipped('it is no file');
    if (found.size > mostBytes) return skipped('it is very large');
    const text = readFileSync(real, 'utf8').replace(/^\uFEFF/, '');
    return text.includes('\0') ? skipped('it is no text') : { kind: 'text', text };
  } catch (error) {
    return skipped(`it cannot be read (${codeOf(error) ?? 'error'})`);
  }
}
