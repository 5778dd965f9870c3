import { callsGit } from './calls-git.ts';
import type { Extractor } from './extractor.ts';
import type { Fact, Place } from './fact.ts';
import { importanceOf } from './importance.ts';
import { plainProse, sentenceWorth } from './prose.ts';

interface Spoken {
  readonly key: string;
  readonly text: string;
  /** Its prose, once it was asked for. */
  value?: string;
  readonly place: Place;
  /** It stands beside an edit, a failure, a commit or a decision of the person. */
  isTelling: boolean;
}

/**
 * The words of the assistant, text by text: what it found, decided and was about to do. Those that say something, or stand beside
 * something that came of them, are vital; a look that is announced is not.
 */
export function createSaidFacts(): Extractor {
  const spoken: Spoken[] = [];
  let marksNext = false;
  const mark = (): void => {
    const last = spoken.at(-1);
    if (last !== undefined) last.isTelling = true;
  };
  return {
    spoke(text, place) {
      const last = spoken.at(-1);
      const count = last?.place.messageId === place.messageId ? spoken.length : undefined;
      const key = count === undefined ? place.messageId : `${place.messageId}#${count}`;
      spoken.push({ key, text, place, isTelling: marksNext });
      marksNext = false;
    },
    said: mark,
    done({ call, outcome }) {
      const changes = call.kind === 'edit' || call.kind === 'write' || call.kind === 'patch';
      const decides = call.kind === 'ask' || call.kind === 'plan';
      if (outcome.status === 'failed') marksNext = true;
      if (changes || decides || outcome.status !== 'passed' || isCommit(call)) mark();
    },
    facts: () => spoken.flatMap(toFact),
  };
}

const isCommit = (call: { readonly kind: string; readonly command?: string }): boolean =>
  call.kind === 'shell' &&
  callsGit(call.command ?? '', /\b(?:commit|merge|push|revert)\b/, /[|;&]/);

function toFact(spoken: Spoken): Fact[] {
  const { key, text, place, isTelling } = spoken;
  spoken.value ??= plainProse(text);
  const { value } = spoken;
  if (value === '') return [];
  const vital = isTelling || sentenceWorth(value) > 0;
  return [{ type: 'said', key, value, ...place, ...importanceOf('said'), vital }];
}
