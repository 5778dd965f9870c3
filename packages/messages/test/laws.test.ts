import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import {
  anthropicProfile,
  checkHistory,
  createProjection,
  openaiChatProfile,
  openaiResponsesProfile,
  type ProviderProfile,
  project,
  type View,
} from '../src/index.ts';
import { coverageOf, describeCoverage } from '../src/testing/coverage.ts';
import { validLog } from '../src/testing.ts';
import { EMPTY, freeze, viewsOf } from './views.ts';

const coverages: ReturnType<typeof coverageOf>[] = [];

afterAll(() => {
  process.stdout.write(`laws of projections: ${describeCoverage(coverages)}\n`);
});

const PROFILES = [
  anthropicProfile({ thinking: 'free' }),
  anthropicProfile({ thinking: 'latest-turn', prefill: true }),
  openaiChatProfile(),
  openaiResponsesProfile(),
];

describe('project (laws)', () => {
  test('shows a valid history for every provider after every entry', () => {
    fc.assert(
      fc.property(validLog(), (log) => {
        coverages.push(coverageOf(log));
        const violations = viewsOf(log).flatMap(({ messages }, index) => {
          // An edit has to fit every provider; what is appended takes turns, or the law takes minutes.
          const everyone = log[index]?.type === 'edit' || index === log.length - 1;
          const profiles = everyone
            ? PROFILES
            : [PROFILES[index % PROFILES.length] as ProviderProfile];
          return profiles.flatMap((profile) => checkHistory(messages, profile));
        });
        expect(violations).toEqual([]);
      }),
    );
  });

  test('keeps rounds that wait out of the messages and says which calls wait', () => {
    fc.assert(
      fc.property(validLog(), (log) => {
        for (const { open } of viewsOf(log)) {
          if (!open) continue;
          const answered = open.results.map((result) => result.tool_use_id);
          const callIds = open.assistant.content.flatMap((block) =>
            block.type === 'tool_use' ? [block.id] : [],
          );
          expect(open.waiting.length).toBeGreaterThan(0);
          expect(callIds.filter((id) => !open.waiting.includes(id as string))).toEqual(answered);
        }
      }),
    );
  });

  test('projects a whole log as it does entry by entry', () => {
    fc.assert(
      fc.property(validLog(), fc.nat(), (log, number) => {
        const views = [EMPTY, ...viewsOf(log)];
        for (const count of [number % views.length, log.length]) {
          const whole = project(log.slice(0, count));
          expect(JSON.stringify(whole)).toBe(JSON.stringify(views[count]));
        }
      }),
    );
  });

  test('appends without touching what stood before', () => {
    fc.assert(
      fc.property(validLog(), (log) => {
        let before: View = EMPTY;
        for (const [index, view] of viewsOf(log).entries()) {
          if (log[index]?.type !== 'edit') {
            expect(before.messages.every((message, at) => message === view.messages[at])).toBe(
              true,
            );
            expect(view.changedFrom).toBe(before.messages.length);
          }
          before = view;
        }
      }),
    );
  });

  test('names the first message whose bytes an entry changed', () => {
    fc.assert(
      fc.property(validLog(), (log) => {
        let before: string[] = [];
        for (const view of viewsOf(log)) {
          const after = view.messages.map(({ role, content }) => JSON.stringify([role, content]));
          const shared = Math.min(before.length, after.length);
          const differs = after.findIndex((text, at) => at >= shared || text !== before[at]);
          expect(view.changedFrom).toBe(differs < 0 || differs > shared ? shared : differs);
          before = after;
        }
      }),
    );
  });

  test('never writes to a view it handed out', () => {
    fc.assert(
      fc.property(validLog(), (log) => {
        const projection = createProjection();
        // Writing to what is frozen throws.
        const views = log.map((entry) => freeze(projection.append(entry)));
        const counts = viewsOf(log).map(({ messages }) => messages.length);
        expect(views.map(({ messages }) => messages.length)).toEqual(counts);
      }),
    );
  });

  test('shows every message once, in an order that edits do not change', () => {
    fc.assert(
      fc.property(validLog(), (log) => {
        const order = project(log.filter(({ type }) => type === 'message')).messages.flatMap(
          ({ sources }) => sources,
        );
        const shown = project(log).messages.flatMap(({ sources }) => sources);
        expect(new Set(shown).size).toBe(shown.length);
        const places = shown.map((id) => order.indexOf(id)).filter((place) => place >= 0);
        expect(places).toEqual([...places].sort((a, b) => a - b));
      }),
    );
  });
});
