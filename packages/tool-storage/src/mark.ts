import { fingerprint, stableStringify } from '@varve/messages';
import type { BlockLike } from '@varve/messages/blocks';

/**
 * Tells equal contents from different ones. Texts are compared as they are, so that most are never hashed: a fingerprint is
 * worked out where something is named by it.
 */
export interface Mark {
  /** Left out where the content is no text, or where it is not to be held. */
  readonly text?: string;
  /** The same for equal contents. */
  readonly fingerprint: () => string;
}

/** Of content as it stands in a message; a text is held for as long as the mark is. */
export function markOf(content: string | readonly BlockLike[]): Mark {
  if (typeof content !== 'string') return markBy(fingerprint(stableStringify(content)));
  let known: string | undefined;
  return {
    text: content,
    fingerprint() {
      known ??= fingerprint(content);
      return known;
    },
  };
}

/** Of content whose fingerprint is known. */
export const markBy = (known: string): Mark => ({ fingerprint: () => known });

/** The same, without the text. */
export const withoutText = (mark: Mark): Mark =>
  mark.text === undefined ? mark : markBy(mark.fingerprint());

export const isSame = (one: Mark, other: Mark): boolean =>
  one.text !== undefined && other.text !== undefined
    ? one.text === other.text
    : one.fingerprint() === other.fingerprint();
