import type { SummaryReply } from '@varve/compact';
import { fingerprint, parseEntry, type Request, type StopReason } from '@varve/messages';
import { ModelError } from '@varve/models';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ContextCompaction, createContext } from '../src/index.ts';
import { noWait } from './compacting-support.ts';
import {
  type Action,
  linesOf,
  model,
  nextRequest,
  play,
  playOn,
  type Run,
  type Sent,
  script,
  sentBytes,
  smallClearing,
} from './script.ts';
import { smallPercent, smallWindow } from './small-window.ts';
import { expectGrown, violationsOf } from './support.ts';

const reply = (text: string, stopReason: StopReason = 'end_turn'): SummaryReply => ({
  content: text === '' ? [] : [{ type: 'text', text }],
  stopReason,
});
const GOOD = '<summary>\n## 1. Request and intent\nThe tests were run.\n</summary>';
const refusal = (code: ConstructorParameters<typeof ModelError>[0], retryable = false) =>
  new ModelError(code, 'No.', { retryable });

/** Good summaries, and every way in which a model is known to give none. */
const ANSWERS: readonly (SummaryReply | Error)[] = [
  ...Array.from({ length: 6 }, () => reply(GOOD)),
  reply(''),
  reply('<scratchpad>All of it.</scratchpad>'),
  reply('<summary>It was about', 'max_tokens'),
  reply('prompt is too long: 210000 tokens > 200000 maximum'),
  reply('No.', 'refusal'),
  { content: [{ type: 'tool_use', id: 'c', name: 'bash', input: {} }], stopReason: 'tool_use' },
  refusal('overloaded', true),
  refusal('stream-broken', true),
  refusal('prompt-too-long'),
  refusal('refused'),
  refusal('auth'),
  new TypeError('x is not a function'),
  new DOMException('Gone.', 'AbortError'),
];

const FALLBACKS = ['ledger', 'ledger', 'ledger', 'ledger', 'when-full', 'none'] as const;

const settings = fc.record({
  seed: fc.nat(),
  thresholdTokens: fc.constantFrom(700, 1_500),
  keepTokens: fc.constantFrom(0, 300),
  fallback: fc.constantFrom(...FALLBACKS),
  byHandAt: fc.nat(),
  /** Looks at a fork, too: a third of the time of a run. */
  forks: fc.boolean(),
});
type Setting = typeof settings extends fc.Arbitrary<infer S> ? S : never;

/** The same request gets the same answer, whoever asks. */
const answerTo = ({ messages }: Request, seed: number): SummaryReply | Error => {
  const text = JSON.stringify(messages.map(({ content }) => content));
  const number = Number.parseInt(fingerprint(`${seed} ${text}`).slice(0, 8), 16);
  return ANSWERS[number % ANSWERS.length] as SummaryReply | Error;
};

function compactionOf(setting: Setting): ContextCompaction {
  const { seed, keepTokens, fallback, thresholdTokens } = setting;
  return {
    percent: smallPercent(thresholdTokens),
    keepTokens,
    fallback,
    wait: noWait,
    async summarize(request) {
      const answer = answerTo(request, seed);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

const playWith = (actions: readonly Action[], id: string, setting: Setting, ends?: () => boolean) =>
  play(actions, {
    model: id,
    given: {
      compaction: compactionOf(setting),
      models: [smallWindow(id, setting.thresholdTokens)],
    },
    ...(ends && { resumesAt: ends }),
    async before(run, index) {
      if (index === setting.byHandAt % (actions.length * 2)) await run.context.compact();
    },
  });

describe('createContext with a compaction (laws)', () => {
  test('with a model that fails in any way every request is valid, begins with the one before but for announced edits, and holds what nobody answered yet; nothing said is lost; a process that ends at any moment and a fork leave no trace', async () => {
    await fc.assert(
      fc.asyncProperty(
        model,
        script,
        settings,
        fc.infiniteStream(fc.nat(3)),
        async (id, actions, setting, ends) => {
          const plain = await playWith(actions, id, setting);
          const other = await playWith(actions, id, setting, () => ends.next().value === 0);
          if (setting.forks) await expectForkApart(plain, actions);
          expect(sentBytes(other.sent)).toEqual(sentBytes(plain.sent));
          expect(linesOf(other)).toEqual(linesOf(plain));
          expect(JSON.stringify(other.context.view())).toBe(JSON.stringify(plain.context.view()));
          const last = [await nextRequest(plain), await nextRequest(other)];
          expect(last.map(violationsOf)).toEqual([[], []]);
          expect(JSON.stringify(last[0]?.messages)).toContain('What is left?');
          expectSound(plain.sent);
          expectNothingLost(plain);
        },
      ),
    );
  }, 900_000); // two conversations and a fork with all their summaries
});

function expectSound(sent: readonly Sent[]): void {
  expect(sent.flatMap(({ request }) => violationsOf(request))).toEqual([]);
  for (const [index, { request, changedFrom }] of sent.entries()) {
    const before = sent[index - 1];
    if (before) expectGrown(before.request, request, changedFrom);
  }
}

/** What was said and came last is in the view, everything is in the log, and every attempt has its end. */
function expectNothingLost({ context }: Run): void {
  const entries = context.entries();
  const said = entries.filter((entry) => entry.type === 'message');
  expect(new Set(said.map(({ message }) => message.id)).size).toBe(said.length);
  const kinds = entries.flatMap((entry) =>
    entry.type === 'note' && entry.by === 'compact' ? (entry.data as { kind: string }).kind : [],
  );
  const compacted = entries.filter(
    (entry) => entry.type === 'edit' && entry.by === 'compact' && entry.receipt?.attempt,
  );
  const count = (kind: string) => kinds.filter((each) => each === kind).length;
  expect(count('compaction-started')).toBe(count('compaction-ended') + compacted.length);
}

async function expectForkApart(run: Run, actions: readonly Action[]): Promise<void> {
  const before = linesOf(run).join('\n');
  const context = createContext({
    model: run.model,
    system: 'You fix tests.',
    storage: run.storage.fork({ sessionId: 'fork' }),
    entries: linesOf(run).map(parseEntry),
    layers: [smallClearing()],
    now: run.clock.now,
    ...run.given,
  });
  const fork = {
    ...run,
    context,
    clock: { now: run.clock.now, pass: () => {} },
    sent: [],
  };
  expect(JSON.stringify(context.view().messages)).toBe(JSON.stringify(run.context.view().messages));
  await playOn(fork as unknown as Run, actions.slice(0, 3));
  await context.compact();
  expect(violationsOf(await nextRequest(fork as unknown as Run))).toEqual([]);
  expect(linesOf(run).join('\n')).toBe(before);
}

test('the scripts of these laws reach compactions of each engine, failures and compactions by hand', async () => {
  const reached = { summary: 0, ledger: 0, failed: 0, manual: 0 };
  await fc.assert(
    fc.asyncProperty(model, script, settings, async (id, actions, setting) => {
      const log = linesOf(await playWith(actions, id, setting)).join('\n');
      if (log.includes('"engine":"summary"')) reached.summary++;
      if (log.includes('"engine":"ledger"')) reached.ledger++;
      if (log.includes('"outcome":"failed"')) reached.failed++;
      if (log.includes('"trigger":"manual"')) reached.manual++;
    }),
    { numRuns: 100 }, // counts how often, which more runs do not change
  );
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(10);
});
