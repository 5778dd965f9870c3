import { specificsOf } from '../evidence/specifics.ts';
import { createWordReader } from '../words.ts';
import type { SaidText } from './origins.ts';

/** Which words of a session are the user's, and which came from outside. It only grows: the mark follows the session. */
export interface SessionWords {
  note(said: SaidText): void;
  /** Whether a statement says what came from outside and the user did not say. */
  isFromOutside(statement: string): boolean;
  /** Whether two texts have a word in common that says something. */
  share(one: string, other: string): boolean;
}

export function createSessionWords(): SessionWords {
  const words = createWordReader();
  const users = new Set<number>();
  const outside = new Set<number>();
  const usersSpecifics = new Set<string>();
  const outsideSpecifics = new Set<string>();
  return {
    note({ origin, text, isOutside }) {
      const isUser = origin === 'user';
      if (!isUser && isOutside !== true) return;
      for (const stem of words.stemsOf(text)) (isUser ? users : outside).add(stem);
      for (const each of specificsOf(text)) (isUser ? usersSpecifics : outsideSpecifics).add(each);
    },
    isFromOutside(statement) {
      if (outside.size === 0) return false;
      const isUsers = (each: string): boolean =>
        usersSpecifics.has(each) || words.stemsOf(each).every((stem) => users.has(stem));
      const named = [...specificsOf(statement)];
      if (named.some((each) => outsideSpecifics.has(each) && !isUsers(each))) return true;
      const stems = new Set(words.stemsOf(statement));
      const strange = [...stems].filter((stem) => outside.has(stem) && !users.has(stem));
      return strange.length * 2 > stems.size;
    },
    share(one, other) {
      const stems = new Set(words.stemsOf(one));
      return words.stemsOf(other).some((stem) => stems.has(stem));
    },
  };
}
