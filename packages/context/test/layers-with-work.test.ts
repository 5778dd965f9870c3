import type { SummaryReply } from '@varve/compact';
import type { Entry, JsonObject, PlanContext, View } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { type Context, type ContextOptions, createContext, type Layer } from '../src/index.ts';
import {
  compactingScene,
  editsOf,
  fill,
  fillUp,
  kindsOf,
  notesOf,
  summarizer,
} from './compacting-support.ts';
import { BOUND, LATEST, OPENAI, says, text, violationsOf } from './support.ts';

const folded = (about: string): SummaryReply => ({
  ...{ content: [text(`<summary>${about}</summary>`)], stopReason: 'end_turn' },
  usage: { input_tokens: 900, output_tokens: 40 },
});

const COLLAPSE = { keepTokens: 600, spanTokens: 900, minSpanTokens: 400, maxSummaryTokens: 150 };

/** A context that folds from 4,000 tokens on, and summarises in the background from 3,150 on. */
function foldingScene(
  summarize = summarizer(
    folded('The commands k0 to k9 were run; each printed its lines.'),
  ).summarize,
  given: Partial<ContextOptions> = {},
) {
  const whole = summarizer();
  const scene = compactingScene(
    { summarize: whole.summarize, collapse: { ...COLLAPSE, summarize } },
    given,
  );
  return { ...scene, whole: whole.requests };
}

const isFold = (entry: Entry): boolean => entry.type === 'edit' && entry.by === 'collapse';
const bodyOf = (context: Context) => JSON.stringify(context.view().messages);

async function untilFolded(context: Context): Promise<void> {
  for (let at = 0; at < 60 && !context.entries().some(isFold); at++) await fill(context, `k${at}`);
}

describe('collapse in a context (C12)', () => {
  test.each([LATEST, BOUND, OPENAI])(
    '%s: stretches are folded before a compaction is due, and a fold can be undone',
    async (model) => {
      const { context, events, whole } = foldingScene(undefined, { model });
      await context.user('Run all of it.');
      await untilFolded(context);
      const request = await context.request();
      expect(violationsOf(request)).toEqual([]);
      const said = JSON.stringify(request.messages);
      expect(said.includes('The commands k0 to k9')).toBe(true);
      expect(said.includes('Run all of it.')).toBe(true);
      expect(whole).toEqual([]);
      expect(kindsOf(events)).toContain('collapse edited commit-staged');
      expect(kindsOf(events)).not.toContain('compaction-started');
      expect(notesOf(context.entries()).some((data) => kindOf(data) === 'staged')).toBe(true);
      expect(context.usage().callers.map(({ by }) => by)).toContain('collapse');

      const fold = context.entries().findLast(isFold) as Entry;
      await context.reply(says(text('Done.')));
      await context.user('Show it again.');
      const before = context.view().messages.length;
      await context.undo(fold.id);
      expect(context.view().messages.length).toBeGreaterThan(before);
    },
  );

  test('what is staged in the background holds up no request, and is there after a restart', async () => {
    const { context, options } = foldingScene();
    await context.user('Run all of it.');
    let at = 0;
    while (context.size().tokens < 3_200) await fill(context, `k${at++}`);
    await context.request();
    await context.flush();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const staged = notesOf(context.entries()).filter((data) => kindOf(data) === 'staged');
    expect(staged.length).toBeGreaterThan(0);
    expect(context.entries().some(isFold)).toBe(false);
    const asked = summarizer(new Error('not asked again'));
    const resumed = createContext({
      ...options,
      compaction: {
        ...options.compaction,
        summarize: asked.summarize,
        collapse: { ...COLLAPSE },
      },
      entries: context.entries(),
    });
    while (resumed.size().tokens < 4_000) await fill(resumed, `r${at++}`, 400);
    await resumed.request();
    const fold = resumed.entries().find(isFold);
    expect(fold).toBeDefined();
  });

  test('a summary that never comes holds up nothing until it is needed; then an abort ends it, and nothing has changed', async () => {
    const { summarize } = summarizer(() => new Promise<SummaryReply>(() => {}));
    const { context, whole } = foldingScene(summarize);
    await context.user('Run all of it.');
    let at = 0;
    while (context.size().tokens < 3_200) await fill(context, `k${at++}`, 1_500);
    await fill(context, 'last'); // it is being staged, and holds up nothing
    expect(context.size().tokens).toBeGreaterThan(4_000);
    const state = () =>
      JSON.stringify([
        context.view().messages,
        context.entries().filter(({ type }) => type !== 'note'),
      ]);
    const before = state();
    for (const reason of ['stop', 'again']) {
      const abort = new AbortController();
      const sent = context.request({ signal: abort.signal });
      setTimeout(() => abort.abort(reason), 10);
      await expect(sent).rejects.toBe(reason);
      expect(state() === before).toBe(true);
    }
    expect(whole).toEqual([]);
  });

  test('where no stretch can be summarised, the conversation is compacted', async () => {
    const { context, whole } = foldingScene(summarizer(new Error('no model')).summarize);
    await context.user('Run all of it.');
    await fillUp(context);
    await context.request();
    expect(whole.length).toBeGreaterThan(0);
    expect(editsOf(context.entries()).map(({ by }) => by)).toEqual(['compact']);
  });

  test('a stretch that is compacted while its summary is written is never folded', async () => {
    let answer: (reply: SummaryReply) => void = () => {};
    const { summarize } = summarizer(
      () =>
        new Promise<SummaryReply>((resolve) => {
          answer = resolve;
        }),
    );
    const { context } = foldingScene(summarize);
    await context.user('Run all of it.');
    let at = 0;
    while (context.size().tokens < 3_300) await fill(context, `k${at++}`);
    await context.request(); // begins to stage
    expect(await context.compact()).toMatchObject({ kind: 'compacted' });
    const before = bodyOf(context);
    answer(folded('The commands k0 to k9 were run, too late.'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await context.request();
    expect(bodyOf(context) === before).toBe(true);
    expect(context.entries().some(isFold)).toBe(false);
  });

  test.each([
    ['auto-disabled', { auto: false }],
    ['disabled', { enabled: false }],
    ['not-main-thread', { source: 'sub-agent' }],
    ['reactive-only', { reactiveOnly: true }],
  ] as const)('the switches of the compaction hold: %s', async (reason, switches) => {
    const { requests, summarize } = summarizer(folded('No.'));
    const { context, events } = compactingScene({
      ...{ collapse: { ...COLLAPSE, summarize }, switches: () => switches },
    });
    await context.user('Run all of it.');
    let at = 0;
    while (context.size().tokens < 3_400) await fill(context, `k${at++}`);
    await context.request();
    expect(requests).toEqual([]);
    expect(kindsOf(events)).toContain(`collapse idle ${reason}`);
  });

  test('a request that is refused as too long folds what is staged', async () => {
    const { context, events } = foldingScene();
    await context.user('Run all of it.');
    let at = 0;
    while (context.size().tokens < 3_300) await fill(context, `k${at++}`);
    await context.request();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const refused = Object.assign(new Error('prompt is too long'), {
      code: 'context_length_exceeded',
    });
    expect(await context.recover(refused)).toBe(true);
    expect(context.entries().some(isFold)).toBe(true);
    expect(events).toContainEqual(expect.objectContaining({ step: 'committed' }));
  });
});

const kindOf = (data: unknown): unknown => (data as JsonObject).kind;

describe('a layer with work', () => {
  /** Replaces the first message by what its work found out, once. */
  function layerOf(run: (signal: AbortSignal | undefined) => Promise<string>): Layer {
    let view: View = { messages: [], changedFrom: 0 };
    let found: string | undefined;
    return {
      name: 'finder',
      planner: {
        observe(entry, next) {
          view = next;
          if (entry.type === 'note' && entry.by === 'finder') found = String(entry.data);
        },
        plan(_: PlanContext) {
          const [first] = view.messages;
          if (!first || first.id.startsWith('found')) return { kind: 'none', reason: 'found' };
          if (found === undefined) return { kind: 'work', work: first.id, reason: 'to-find' };
          const message = {
            id: `found-${first.id}`,
            role: 'user',
            content: [text(found)],
          } as const;
          const [fromId, toId] = [first.sources[0], first.sources[0]];
          if (fromId === undefined || toId === undefined) throw new Error('no source');
          const edit = { kind: 'replace-span', fromId, toId, with: [message], then: [] } as const;
          return { kind: 'edit', edits: [edit], reason: 'found' };
        },
        run: async (_: never, { signal }) => ({
          notes: [(await run(signal)) as unknown as JsonObject],
        }),
      },
    };
  }

  const scene = (layer: Layer) => {
    const written: Entry[] = [];
    const log = { append: async (...entries: readonly Entry[]) => void written.push(...entries) };
    return {
      ...compactingScene({}, { layers: [layer], log, compaction: undefined }),
      written,
    };
  };

  test('is waited for, edits with what it found, and is asked once', async () => {
    let asked = 0;
    const layer = layerOf(async () => `It was the lexer (${++asked}).`);
    const { context, events, written } = scene(layer);
    await context.user('Which part fails?');
    const { messages } = await context.request();
    expect(JSON.stringify(messages)).toContain('It was the lexer (1).');
    expect(kindsOf(events)).toEqual(['finder edited found']);
    await context.request();
    expect(asked).toBe(1);
    expect(written.map(({ type }) => type)).toEqual(['head', 'message', 'note', 'edit']);
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('store'))],
    [
      'throws',
      () => {
        throw new Error('store');
      },
    ],
  ])('that %s gives way: the request goes out as it was', async (_, run) => {
    const { context, events } = scene(layerOf(run));
    await context.user('Which part fails?');
    const { messages } = await context.request();
    expect(JSON.stringify(messages)).toContain('Which part fails?');
    expect(kindsOf(events)).toContain('finder failed run-threw');
    expect(context.entries().map(({ type }) => type)).toEqual(['head', 'message']);
  });

  test('that hangs ends with the request, which rejects with the reason of its signal', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const { context } = scene(
      layerOf((signal) => {
        signals.push(signal);
        return new Promise<string>(() => {});
      }),
    );
    await context.user('Which part fails?');
    const before = context.entries();
    const abort = new AbortController();
    const sent = context.request({ signal: abort.signal });
    setTimeout(() => abort.abort('user'), 5);
    await expect(sent).rejects.toBe('user');
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
    expect(context.entries()).toEqual(before);
  });

  test('that finds nothing, however often it is asked, ends after three times', async () => {
    let asked = 0;
    const layer = layerOf(async () => '');
    const planner = {
      ...layer.planner,
      observe: () => {},
      plan: () => ({ kind: 'work', work: 0, reason: 'more' }) as const,
      run: async () => {
        asked++;
        return { notes: [] };
      },
    };
    const { context, events } = scene({ name: 'finder', planner });
    await context.user('Which part fails?');
    await context.request();
    expect(asked).toBe(3);
    expect(kindsOf(events)).toEqual(['finder idle more']);
  });

  test('whose planner cannot run it is told so', async () => {
    const { run: _, ...planner } = layerOf(async () => '').planner;
    const { context, events } = scene({ name: 'finder', planner });
    await context.user('Which part fails?');
    await context.request();
    expect(kindsOf(events)).toEqual(['finder failed plan-threw']);
  });
});
