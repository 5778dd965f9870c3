import type { Extractor } from './extractor.ts';
import type { Fact } from './fact.ts';
import { importanceOf } from './importance.ts';

/** Every message of the person, whole. */
export function createUserFacts(): Extractor {
  const facts: Fact[] = [];
  return {
    said(words, place) {
      const number = facts.at(-1)?.messageId === place.messageId ? facts.length : undefined;
      const key = number === undefined ? place.messageId : `${place.messageId}#${number}`;
      const about = importanceOf('user-message');
      facts.push({ type: 'user-message', key, value: words, ...place, ...about });
    },
    facts: () => facts,
  };
}
