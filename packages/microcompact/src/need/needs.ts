import type { Message } from '@varve/messages';
import type { RateOptions } from '../call-facts.ts';
import type { Candidate } from '../candidate.ts';
import type { NeedFeature } from '../need-weights.ts';
import { lastAtLeast, type NeedMoment, needChance, needFeatures, noteChance } from './chance.ts';
import { createNeedMemory, NO_RECORD } from './need-memory.ts';

/** What is known of whether candidates are needed again. */
export interface Needs {
  /** The chance that a candidate is needed soon, by what came before now. */
  chanceOf(candidate: Candidate): number;
  /** The last request at which that chance was at least so large; -1 where it never was. */
  lastAtLeast(candidate: Candidate, chance: number): number;
  /** What the chance is made of. */
  featuresOf(candidate: Candidate): Readonly<Record<NeedFeature, number>>;
}

/** Follows a log: every message once, and the candidates at every request. */
export function createNeeds(rules: RateOptions, now: () => NeedMoment) {
  const memory = createNeedMemory(rules);
  const unread: { readonly message: Message; readonly request: number }[] = [];
  const read = (): typeof memory => {
    for (const { message, request } of unread.splice(0)) memory.add(message, request);
    return memory;
  };
  const recordOf = ({ messageId, index }: Candidate) => read().recordOf(messageId, index);
  const needs: Needs = {
    chanceOf: (candidate) => needChance(candidate, recordOf(candidate) ?? NO_RECORD, now()),
    lastAtLeast(candidate, chance) {
      const record = recordOf(candidate);
      return record === undefined ? -1 : lastAtLeast(record, chance);
    },
    featuresOf: (candidate) => needFeatures(candidate, recordOf(candidate) ?? NO_RECORD, now()),
  };
  return {
    ...needs,
    /** Takes a message that was logged when so many requests had been sent. */
    add(message: Message, request: number): void {
      unread.push({ message, request });
    },
    /** A request was sent with these candidates. */
    sent(candidates: readonly Candidate[]): void {
      const moment = now();
      for (const candidate of candidates) {
        if (candidate.kind === 'thinking') continue;
        const record = recordOf(candidate);
        if (record) noteChance(record, needChance(candidate, record, moment), moment.requests + 1);
      }
    },
  };
}
