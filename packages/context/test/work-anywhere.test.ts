import type { SummaryReply } from '@varve/compact';
import { createProjection, type Entry, serializeEntry } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../../../internal/src/share.ts';
import { type Context, type ContextCompaction, createContext } from '../src/index.ts';
import { compactingScene, fill } from './compacting-support.ts';
import { BOUND, text, violationsOf } from './support.ts';

const said = '<summary>The commands k0 to k9 were run; each printed its lines.</summary>';
const summary: SummaryReply = { content: [text(said)], stopReason: 'end_turn' };
const block = { type: 'compaction', content: 'k0 to k9 were run.', encrypted_content: 'sealed' };
const COLLAPSE = { keepTokens: 600, spanTokens: 900, minSpanTokens: 400, maxSummaryTokens: 150 };

type Step = <Result>(result: Result, signal?: AbortSignal) => Promise<Result>;

/** What acts before a request, each of its model calls a step. */
const WAYS: Record<string, (step: Step) => Partial<ContextCompaction>> = {
  collapse: (step) => ({
    summarize: () => Promise.reject(new Error('no summary of all')),
    fallback: 'none',
    collapse: { ...COLLAPSE, summarize: (_, { signal }) => step(summary, signal) },
  }),
  byProvider: (step) => ({
    summarize: () => Promise.reject(new Error('no summary')),
    fallback: 'none',
    byProvider: {
      provider: 'anthropic',
      call: (_, { signal }) => step({ content: [block], stopReason: 'compaction' }, signal),
    },
  }),
  'collapse, then a summary': (step) => ({
    summarize: (_, { signal }) => step(summary, signal),
    collapse: {
      ...COLLAPSE,
      async summarize(_, { signal }) {
        await step(summary, signal);
        throw new Error('no fold');
      },
    },
  }),
};

interface Full {
  readonly context: Context;
  readonly written: Entry[];
  readonly options: Parameters<typeof createContext>[0];
}

/** A conversation whose next request is over the threshold; the process dies where `step` never ends. */
async function full(way: string, step: Step): Promise<Full> {
  const written: Entry[] = [];
  const log = { append: async (...entries: readonly Entry[]) => void written.push(...entries) };
  const { context, options } = compactingScene(WAYS[way]?.(step), { model: BOUND, log });
  await context.user('Run all of it.');
  let at = 0;
  while (context.size().tokens < 2_000) await fill(context, `k${at++}`, 1_500);
  await fill(context, 'k7', 6_000); // from below the share at which anything is staged to above the threshold
  return { context, written, options };
}

const atOnce: Step = async (result) => result;
const shownBy = (entries: readonly Entry[]): string => {
  const projection = createProjection();
  let view: ReturnType<typeof projection.append> | undefined;
  for (const entry of entries) view = projection.append(entry);
  return JSON.stringify(view?.messages);
};

/** What the conversation shows before anything acts, and after each plan that was put in force whole. */
async function wholeStates(way: string): Promise<ReadonlySet<string>> {
  const { context } = await full(way, atOnce);
  const states = new Set([shownBy(context.entries())]);
  await context.request();
  const entries = context.entries();
  const receiptOf = (entry: Entry | undefined) =>
    entry?.type === 'edit' ? JSON.stringify(entry.receipt) : undefined;
  for (const [index, entry] of entries.entries()) {
    if (entry.type !== 'edit' || receiptOf(entry) === receiptOf(entries[index + 1])) continue;
    states.add(shownBy(entries.slice(0, index + 1)));
  }
  expect(states.size).toBeGreaterThan(1);
  return states;
}

async function expectGoesOn({ context }: Pick<Full, 'context'>): Promise<void> {
  expect(violationsOf(await context.request())).toEqual([]);
}

const TICKS = oneIn(
  4,
  Array.from({ length: 120 }, (_, tick) => tick),
);

describe.each(Object.keys(WAYS))('what acts before a request: %s', (way) => {
  test('aborted at any microtask, the conversation is wholly before or after, and goes on', async () => {
    const states = await wholeStates(way);
    const seen = new Set<string>();
    let aborted = 0;
    for (const at of TICKS) {
      const made = await full(way, atOnce);
      const abort = new AbortController();
      const ended = made.context.request({ signal: abort.signal }).catch((error: unknown) => error);
      for (let tick = 0; tick < at; tick++) await Promise.resolve();
      abort.abort();
      if ((await ended) instanceof Error) aborted++;
      const shown = shownBy(made.context.entries());
      seen.add(shown);
      expect(states.has(shown)).toBe(true);
      await expectGoesOn(made);
    }
    expect(aborted).toBeGreaterThan(0);
    expect(seen.size).toBeGreaterThan(1);
  });

  test('killed at any microtask, what is in the log is wholly before or after, and goes on', async () => {
    const states = await wholeStates(way);
    const seen = new Set<string>();
    for (const at of TICKS) {
      const { context, written, options } = await full(way, atOnce);
      const ended = context.request().catch(() => undefined);
      for (let tick = 0; tick < at; tick++) await Promise.resolve();
      const entries = written.map((entry) => JSON.parse(serializeEntry(entry)) as Entry);
      const shown = shownBy(entries);
      seen.add(shown);
      expect(states.has(shown)).toBe(true);
      await ended;
      await expectGoesOn({ context: createContext({ ...options, log: undefined, entries }) });
    }
    expect(seen.size).toBeGreaterThan(1);
  });

  test('where any of its calls throws or hangs, it is before it or after, and goes on', async () => {
    const states = await wholeStates(way);
    let calls = 0;
    await (
      await full(way, async (result) => {
        calls++;
        return result;
      })
    ).context.request();
    expect(calls).toBeGreaterThan(0);
    for (let bad = 0; bad < calls; bad++) {
      for (const how of ['throws', 'hangs'] as const) {
        let count = 0;
        const abort = new AbortController();
        const made = await full(way, async (result) => {
          if (count++ !== bad) return result;
          if (how === 'throws') throw new Error('down');
          setTimeout(() => abort.abort(), 5);
          return new Promise<never>(() => {});
        });
        const { signal } = abort;
        const failed = await made.context.request({ signal }).then(
          () => false,
          () => true,
        );
        if (how === 'hangs') {
          expect(failed).toBe(true);
          expect(states.has(shownBy(made.context.entries()))).toBe(true);
        }
        await expectGoesOn(made);
      }
    }
  });
});
