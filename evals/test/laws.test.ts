import { checkRequest, type Message, type Request } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { projectsOf } from '../src/demand/projects.ts';
import { createUnitIndex } from '../src/demand/unit-index.ts';
import { forEachUnit } from '../src/demand/units.ts';
import { createVisibleUnits } from '../src/demand/visible-units.ts';
import { hashUnit } from '../src/demand/vocabulary.ts';
import type { Strategy } from '../src/index.ts';
import { createRequestCheck } from '../src/replay/request-check.ts';
import { createRequestDigests } from '../src/replay/request-digests.ts';
import { createRunningSum } from '../src/replay/running-sum.ts';
import { formatTable } from '../src/report/table.ts';
import { resolvePricing } from '../src/resolve-pricing.ts';
import { cleared, planOf, rowFor } from './replays.ts';
import { generatedSteps, randomFrom } from './sessions.ts';

const NAMES = ['alphaValue', 'betaValue', 'gammaValue', 'deltaValue', 'epsilonValue'];

describe('createVisibleUnits', () => {
  const pool = fc.array(fc.uniqueArray(fc.nat(4), { maxLength: 4 }), {
    minLength: 1,
    maxLength: 8,
  });
  const picks = fc.array(fc.array(fc.nat(7), { maxLength: 10 }), { maxLength: 12 });

  test('tells after any run of requests what the last one alone would show', () => {
    fc.assert(
      fc.property(pool, picks, (texts, requests) => {
        const messages = texts.map(
          (units, at): Message => ({
            id: `${at}`,
            role: 'user',
            content: [{ type: 'text', text: units.map((unit) => NAMES[unit]).join(' ') }],
          }),
        );
        const index = createUnitIndex(NAMES);
        const visible = createVisibleUnits(index);
        for (const chosen of requests) {
          const shown = chosen.flatMap((at) => messages[at] ?? []);
          visible.show({ head: { system: [] }, messages: shown } as unknown as Request);
          const expected = new Set(shown.flatMap(index.unitsOf));
          for (const name of NAMES) {
            const unit = index.idOf(name) as number;
            expect(visible.has(unit)).toBe(expected.has(unit));
          }
        }
      }),
    );
  });
});

describe('createRequestCheck', () => {
  const { profile, policy } = resolvePricing({ ttl: '5m' });
  const { history, head } = planOf(generatedSteps({ seed: 5, calls: 12, lines: 2 })).recording;
  const damaged: Message = { id: 'x', role: 'assistant', content: [] };
  const blank: Message = { id: 'y', role: 'user', content: [{ type: 'text', text: ' ' }] };
  /** A prefix of the history with some messages cleared, left out or put in. */
  const request = fc
    .record({
      length: fc.integer({ min: 1, max: history.length }),
      cleared: fc.array(fc.nat(history.length), { maxLength: 2 }),
      dropped: fc.option(fc.nat(history.length), { freq: 4 }),
      added: fc.option(
        fc.record({ at: fc.nat(history.length), message: fc.constantFrom(damaged, blank) }),
        { freq: 4 },
      ),
      markers: fc.integer({ min: 0, max: 5 }),
    })
    .map(({ length, cleared: at, dropped, added, markers }): Request => {
      const kept = history.map((each, index) => (at.includes(index) ? cleared(each) : each));
      const messages = kept.slice(0, length).filter((_, index) => index !== dropped);
      if (added) messages.splice(added.at, 0, added.message);
      return {
        head,
        messages,
        maxOutputTokens: 8_000,
        markers: Array.from({ length: markers }, (_, messageIndex) => ({
          at: 'message',
          messageIndex: messageIndex * 2,
          blockIndex: 0,
        })),
      };
    });

  test('finds in any run of requests what a check of the whole finds', () => {
    fc.assert(
      fc.property(fc.array(request, { minLength: 1, maxLength: 6 }), (requests) => {
        const check = createRequestCheck(profile, policy);
        for (const each of requests) {
          const whole = new Set(checkRequest(each, profile).map(({ code }) => code));
          expect([...check(each)].sort()).toEqual([...whole].sort());
        }
      }),
    );
  });
});

/** Lists of messages that share beginnings, ends or nothing; a copy is equal and no reference. */
const lists = fc.array(
  fc.array(fc.record({ at: fc.nat(5), isCopy: fc.boolean() }), { maxLength: 8 }).map((picks) =>
    picks.map(({ at, isCopy }) => {
      const message = MESSAGES[at] as Message;
      return isCopy ? structuredClone(message) : message;
    }),
  ),
  { minLength: 2, maxLength: 8 },
);
const MESSAGES: readonly Message[] = [
  { id: 'a', role: 'user', content: [{ type: 'text', text: 'one' }] },
  { id: 'b', role: 'assistant', content: [{ type: 'text', text: 'one' }] },
  { id: 'c', role: 'user', content: [{ type: 'text', text: 'one', cache: true } as never] },
  { id: 'd', role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'ls', input: {} }] },
  { id: 'e', role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'one' }] },
  { id: 'f', role: 'user', content: [] },
];

describe('createRunningSum', () => {
  test('adds up each of any run of lists as a sum of all its messages does', () => {
    const sizeOf = ({ id }: Message): number => id.charCodeAt(0);
    fc.assert(
      fc.property(lists, (all) => {
        const sum = createRunningSum(sizeOf);
        for (const list of all) {
          expect(sum(list)).toBe(list.reduce((total, each) => total + sizeOf(each), 0));
        }
      }),
    );
  });
});

describe('createRequestDigests', () => {
  test('names any two requests alike exactly where their bytes are', () => {
    const heads = ['x', 'y'].map((text) => ({
      ...{ id: 'head', model: 'm', tools: [], params: {} },
      system: [{ type: 'text', text } as const],
    }));
    fc.assert(
      fc.property(lists, fc.array(fc.nat(1), { minLength: 8, maxLength: 8 }), (all, picks) => {
        const { digest } = createRequestDigests();
        const byBytes = new Map<string, string>();
        for (const [at, messages] of all.entries()) {
          const head = heads[picks[at] as number] as (typeof heads)[number];
          const bytes = JSON.stringify([
            head,
            messages.map(({ role, content }) => [role, content]),
          ]);
          const name = digest({ head, messages, markers: [], maxOutputTokens: 1 });
          expect(byBytes.get(bytes) ?? name).toBe(name);
          byBytes.set(bytes, name);
        }
        expect(new Set(byBytes.values()).size).toBe(byBytes.size);
      }),
    );
  });
});

describe('forEachUnit', () => {
  const unitsIn = (text: string): Set<string> => {
    const units = new Set<string>();
    forEachUnit(text, (unit) => void units.add(unit));
    return units;
  };
  const line = fc
    .string({ minLength: 20, maxLength: 60, unit: fc.constantFrom(...'abc xyz=(){};.') })
    .map((text) => `let ${text.trim()};`)
    .filter((text) => text.length >= 16);

  test('finds a line in any listing of it', () => {
    fc.assert(
      fc.property(
        line,
        fc.nat(9_999),
        fc.constantFrom('→', '\t', ': ', '| '),
        (text, number, sign) => {
          expect(unitsIn(`  ${number}${sign}${text}  `)).toContain(text);
          expect(unitsIn(`${text}\nmore`)).toContain(text);
        },
      ),
    );
  });

  test('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const unit of unitsIn(text)) expect(unit.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('hashUnit', () => {
  test('is the same for the same unit, a safe integer, and different for others', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        expect(Number.isSafeInteger(hashUnit(left))).toBe(true);
        expect(hashUnit(left) === hashUnit(right)).toBe(left === right);
      }),
    );
  });

  test('each of its bits depends on each letter', () => {
    // letters whose lowest bit is the same
    const units = Array.from({ length: 2_000 }, (_, at) =>
      at.toString(2).replaceAll('0', 'a').replaceAll('1', 'c'),
    );
    const hashes = units.map(hashUnit);
    for (let bit = 0; bit < 53; bit++) {
      const set = hashes.filter((hash) => Math.floor(hash / 2 ** bit) % 2 === 1).length;
      expect(set / units.length, `bit ${bit}`).toBeGreaterThan(0.4);
      expect(set / units.length, `bit ${bit}`).toBeLessThan(0.6);
    }
  });
});

describe('projectsOf', () => {
  test('is an equivalence that does not depend on the order of sessions', () => {
    const sets = fc.array(fc.uniqueArray(fc.nat(30), { maxLength: 12 }), { maxLength: 7 });
    fc.assert(
      fc.property(sets, (paths) => {
        const forth = projectsOf(paths.map((each) => new Set(each)));
        const back = projectsOf(paths.toReversed().map((each) => new Set(each))).toReversed();
        for (const [at, project] of forth.entries()) {
          for (const [other, theirs] of forth.entries()) {
            expect(project === theirs).toBe(back[at] === back[other]);
          }
        }
      }),
    );
  });
});

describe('formatTable', () => {
  test('gives all lines the width of the rule or less, and loses no short cell', () => {
    const rows = fc.array(
      fc.array(fc.string({ maxLength: 12, unit: fc.constantFrom(...'ab1. ') }), {
        minLength: 2,
        maxLength: 2,
      }),
    );
    fc.assert(
      fc.property(rows, (cells) => {
        const columns = [0, 1].map((at) => ({
          title: `column ${at}`,
          cell: (row: readonly string[]) => row[at] as string,
        }));
        const lines = formatTable(cells, columns);
        const width = (lines[1] as string).length;
        expect(lines.every((each) => each.length <= width && !each.endsWith(' '))).toBe(true);
        expect(lines).toHaveLength(cells.length + 2);
      }),
    );
  });
});

describe('replay', () => {
  /** Clears each result once, at a time of its own, and keeps everybody's words. */
  const clearsAtRandom = (seed: number): Strategy => ({
    name: 'random',
    create({ head }) {
      const random = randomFrom(seed);
      const messages: { message: Message; left: number }[] = [];
      return {
        add: (message) => void messages.push({ message, left: 2 + Math.floor(random() * 30) }),
        request() {
          for (const each of messages) {
            each.left -= 1;
            if (each.left === 0) each.message = cleared(each.message);
          }
          const shown = messages.map(({ message }) => message);
          return { head, messages: shown, markers: [], maxOutputTokens: 8_000 };
        },
      };
    },
  });

  // A run replays a whole session six times over, so that a thousand of them would take minutes.
  const FEW = { numRuns: 40 };
  /** Sums of the same dollars in another order. */
  const ROUNDING = 1 + 1e-9;
  const session = fc.record({
    seed: fc.nat(1_000),
    calls: fc.integer({ min: 1, max: 40 }),
    lines: fc.integer({ min: 3, max: 40 }),
  });

  test('no strategy that keeps everybody’s words is cheaper than the oracle, nor remembers more than keep-all', () => {
    fc.assert(
      fc.property(
        session,
        fc.nat(1_000),
        fc.constantFrom('5m', '1h', 'none'),
        (options, seed, ttl) => {
          const plan = planOf(generatedSteps(options), { pricing: { ttl } });
          const row = rowFor(plan, clearsAtRandom(seed));
          expect(row.perObjectDollars).toBeLessThanOrEqual(row.dollars * ROUNDING);
          expect(row.writeOnceDollars).toBeLessThanOrEqual(row.perObjectDollars * ROUNDING);
          expect(row.hindsightRecall ?? 1).toBeLessThanOrEqual(1);
          expect(row.invalidRequests).toBe(0);
          expect(row.repeatable).toBe(true);
          expect(row.rereads === 0).toBe(row.rereadDollars === 0);
        },
      ),
      FEW,
    );
  });
});
