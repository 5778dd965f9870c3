import { checkHistory } from '@varve/messages';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CompactResult } from '../../src/full/compact.ts';
import {
  type CompactionReceipt,
  compact,
  createCollapse,
  createCompaction,
  createProviderCompaction,
  createSnip,
  restore,
} from '../../src/index.ts';
import { createCompactionPipeline } from '../../src/pipeline.ts';
import { contextFor, HEAD, watchedLog } from '../plan/working-log.ts';
import {
  ESTIMATOR,
  profilesFor,
  round,
  type Said,
  said,
  textOf,
  tokensOf,
  turns,
} from './histories.ts';
import { fakeModel, GOOD, NAMED, noWait, reply } from './models.ts';

const MIN_SAVINGS = 0.1;

interface Sizes {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

const saves = ({ tokensBefore, tokensAfter }: Sizes, minSavings = MIN_SAVINGS) =>
  expect(tokensAfter).toBeLessThanOrEqual(tokensBefore * (1 - minSavings));

const asMessage = ({ role, content }: Said) => ({
  role,
  content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
});

function sizesOf(result: CompactResult<Said>): CompactionReceipt {
  if (result.kind !== 'compacted') throw new Error(result.reason);
  const real = tokensOf(result.messages.map(asMessage) as never);
  expect(result.receipt.tokensAfter).toBeGreaterThanOrEqual(real);
  saves(result.receipt);
  return result.receipt;
}

describe('what is attached counts (K302)', () => {
  const history = turns(10, 1_000); // about 20,000 tokens

  test('restore attaches less where 46,874 tokens do not fit 20,593', async () => {
    const files = Array.from({ length: 10 }, (_, at) => `src/${at}.ts`);
    const result = await compact(history, {
      ...fakeModel(reply(GOOD)),
      attach: async (kept, { roomTokens }) => {
        expect(roomTokens).toBeLessThan(20_000);
        const done = await restore(
          { reads: files, plan: textOf(3_000), announcements: [textOf(2_000)] },
          {
            ...{ kept: kept.map(asMessage) as never, messageId: 'r', roomTokens },
            readFile: async () => textOf(9_000),
            sizeOf: ESTIMATOR.text,
          },
        );
        expect(done.tokens).toBeLessThanOrEqual(roomTokens);
        expect(done.restored.length).toBeGreaterThan(0);
        return done.messages as unknown as Said[];
      },
    });
    const receipt = sizesOf(result);
    expect(receipt.attachedTokens).toBeGreaterThan(5_000);
    expect(receipt).not.toHaveProperty('leftOutTokens');
  });

  test('a plain attach of 70,000 tokens is cut, with a notice, and the receipt says how much', async () => {
    const result = await compact(history, {
      ...fakeModel(reply(GOOD)),
      attach: () => [said(textOf(40_000)), said(textOf(30_000))],
    });
    const receipt = sizesOf(result);
    expect(receipt.attachedTokens).toBeGreaterThan(1_000);
    expect(receipt.leftOutTokens).toBeGreaterThan(40_000);
    const last = result.messages.at(-1)?.content;
    expect(last).toContain('[The rest was left out here: there was no room for it.]');
  });

  test('what cannot be cut is left out, and the compaction stands', async () => {
    const image = { type: 'image', source: { data: 'x'.repeat(100) } };
    const attached = { role: 'user', content: [image, { type: 'text', text: textOf(40_000) }] };
    const result = await compact(history, {
      ...fakeModel(reply(GOOD)),
      attach: () => [attached as Said],
    });
    expect(sizesOf(result).leftOutTokens).toBeGreaterThan(30_000);
    expect(result.messages).not.toContain(attached);
  });

  // siblings looked for: a pair that has no room, a pair cut by the room, a call alone, a result alone, no content, blank text, a
  // block of no type, what is sound beside it, in front of it and behind it
  const [asks, gives] = round('x', 200) as [Said, Said];
  const blank = (content: unknown): Said => ({ role: 'user', content }) as Said;
  test.each<[string, Said[], number]>([
    ['a pair', [asks, gives], 2],
    ['a pair and a text', [said('Before.'), asks, gives, said('After.')], 4],
    ['a call alone', [said('Before.'), asks], 1],
    ['a call and a text', [asks, said('After.')], 0],
    ['a result alone', [said('Before.'), gives, said('After.')], 2],
    ['no content', [blank([]), said('After.')], 1],
    ['an empty text', [blank(''), said('After.')], 1],
    ['blank text', [blank([{ type: 'text', text: ' ' }]), said('After.')], 1],
    ['a block of no type', [blank([{}]), said('After.')], 1],
    ['a role that nobody has', [{ role: 'nobody', content: 'x' } as never, said('After.')], 1],
    ['a pair that is too large', [said('Before.'), ...round('y', 60_000), said('After.')], 1],
    ['two pairs, of which one has room', [asks, gives, ...round('y', 60_000)], 2],
  ])('attached in whole rounds: %s', async (_, attached, left) => {
    for (const keepTokens of [0, 4_000]) {
      const model = fakeModel(reply(GOOD));
      const bare = await compact(history, { ...model, keepTokens });
      const result = await compact(history, { ...model, keepTokens, attach: () => attached });
      const { leftOutTokens = 0 } = sizesOf(result);
      expect(result.messages.slice(bare.messages.length)).toHaveLength(left);
      expect(Number(leftOutTokens) > 0).toBe(left < attached.length);
      for (const profile of profilesFor('latest-turn')) {
        expect(checkHistory(result.messages, profile)).toEqual([]);
      }
    }
  });

  test.each([[null], [undefined], [{ role: 'user', content: 'x' }], ['text'], [[null]], [[5]]])(
    'an answer of `attach` that is no list of messages: %j',
    async (answer) => {
      const run = compact(history, { ...fakeModel(reply(GOOD)), attach: () => answer as never });
      await expect(run).rejects.toThrow(TypeError);
      await expect(run).rejects.toThrow('Expected `attach` to be a function that gives a list');
    },
  );

  test('a compaction that keeps nearly everything is refused, with the reason', async () => {
    const result = await compact(turns(20, 1_000), {
      ...{ ...fakeModel(reply(GOOD)), keepTokens: 41_000, fallback: 'none' },
    });
    expect(result).toMatchObject({ kind: 'failed', reason: 'not-smaller' });
  });

  test.each([400_000, 2_000_000])(
    'texts of hooks of %d bytes keep their head, with a notice',
    async (bytes) => {
      const big = 'x '.repeat(bytes / 2);
      const warnings: unknown[] = [];
      const pipeline = createCompactionPipeline({
        hooks: {
          before: [{ name: 'b', run: () => ({ instructions: big, notice: big }) }],
          sessionStart: Array.from({ length: 5 }, (_, at) => ({
            name: `s${at}`,
            run: () => ({ context: big }),
          })),
        },
        onEvent: (event) => event.type === 'hook-warning' && warnings.push(event.warning.reason),
      });
      let focus = '';
      let told: readonly string[] = [];
      const start = { trigger: 'manual', path: 'full', reason: 'r', threadId: 't' } as const;
      await pipeline.run(
        { ...start, tokensBefore: 20_000 },
        {
          async compact({ instructions = '' }) {
            focus = instructions;
            return { kind: 'compacted', receipt: { tokensAfter: 2_000 } };
          },
          commit: (_, { sessionContext }) => {
            told = sessionContext;
            return undefined;
          },
        },
      );
      expect(warnings).toEqual(Array.from({ length: 6 }, () => 'too-long'));
      expect(focus.length).toBeLessThan(21_000);
      expect(focus).toContain('characters more of this hook were left out');
      expect(told.join('').length).toBeLessThan(61_000);
      const { messages, tokens, leftOut } = await restore(
        { sessionContext: [big] },
        {
          ...{ readFile: async () => undefined, kept: [], messageId: 'm', roomTokens: 3_000 },
          sizeOf: ESTIMATOR.text,
        },
      );
      expect([messages.length, leftOut, tokens <= 3_000]).toEqual([1, 1, true]);
      expect(JSON.stringify(messages)).toContain('The rest was left out here');
    },
  );
});

describe('law: an accepted compaction leaves at most before × (1 − minSavings) (K302)', () => {
  const counts: Record<string, number> = {};
  const counted = (way: string, sizes: Sizes, minSavings = MIN_SAVINGS) => {
    counts[way] = (counts[way] ?? 0) + 1;
    saves(sizes, minSavings);
  };

  const drawn = fc.record({
    count: fc.integer({ min: 2, max: 14 }),
    tokens: fc.constantFrom(30, 300, 2_000),
    attachTokens: fc.constantFrom(0, 50, 2_000, 60_000),
    overheadTokens: fc.constantFrom(0, 500, 20_000),
    keepTokens: fc.constantFrom(0, 1_000, 10_000),
    minSavings: fc.constantFrom(0, 0.1, 0.5),
    answer: fc.constantFrom('good', 'long', 'down'),
    windowTokens: fc.constantFrom(30_000, 64_000, 200_000),
  });

  const answerOf = (answer: string, tokens: number) =>
    answer === 'down'
      ? new Error('down')
      : reply(answer === 'good' ? GOOD : `<summary>${textOf(tokens * 4)}</summary>`);

  test('plain histories, logs, partial, provider, snip and collapse', async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async ({ count, tokens, answer, ...options }) => {
        const { minSavings, attachTokens, overheadTokens, windowTokens, keepTokens } = options;
        const history = turns(count, tokens);
        const model = { ...fakeModel(answerOf(answer, tokens)), head: NAMED, wait: noWait };
        const contextTokens = tokensOf(history.map(asMessage) as never) + overheadTokens;
        const attach = () => (attachTokens > 0 ? [said(textOf(attachTokens))] : []);
        const common = { ...model, minSavings, contextTokens, attach, windowTokens, keepTokens };
        const whole = await compact(history, common);
        const pivot = Math.floor(history.length / 2);
        const parts = [
          await compact(history, { ...common, direction: 'up-to', pivot }),
          await compact(history, { ...common, direction: 'from', pivot }),
        ];
        for (const [way, done] of [['full', whole], ...parts.map((each) => ['partial', each])] as [
          string,
          CompactResult<Said>,
        ][]) {
          if (done.kind !== 'compacted') continue;
          counted(done.receipt.engine === 'ledger' ? 'ledger-only' : way, done.receipt, minSavings);
          const real = tokensOf(done.messages.map(asMessage) as never) + overheadTokens;
          expect(real).toBeLessThanOrEqual(contextTokens * (1 - minSavings) + 1);
        }
        await onLog(history, { ...options, model });
      }),
    );
    console.info(`K302: accepted compactions ${JSON.stringify(counts)}`);
    expect(Object.keys(counts).sort()).toEqual(
      ['collapse', 'full', 'ledger-only', 'log', 'partial', 'provider', 'snip'].sort(),
    );
  });

  async function onLog(
    history: readonly Said[],
    options: {
      readonly attachTokens: number;
      readonly minSavings: number;
      readonly overheadTokens: number;
      readonly model: ReturnType<typeof fakeModel>;
    },
  ): Promise<void> {
    const { attachTokens, minSavings, overheadTokens, model } = options;
    const compactor = createCompaction({ ...model, minSavings, wait: noWait });
    const sizeOfText = ESTIMATOR.text;
    const collapse = createCollapse({
      ...{
        ...fakeModel(reply('<summary>Lines of output were read, and folded.</summary>')),
        sizeOfText,
        minSavings,
      },
      ...{ spanTokens: 1_000, minSpanTokens: 200, keepTokens: 500, targetAt: 0.1 },
    });
    const snip = createSnip({ minSavings, budgetTokens: 1_000 });
    const log = watchedLog(compactor, collapse, snip);
    log.append(HEAD);
    for (const message of history) log.say(asMessage(message));
    const context = contextFor(log.view, { overheadTokens });
    const plan = compactor.planNow(context, { trigger: 'manual' });
    if (plan.kind !== 'work') throw new Error(plan.kind);
    const attach = () => [
      { id: 'a', role: 'user', content: [{ type: 'text', text: textOf(attachTokens) }] } as const,
    ];
    const done = await compactor.run(plan.work, { attach });
    if (done.kind === 'compacted') counted('log', done.receipt, minSavings);
    const block = { type: 'compaction', content: textOf(200) };
    const call = async () => ({ content: [block], stopReason: 'compaction' as const });
    const byProvider = await createProviderCompaction({ provider: 'anthropic', call, minSavings })(
      plan.work,
      { attach },
    );
    if (byProvider.kind === 'compacted') {
      counted('provider', byProvider.receipt, minSavings);
    }
    const snipped = snip.plan(context);
    if (snipped.kind === 'edit') counted('snip', snipped.receipt as unknown as Sizes, minSavings);
    const staged = collapse.plan({ ...context, contextTokens: context.contextTokens });
    if (staged.kind !== 'work') return;
    for (const data of (await collapse.run(staged.work)).notes) {
      const id = `n${log.entries.length}`;
      log.append({ id, at: HEAD.at, type: 'note', by: 'collapse', data });
    }
    const folded = collapse.plan(context);
    if (folded.kind !== 'edit') return;
    counted('collapse', folded.receipt as unknown as Sizes, minSavings);
  }
});
