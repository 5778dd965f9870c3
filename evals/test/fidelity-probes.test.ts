import { describe, expect, test } from 'vitest';
import { isWhole } from '../../internal/src/share.ts';
import { defaultSessions } from '../src/default-paths.ts';
import type { Fact } from '../src/fidelity/facts/fact.ts';
import { factNames } from '../src/fidelity/file-names.ts';
import { isHedged } from '../src/fidelity/match/claims.ts';
import { createHaystack, type Match } from '../src/fidelity/match.ts';
import { type Flip, flipFile, flipOutcome, flipped, probesOf, summary } from './fidelity-probes.ts';
import { everyNth } from './files.ts';

const { VARVE_SESSIONS = '' } = process.env;
/** Our own sessions, and of those that people recorded some of each agent. */
const probes = await probesOf([defaultSessions(), ...everyNth(VARVE_SESSIONS, isWhole ? 6 : 12)]);

const WITH_VALUE = [
  'file-state',
  'outcome',
  'test-status',
  'command',
  'todo',
  'failed-approach',
  'choice',
  'open-error',
] as const;

class Counts {
  readonly bound: string[] = [];
  of = 0;
  contradicted = 0;
  add(fact: Fact, match: Match): void {
    this.of++;
    if (match === 'bound') this.bound.push(`${fact.type} ${fact.key}`);
    if (match === 'contradicted') this.contradicted++;
  }
  get share(): number {
    return this.bound.length / Math.max(1, this.of);
  }
}

/** What became of the facts that stood in the product's text, in that text with a state turned around. */
function afterFlips(types: readonly string[], flip: Flip): Counts {
  const counts = new Counts();
  for (const { facts, text } of probes) {
    const nameOf = factNames(facts);
    const before = createHaystack(summary(text));
    for (const fact of facts.filter(({ type }) => types.includes(type))) {
      const name = nameOf(fact);
      if (before.match(fact, name) !== 'bound') continue;
      const other = flipped(text, (line) => line.includes(name.slice(0, 40)), flip);
      counts.add(fact, createHaystack(summary(other)).match(fact, name));
    }
  }
  return counts;
}

/** How facts stand in a text that is made of their names only. */
function inText(types: readonly string[], lineOf: (key: string) => string): Counts {
  const counts = new Counts();
  for (const { facts } of probes) {
    const nameOf = factNames(facts);
    const asked = facts.filter(({ type, value }) => types.includes(type) && value !== undefined);
    const hay = createHaystack(summary(asked.map(({ key }) => lineOf(key)).join('\n')));
    for (const fact of asked) counts.add(fact, hay.match(fact, nameOf(fact)));
  }
  return counts;
}

describe('states turned around in the text that the product makes (FIDELITY 1)', () => {
  test('the outcome of each command, in every line that names it', () => {
    const counts = afterFlips(['command', 'outcome', 'test-status'], flipOutcome);
    expect(counts.of).toBeGreaterThan(50);
    expect(counts.share, counts.bound.join('\n')).toBeLessThanOrEqual(0.05);
  });

  test('the state of each file, most of them as contradicted', () => {
    const counts = afterFlips(['file-state'], flipFile);
    expect(counts.of).toBeGreaterThan(100);
    expect(counts.share, counts.bound.join('\n')).toBeLessThanOrEqual(0.05);
    expect(counts.contradicted / counts.of).toBeGreaterThanOrEqual(0.8);
  });

  test('an open error that is said to be over', () => {
    const counts = afterFlips(['open-error'], flipOutcome);
    expect(counts.of).toBeGreaterThan(5);
    expect(counts.share, counts.bound.join('\n')).toBeLessThanOrEqual(0.05);
  });
});

/** Each sentence of a line, and what a record says of its name. */
const hedged =
  (hedge: (said: string) => string): Flip =>
  (line) => {
    const record = /^(?:- (?:error: .*\): |`.*?`: |[^`:]*: )?|\[\d+\] )/.exec(line)?.[0] ?? '';
    const sentences = line.slice(record.length).split(/(?<=[.!?:;]["')\]]?)\s+/);
    return record + sentences.map((each) => (each === '' ? each : hedge(each))).join(' ');
  };

describe('states that are not said for sure in the text that the product makes (FIDELITY 4)', () => {
  test.each<[string, Flip]>([
    ['probably', hedged((said) => `probably ${said}`)],
    ['it seems', hedged((said) => `it seems that it is ${said}`)],
    ['may be', hedged((said) => `may be ${said}`)],
    ['not verified', hedged((said) => `${said} (not verified)`)],
    ['whether it is', hedged((said) => `unclear whether it is ${said}`)],
    ['a question', hedged((said) => `${said}?`)],
  ])('%s', (_, flip) => {
    const counts = afterFlips(WITH_VALUE, flip);
    expect(counts.of).toBeGreaterThan(200);
    expect(counts.share, counts.bound.join('\n')).toBeLessThanOrEqual(0.05);
  });
});

test('what the assistant found is not sure any more (FIDELITY 4)', () => {
  const counts = new Counts();
  const perhaps = hedged((said) => `Perhaps ${said}`);
  for (const { facts, text } of probes) {
    const hay = createHaystack(summary(text));
    for (const fact of facts.filter(({ type }) => type === 'said')) {
      if (isHedged(fact.key) || hay.match(fact) !== 'bound') continue;
      const [term = ''] = fact.terms ?? [];
      const other = flipped(text, (line) => line.toLowerCase().includes(term), perhaps);
      counts.add(fact, createHaystack(summary(other)).match(fact));
    }
  }
  expect(counts.of).toBeGreaterThan(50);
  expect(counts.share, counts.bound.join('\n')).toBeLessThanOrEqual(0.05);
});

describe('texts that say nothing (FIDELITY 1)', () => {
  const STATES = 'edited deleted ok failed passed done in progress pending open resolved';
  const states = STATES.split(' ');

  test.each<[string, (key: string) => string]>([
    ['behind each name', (key) => `- ${key}: ${STATES}`],
    ['with commas', (key) => `- ${key}: ${states.join(', ')}`],
    ['in a line each', (key) => states.map((state) => `- ${key}: ${state}`).join('\n')],
    [
      'the other way',
      (key) =>
        states
          .toReversed()
          .map((each) => `- ${key}: ${each}`)
          .join('\n'),
    ],
    ['in a sentence each', (key) => states.map((each) => `It is ${each}: ${key}.`).join(' ')],
  ])('every state %s', (_, lineOf) => {
    const counts = inText(WITH_VALUE, lineOf);
    expect(counts.of).toBeGreaterThan(200);
    expect(counts.share, counts.bound.join('\n')).toBeLessThanOrEqual(0.05);
  });

  test.each(WITH_VALUE)('names alone: %s', (type) => {
    const counts = inText([type], (key) => `- ${key}`);
    expect(counts.share, counts.bound.join('\n')).toBeLessThanOrEqual(0.05);
  });
});

describe('numbers with their word (FIDELITY 2.1)', () => {
  const fact = (passed: number, failed: number): Fact => ({
    ...{ type: 'test-status', key: 'pnpm test', stale: [], messageId: 'm', born: 0 },
    value: { kind: 'counts', name: `${passed} passed, ${failed} failed`, passed, failed },
  });

  test.each<[string, Fact, Match]>([
    ['- pnpm test: pass, 1309 passed, 0 failed', fact(1309, 0), 'bound'],
    ['- pnpm test: fail, 1309 passed, 0 failed', fact(1309, 0), 'contradicted'],
    ['- pnpm test: 1309 passed', fact(1309, 0), 'bound'],
    ['- pnpm test: 1308 passed', fact(1309, 0), 'contradicted'],
    ['- pnpm test: 1309 passed, 1 failed', fact(1309, 0), 'contradicted'],
    ['- pnpm test: 0 passed, 1309 failed', fact(1309, 0), 'contradicted'],
    ['- pnpm test: all 1309 tests passed', fact(1309, 0), 'bound'],
    ['- pnpm test: 7 of 9 pass', fact(7, 2), 'bound'],
    ['- pnpm test: 9 of 9 pass', fact(9, 0), 'bound'],
    ['- pnpm test: 7/9 pass', fact(7, 1), 'contradicted'],
    ['- pnpm test: 2 failed, 7 passed, exit 1', fact(7, 2), 'bound'],
    ['- pnpm test: pass, 2 failed, 7 passed', fact(7, 2), 'contradicted'],
    ['- pnpm test: 7 passed', fact(7, 2), 'contradicted'],
    ['- pnpm test: run again', fact(7, 2), 'key-only'],
    ['- pnpm test: green', fact(7, 2), 'contradicted'],
    ['- pnpm test: passed: 7, failed: 2', fact(7, 2), 'bound'],
    ['- pnpm test passes. 2 failed before.', fact(7, 2), 'contradicted'],
    ['- pnpm test --watch: 1309 passed', fact(1309, 0), 'lost'],
    ['- `pnpm test --watch`: 1309 passed', fact(1309, 0), 'lost'],
    ['- `cd web && pnpm test 2>&1 | tail -3`: 1309 passed', fact(1309, 0), 'bound'],
    ['- pnpm test: 2 failed\n\n[12] pnpm test has 1309 passed.', fact(1309, 0), 'contradicted'],
    ['[12] pnpm test: 2 failed.\n[14] pnpm test: 1309 passed.', fact(1309, 0), 'bound'],
    ['[14] pnpm test: 2 failed.\n[12] pnpm test: 1309 passed.', fact(1309, 0), 'contradicted'],
  ])('%j', (text, asked, expected) => {
    expect(createHaystack(summary(text)).match(asked)).toBe(expected);
  });
});
