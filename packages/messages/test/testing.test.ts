import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  anthropicProfile,
  checkHistory,
  type Entry,
  fingerprint,
  MessagesError,
  openaiChatProfile,
  openaiResponsesProfile,
  parseEntry,
  project,
  serializeEntry,
} from '../src/index.ts';
import { coverageOf, describeCoverage } from '../src/testing/coverage.ts';
import { damagedLog, hostileText, messageHistory, validLog } from '../src/testing.ts';

const accepted = (log: readonly Entry[]): boolean => {
  try {
    project(log);
    return true;
  } catch (error) {
    if (!MessagesError.is(error)) throw error;
    return false;
  }
};

describe('validLog', () => {
  test('covers what is easily got wrong, in logs of 30 entries or more', () => {
    const coverages = fc.sample(validLog(), 300).map(coverageOf);
    const sizes = coverages.map(({ entries }) => entries).sort((a, b) => a - b);
    expect(sizes[150]).toBeGreaterThanOrEqual(30);
    const { entries: _, ...names } = coverages[0] as (typeof coverages)[number];
    for (const name of Object.keys(names) as (keyof typeof names)[]) {
      const holding = coverages.filter((coverage) => coverage[name] > 0).length;
      expect({ name, often: holding >= 15 }).toEqual({ name, often: true });
    }
  });

  test('is the same log for the same seed, in every process', () => {
    const logs = fc.sample(validLog(), { seed: 7, numRuns: 5 });
    expect(fingerprint(JSON.stringify(logs))).toBe('fb4c589f6c442334e4c745c23a6924ad');
  });

  test('is cut at its end by shrinking, down to the shortest log that fails', () => {
    const withSpan = (log: readonly Entry[]) => coverageOf(log).spans > 0;
    const property = fc.property(validLog(), (log) => !withSpan(log));
    const { counterexample } = fc.check(property, { seed: 7 });
    const [log = []] = counterexample ?? [];
    expect(withSpan(log)).toBe(true);
    expect(withSpan(log.slice(0, -1))).toBe(false);
  });
});

describe('damagedLog', () => {
  test('says what was done, stays readable, and is refused more often than not', () => {
    let refused = 0;
    const samples = fc.sample(damagedLog(), 100);
    for (const { entries, damages } of samples) {
      expect(damages.length).toBeGreaterThan(0);
      for (const entry of entries) expect(parseEntry(serializeEntry(entry))).toEqual(entry);
      if (!accepted(entries)) refused++;
    }
    expect(refused).toBeGreaterThan(samples.length / 2);
  });
});

describe('messageHistory', () => {
  test.each([
    anthropicProfile({ thinking: 'free' }),
    openaiChatProfile(),
    openaiResponsesProfile(),
  ])('is valid for $name', (profile) => {
    fc.assert(
      fc.property(messageHistory(), (messages) => {
        expect(checkHistory(messages, profile)).toEqual([]);
        expect(messages.some((message) => 'sources' in message)).toBe(false);
      }),
    );
  });
});

describe('hostileText', () => {
  test('is well-formed and never blank', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        expect(text).not.toMatch(/\p{Surrogate}/u);
        expect(text.trim()).not.toBe('');
      }),
    );
  });
});

describe('coverageOf', () => {
  test('counts nothing in an empty log', () => {
    expect(Object.values(coverageOf([])).every((count) => count === 0)).toBe(true);
    expect(describeCoverage([])).toMatch(/^0 logs, median 0 entries; logs with rounds 0, /);
  });
});
