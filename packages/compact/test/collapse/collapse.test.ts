import { anthropicProfile, checkHistory, type Request } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { createCollapse, type SummaryReply } from '../../src/index.ts';
import { act, contextOf, HEAD, message, type Started, says, start, text, turn } from './support.ts';

function session(options: Parameters<typeof start>[0] = {}, thinks = false): Started {
  const log = start(options);
  log.add({ type: 'head', head: HEAD });
  turn(log, 't1', 4, thinks);
  turn(log, 't2', 4, thinks);
  turn(log, 't3', 1, thinks);
  return log;
}

const userTexts = (log: Started) =>
  log
    .view()
    .messages.filter(({ id }) => id.endsWith('-u'))
    .map(({ id }) => id);

describe('createCollapse (C12)', () => {
  test.each([
    { tokens: 0, kind: 'none', reason: 'below-threshold' },
    { tokens: 87, kind: 'none', reason: 'below-threshold' },
    { tokens: 88, kind: 'work', reason: 'stage-spans', blocking: false },
    { tokens: 92, kind: 'work', reason: 'stage-spans', blocking: false },
    { tokens: 93, kind: 'work', reason: 'stage-spans', blocking: true },
    { tokens: 95, kind: 'work', reason: 'stage-spans', blocking: true },
    { tokens: 300, kind: 'work', reason: 'stage-spans', blocking: true },
  ])('at $tokens of 100 tokens: $kind, $reason', ({ tokens, kind, reason, blocking }) => {
    const plan = session().collapse.plan(contextOf(tokens));
    expect(plan).toMatchObject({ kind, reason });
    if (plan.kind === 'work') expect(plan.work.blocking).toBe(blocking);
  });

  test('an empty log has nothing to fold, and a thread that is not the main one is left alone', () => {
    expect(start().collapse.plan(contextOf(99))).toMatchObject({ kind: 'none', reason: 'no-head' });
    const { collapse } = session({ isMainThread: false });
    expect(collapse.plan(contextOf(99))).toMatchObject({ reason: 'not-main-thread' });
  });

  test('what is staged waits below the second threshold and is committed at it', async () => {
    const log = session();
    const before = log.view();
    await act(log, log.collapse.plan(contextOf(90)));
    expect(log.view().messages).toEqual(before.messages);
    const plan = log.collapse.plan(contextOf(95));
    expect(plan).toMatchObject({ kind: 'edit', reason: 'commit-staged' });
    await act(log, plan);
    expect(log.view().messages.length).toBeLessThan(before.messages.length);
    expect(userTexts(log)).toEqual(['t1-u', 't2-u', 't3-u']);
    expect(
      log.view().messages.filter(({ origin }) => origin?.kind === 'summary').length,
    ).toBeGreaterThan(0);
  });

  test.each([
    { autocompactTokens: 99, stage: 90, commit: 95 },
    { autocompactTokens: 95, stage: 90, commit: 95 },
    { autocompactTokens: 93, stage: 88, commit: 93 },
    { autocompactTokens: 40, stage: 35, commit: 40 },
    { autocompactTokens: 3, stage: 0, commit: 3 },
    { autocompactTokens: 0, stage: 0, commit: 0 },
  ])(
    'where a window compacts at $autocompactTokens of 100: stages at $stage, commits at $commit',
    (row) => {
      const { autocompactTokens, stage, commit } = row;
      const limits = { windowTokens: 120, effectiveTokens: 100, autocompactTokens };
      const log = session({ spanTokens: 20 });
      const blocking = (tokens: number) => {
        const plan = log.collapse.plan(contextOf(tokens, { limits }));
        return plan.kind === 'work' ? plan.work.blocking : plan.reason;
      };
      if (stage > 0) expect(blocking(stage - 1)).toBe('below-threshold');
      if (stage < commit) expect(blocking(commit - 1)).not.toBe(true);
      if (autocompactTokens >= 40) expect(blocking(stage)).toBe(false);
      if (autocompactTokens >= 40) expect(blocking(commit)).toBe(true);
    },
  );

  test('what is staged counts: more is staged only for what has come since', async () => {
    let calls = 0;
    const summarize = async () => {
      calls++;
      return says('Results were read: folded.');
    };
    const log = start({ summarize, spanTokens: 20, keepTokens: 10, targetAt: 0.7 });
    log.add({ type: 'head', head: HEAD });
    turn(log, 't1', 20);
    const limits = { windowTokens: 120, effectiveTokens: 100, autocompactTokens: 95 };
    const at = (tokens: number) => contextOf(tokens, { limits });
    for (let request = 0; request < 5; request++) await act(log, log.collapse.plan(at(90)));
    expect(calls).toBe(1);
    expect(log.collapse.plan(at(90))).toMatchObject({ reason: 'enough-staged' });
    await act(log, log.collapse.plan(at(92)));
    expect(calls).toBe(2);
  });

  test('the request for a span is marked at its head only: nobody reads the span again', async () => {
    const asked: Request[] = [];
    const log = session({
      mark: (request) => ({
        ...request,
        markers: [{ at: 'system' }, { at: 'message', messageIndex: 1, blockIndex: 0 }],
      }),
      summarize: async (request) => {
        asked.push(request);
        return says('Results were read: folded.');
      },
    });
    await act(log, log.collapse.plan(contextOf(90)));
    expect(asked.map(({ markers }) => markers)).toContainEqual([{ at: 'system' }]);
    expect(asked.flatMap(({ markers }) => markers).every(({ at }) => at === 'system')).toBe(true);
  });

  test('overflow recovery commits what is staged, whatever the size', async () => {
    const log = session();
    expect(log.collapse.recover(contextOf(0))).toMatchObject({ reason: 'nothing-staged' });
    await act(log, log.collapse.plan(contextOf(90)));
    const plan = log.collapse.recover(contextOf(0));
    expect(plan).toMatchObject({ kind: 'edit', reason: 'overflow' });
  });

  test('while spans are written they are not asked for again, and a full window waits for them', async () => {
    let answer: (reply: SummaryReply) => void = () => {};
    const log = session({
      spanTokens: 1_000,
      summarize: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const plan = log.collapse.plan(contextOf(90));
    const background = act(log, plan);
    expect(log.collapse.plan(contextOf(90))).toMatchObject({ reason: 'being-staged' });
    const waiting = log.collapse.plan(contextOf(95));
    expect(waiting).toMatchObject({ kind: 'work', reason: 'wait-for-staged', work: { spans: [] } });
    const done = act(log, waiting).then(() => log.collapse.plan(contextOf(95)));
    answer(says('Results were read: folded.'));
    expect(await done).toMatchObject({ kind: 'edit' });
    await background;
  });

  test.each(['ok', 'throw', 'abort'])(
    'case 31: messages that come meanwhile stay once and in order (%s)',
    async (ending) => {
      const abort = new AbortController();
      const log = session({
        spanTokens: 1_000,
        summarize: async () => {
          log.add(message('u-1', 'user', text('one')));
          log.add(message('u-2', 'user', text('two')));
          if (ending === 'throw') throw new Error('broken');
          if (ending === 'abort') abort.abort('enough');
          return says('Results were read: folded.');
        },
      });
      const plan = log.collapse.plan(contextOf(95));
      if (plan.kind !== 'work') throw new Error('there is work');
      const run = log.collapse.run(plan.work, { signal: abort.signal });
      if (ending === 'abort') await expect(run).rejects.toBe('enough');
      else {
        for (const data of (await run).notes) log.add({ type: 'note', by: 'collapse', data });
        await act(log, log.collapse.recover(contextOf(95)));
      }
      const ids = log.view().messages.map(({ id }) => id);
      expect(ids.slice(-2)).toEqual(['u-1', 'u-2']);
      expect(ids.filter((id) => id.startsWith('u-'))).toHaveLength(2);
    },
  );

  const refused: readonly [string, () => Promise<SummaryReply>][] = [
    ['throws', () => Promise.reject(new Error('broken'))],
    ['is empty', async () => says('  ')],
    ['is cut', async () => ({ ...says('x'), stopReason: 'max_tokens' })],
    ['calls a tool', async () => ({ content: [{ type: 'tool_use' }], stopReason: 'tool_use' })],
    ['is longer than the span', async () => says('word '.repeat(1_000))],
  ];
  test.each(refused)(
    'a summary that %s is tried twice and then never again',
    async (_, summarize) => {
      let calls = 0;
      const log = session({
        spanTokens: 1_000,
        summarize: () => {
          calls++;
          return summarize();
        },
      });
      const before = JSON.stringify(log.view().messages);
      for (let step = 0; step < 20; step++) await act(log, log.collapse.plan(contextOf(96)));
      expect(log.collapse.plan(contextOf(96))).toMatchObject({ reason: 'nothing-to-fold' });
      expect(calls).toBeLessThanOrEqual(8);
      expect(JSON.stringify(log.view().messages)).toBe(before);
    },
  );

  test('case 30: a process that died while a span was written leaves nothing that runs for ever', async () => {
    const log = session({ summarize: () => new Promise(() => {}) });
    const plan = log.collapse.plan(contextOf(90));
    if (plan.kind === 'work') void log.collapse.run(plan.work);
    const reloaded = start();
    for (const entry of log.entries) reloaded.append(entry);
    expect(reloaded.collapse.plan(contextOf(90))).toMatchObject({
      kind: 'work',
      reason: 'stage-spans',
    });
  });

  test('summaries are folded again with what follows them', async () => {
    const log = start();
    log.add({ type: 'head', head: HEAD });
    turn(log, 't1', 20);
    turn(log, 't2', 1);
    const sizes: number[] = [];
    for (let step = 0; step < 12; step++) {
      await act(log, log.collapse.plan(contextOf(1_000)));
      sizes.push(log.view().messages.length);
    }
    expect(sizes.at(-1)).toBeLessThan(sizes[1] as number);
    expect(userTexts(log)).toEqual(['t1-u', 't2-u']);
    expect(log.collapse.plan(contextOf(1_000))).toMatchObject({ reason: 'nothing-to-fold' });
  });

  test('what was expanded is not folded again', async () => {
    const log = session({ spanTokens: 1_000 });
    await act(log, log.collapse.plan(contextOf(95)));
    await act(log, log.collapse.plan(contextOf(95)));
    const folds = log.entries.filter(({ type }) => type === 'edit');
    expect(folds.length).toBeGreaterThan(0);
    for (const { id } of folds) {
      const undo = log.collapse.expand(id);
      if (undo) log.add({ type: 'edit', by: 'person', reason: 'expand', edit: undo });
    }
    const before = JSON.stringify(log.view().messages);
    for (let step = 0; step < 6; step++) {
      const plan = log.collapse.plan(contextOf(95));
      const spans = plan.kind === 'work' ? plan.work.spans : [];
      expect(spans.flatMap(({ messages }) => messages.map(({ id }) => id))).not.toContain(
        't1-c0-a',
      );
      await act(log, plan);
    }
    expect(JSON.stringify(log.view().messages.slice(0, 8))).toBe(
      JSON.stringify(JSON.parse(before).slice(0, 8)),
    );
  });

  test('a full compaction makes staged spans void', async () => {
    const log = session();
    await act(log, log.collapse.plan(contextOf(90)));
    const { messages } = log.view();
    log.add({
      type: 'edit',
      by: 'compact',
      reason: 'test',
      edit: {
        kind: 'replace-span',
        fromId: messages[0]?.sources[0] as string,
        toId: messages.at(-1)?.sources.at(-1) as string,
        with: [{ id: 's', role: 'user', content: [text('summary')], origin: { kind: 'summary' } }],
        then: [],
      },
    });
    expect(log.collapse.recover(contextOf(99))).toMatchObject({ reason: 'nothing-staged' });
    expect(log.collapse.frontier()).toBeUndefined();
  });

  test('words that stand beside a result stay', async () => {
    const log = start();
    log.add({ type: 'head', head: HEAD });
    log.add(message('u', 'user', text('go')));
    for (const id of ['a', 'b', 'c', 'd']) {
      log.add(message(`${id}-a`, 'assistant', { type: 'tool_use', id, name: 'read', input: {} }));
      const beside = id === 'b' ? [text('never touch prod')] : [];
      log.add(
        message(
          `${id}-r`,
          'user',
          { type: 'tool_result', tool_use_id: id, content: id },
          ...beside,
        ),
      );
    }
    log.add(message('z', 'assistant', text('done')));
    for (let step = 0; step < 6; step++) await act(log, log.collapse.plan(contextOf(99)));
    expect(JSON.stringify(log.view().messages)).toContain('never touch prod');
    expect(log.view().messages.some(({ origin }) => origin?.kind === 'summary')).toBe(true);
  });

  test.each(['prefix-bound', 'latest-turn'] as const)(
    '%s: waits inside a tool loop, and goes at a user turn',
    async (thinking) => {
      const log = session({}, true);
      log.add(message('u9', 'user', text('more')));
      log.add(
        message(
          'a9',
          'assistant',
          { type: 'thinking', thinking: 't', signature: 's' },
          { type: 'tool_use', id: 'c9', name: 'read', input: {} },
        ),
      );
      log.add(message('r9', 'user', { type: 'tool_result', tool_use_id: 'c9', content: 'x' }));
      await act(log, log.collapse.plan(contextOf(90, { thinking })));
      const inLoop = log.collapse.plan(contextOf(99, { thinking, atUserTurn: false }));
      if (thinking === 'prefix-bound')
        expect(inLoop).toMatchObject({ kind: 'none', reason: 'thinking-bound' });
      else expect(inLoop).toMatchObject({ kind: 'edit' });
      const plan = log.collapse.plan(contextOf(99, { thinking, atUserTurn: true }));
      await act(log, plan);
      const { messages } = log.view();
      const folded = messages.findIndex(({ origin }) => origin?.kind === 'summary');
      const later = messages.slice(folded).flatMap(({ content }) => content);
      const expected = thinking === 'prefix-bound' ? 0 : 2;
      expect(later.filter(({ type }) => type === 'thinking').length).toBeGreaterThanOrEqual(
        expected,
      );
      if (thinking === 'prefix-bound')
        expect(later.some(({ type }) => type === 'thinking')).toBe(false);
      expect(checkHistory(messages, anthropicProfile({ thinking }))).toEqual([]);
    },
  );

  describe('M331: only thinking that is there holds spans back; machine text ends no turn', () => {
    /** A question that is answered, then a turn of eight rounds that goes on. */
    function openTurn({ closedThinks = false, openThinks = false }): Started {
      const log = start();
      const thought = (thinks: boolean) =>
        thinks ? [{ type: 'thinking', thinking: 't', signature: 's' } as const] : [];
      log.add({ type: 'head', head: HEAD });
      log.add(message('u0', 'user', text('which?')));
      log.add(message('a0', 'assistant', ...thought(closedThinks), text('This one.')));
      log.add(message('u1', 'user', text('do it')));
      for (let round = 0; round < 8; round++) {
        const id = `c${round}`;
        const use = { type: 'tool_use', id, name: 'read', input: {} } as const;
        log.add(message(`${id}-a`, 'assistant', ...thought(openThinks), use));
        const result = { type: 'tool_result', tool_use_id: id, content: id } as const;
        log.add(message(`${id}-r`, 'user', result));
      }
      return log;
    }
    const isThought = ({ type }: { readonly type: string }) => type === 'thinking';
    const thoughts = (log: Started) =>
      log.view().messages.flatMap(({ content }) => content.filter(isThought));

    test.each(['free', 'latest-turn', 'prefix-bound'] as const)(
      '%s: a long turn without thinking is folded while it is open',
      async (thinking) => {
        const log = openTurn({});
        const context = contextOf(99, { thinking, atUserTurn: false });
        await act(log, log.collapse.plan(context));
        expect(log.collapse.plan(context)).toMatchObject({ kind: 'edit' });
      },
    );

    test('prefix-bound: thinking of closed turns in front of a fold stays, and goes behind one', async () => {
      const log = openTurn({ closedThinks: true });
      const context = contextOf(99, { thinking: 'prefix-bound', atUserTurn: false });
      await act(log, log.collapse.plan(context));
      await act(log, log.collapse.plan(context));
      expect(log.view().messages.some(({ origin }) => origin?.kind === 'summary')).toBe(true);
      expect(thoughts(log)).toHaveLength(1);
    });

    test('prefix-bound: inside a tool loop thinking of closed turns goes with what it is bound to', async () => {
      const log = start();
      log.add({ type: 'head', head: HEAD });
      turn(log, 't1', 4);
      const later = openTurn({ closedThinks: true });
      for (const entry of later.entries) {
        if (entry.type === 'message') log.add({ type: 'message', message: entry.message });
      }
      const context = contextOf(99, { thinking: 'prefix-bound', atUserTurn: false });
      await act(log, log.collapse.plan(context));
      const plan = log.collapse.plan(context);
      expect(plan).toMatchObject({ kind: 'edit' });
      await act(log, plan);
      expect(thoughts(log)).toEqual([]);
      expect(
        checkHistory(log.view().messages, anthropicProfile({ thinking: 'prefix-bound' })),
      ).toEqual([]);
    });

    test.each(['latest-turn', 'prefix-bound'] as const)(
      '%s: an open turn that thought stays, also behind a reminder inside of it',
      async (thinking) => {
        const log = openTurn({ openThinks: true });
        const reminder = message('m9', 'user', text('<system-reminder>3 todos</system-reminder>'));
        log.add(reminder);
        const before = thoughts(log);
        const context = contextOf(99, { thinking, atUserTurn: false });
        for (let step = 0; step < 4; step++) await act(log, log.collapse.plan(context));
        expect(thoughts(log)).toEqual(before);
      },
    );
  });

  test('refuses shares that are not in order', () => {
    const options = { summarize: async () => says('x'), sizeOfText: () => 1 };
    expect(() => createCollapse({ ...options, stageAt: 0.99 })).toThrow(RangeError);
    expect(() => createCollapse({ ...options, targetAt: Number.NaN })).toThrow(RangeError);
  });
});
