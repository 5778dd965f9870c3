import {
  anthropicProfile,
  type Block,
  checkHistory,
  createProjection,
  type Entry,
  isThinking,
  type Message,
  type PlanContext,
  type Request,
  type View,
} from '@varve/messages';
import { isSummary } from '@varve/messages/persons';
import { messageHistory } from '@varve/messages/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assignmentOf,
  type Compactor,
  compact,
  createCompaction,
  type Summarize,
} from '../../src/index.ts';
import { HEAD } from '../plan/working-log.ts';

type PartialDirection = NonNullable<Parameters<Compactor['planNow']>[1]['direction']>;

const text = (text: string): Block => ({ type: 'text', text });
const user = (id: string, ...content: Block[]): Message => ({ id, role: 'user', content });
const assistant = (id: string, ...content: Block[]): Message => ({
  id,
  role: 'assistant',
  content,
});

const FILLER = 'A sentence that fills the conversation with words. '.repeat(100);

/** Turns of one question, one call and one answer, every reply with thinking. */
function turns(count: number): Message[] {
  return Array.from({ length: count }, (_, n) => [
    user(`u${n}`, text(`question ${n}`)),
    assistant(
      `c${n}`,
      { type: 'thinking', thinking: 't', signature: 's' },
      { type: 'tool_use', id: `call-${n}`, name: 'read', input: {} },
    ),
    user(`r${n}`, { type: 'tool_result', tool_use_id: `call-${n}`, content: `${n} ${FILLER}` }),
    assistant(`a${n}`, { type: 'thinking', thinking: 't', signature: 's' }, text(`answer ${n}`)),
  ]).flat();
}

function recorder() {
  const requests: Request[] = [];
  const summarize: Summarize = async (request) => {
    requests.push(request);
    return { content: [text('<summary>The part was done.</summary>')], stopReason: 'end_turn' };
  };
  return { requests, summarize };
}

const COMMON = { head: { model: 'claude-opus-5-5' }, thinking: 'free' } as const;

describe('compact around a pivot (C10)', () => {
  test('from: what comes before the pivot is the same objects, what follows is the summary', async () => {
    const history = turns(4);
    const { requests, summarize } = recorder();
    const result = await compact(history, {
      ...COMMON,
      summarize,
      direction: 'from',
      pivot: 8,
    });
    if (result.kind !== 'compacted') throw new Error(result.reason);
    expect(result.messages.slice(0, 8).every((message, index) => message === history[index])).toBe(
      true,
    );
    expect(result.messages).toHaveLength(9);
    expect(isSummary(result.messages[8] as Message)).toBe(true);
    expect(result.receipt).toMatchObject({
      reason: 'partial-from',
      keptMessages: 8,
      kept: { head: 'u0', tail: 'a1', anchor: 'boundary' },
    });
    expect(JSON.stringify(requests[0]?.messages)).not.toContain('question 1');
  });

  test('up-to: what comes from the pivot on is the same objects, behind the summary', async () => {
    const history = turns(4);
    const { requests, summarize } = recorder();
    const result = await compact(history, {
      ...COMMON,
      summarize,
      direction: 'up-to',
      pivot: 8,
    });
    if (result.kind !== 'compacted') throw new Error(result.reason);
    expect(isSummary(result.messages[0] as Message)).toBe(true);
    expect(result.messages.slice(1).every((message, index) => message === history[index + 8])).toBe(
      true,
    );
    expect(result.messages).toHaveLength(9);
    expect(result.receipt).toMatchObject({
      reason: 'partial-up-to',
      keptMessages: 8,
      kept: { head: 'u2', tail: 'a3' },
    });
    expect(JSON.stringify(requests[0]?.messages)).not.toContain('question 2');
  });

  test.each([
    { direction: 'from', pivot: 10, kept: 8 },
    { direction: 'from', pivot: 9, kept: 8 },
    { direction: 'from', pivot: 1_000, kept: 12 },
    { direction: 'from', pivot: 0, kept: 0 },
    { direction: 'up-to', pivot: 10, kept: 7 },
    { direction: 'up-to', pivot: 9, kept: 7 },
  ] as const)(
    '$direction $pivot moves to a legal cut that keeps $kept',
    async ({ direction, pivot, kept }) => {
      const { summarize } = recorder();
      const result = await compact(turns(4), { ...COMMON, summarize, direction, pivot });
      if (result.kind !== 'compacted') throw new Error(result.reason);
      const summaries = result.messages.filter((message) => isSummary(message));
      expect(summaries).toHaveLength(1);
      // a request inside a part that was cut within its turn stays as well
      expect([kept, kept + 1]).toContain(result.messages.length - 1);
      expect(checkHistory(result.messages, anthropicProfile({ thinking: 'free' }))).toEqual([]);
    },
  );

  test.each([
    { name: 'an empty history', history: [], direction: 'from', pivot: 0 },
    { name: 'nothing before the first message', history: turns(2), direction: 'up-to', pivot: 0 },
    {
      name: 'only a request that is not done',
      history: [...turns(2), user('open', text('and now'))],
      direction: 'from',
      pivot: 8,
    },
  ] as const)('$name: the history that was given', async ({ history, direction, pivot }) => {
    const { summarize, requests } = recorder();
    const result = await compact<Message>(history, {
      ...COMMON,
      summarize,
      direction,
      pivot,
    });
    expect(result).toMatchObject({ kind: 'failed', reason: 'nothing-to-compact' });
    expect(result.messages).toBe(history);
    expect(requests).toHaveLength(0);
  });

  test.each([
    { what: 'what stays fills the window alone', windowTokens: 30_000, reason: 'still-too-large' },
    { what: 'what goes is next to nothing', windowTokens: 200_000, reason: 'not-smaller' },
  ] as const)('no model is asked where $what', async ({ windowTokens, reason }) => {
    const history = turns(40);
    for (const [direction, pivot] of [
      ['from', 156],
      ['up-to', 4],
    ] as const) {
      const { summarize, requests } = recorder();
      const result = await compact(history, {
        ...{ ...COMMON, summarize, windowTokens, direction, pivot },
      });
      expect(result).toMatchObject({ kind: 'failed', reason, calls: 0 });
      expect(result.messages).toBe(history);
      expect(requests).toHaveLength(0);
    }
  });

  test('an open request with its picture stays byte for byte, last', async () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'aGk=' },
    };
    const open = user('open', text('do plum-4, dune-9, oak-7'), image);
    const { summarize } = recorder();
    const history = [...turns(3), open];
    const result = await compact(history, {
      ...COMMON,
      summarize,
      direction: 'from',
      pivot: 4,
    });
    expect(result.messages.at(-1)).toBe(open);
  });

  test('a prefix-bound model gets no thinking that was bound to something else', async () => {
    for (const direction of ['from', 'up-to'] as const) {
      const { summarize, requests } = recorder();
      const result = await compact(turns(4), {
        ...COMMON,
        thinking: 'prefix-bound',
        ...{ summarize, direction, pivot: 8 },
      });
      const start = result.messages.findIndex((message) => isSummary(message));
      expect(start).toBeGreaterThanOrEqual(0);
      expect(result.messages.slice(start).some(({ content }) => content.some(isThinking))).toBe(
        false,
      );
      const shown = requests[0]?.messages.flatMap(({ content }) => content) ?? [];
      expect(shown.some(isThinking)).toBe(direction === 'up-to');
    }
  });

  test('without a model the facts of that part alone take its place', async () => {
    const summarize: Summarize = () => Promise.reject(new Error('down'));
    const result = await compact(turns(4), {
      ...COMMON,
      ...{ summarize, direction: 'from', pivot: 8, wait: async () => {} },
    });
    expect(result).toMatchObject({ kind: 'compacted', receipt: { engine: 'ledger' } });
    if (result.kind === 'compacted') {
      expect(result.summary).toContain('question 2');
      expect(result.summary).not.toContain('question 1');
    }
  });

  test('an abort changes nothing, and a pivot that is none is refused', async () => {
    const abort = new AbortController();
    const summarize: Summarize = () => {
      abort.abort();
      return new Promise(() => {});
    };
    const options = {
      ...COMMON,
      summarize,
      direction: 'from',
      pivot: 4,
      signal: abort.signal,
    } as const;
    await expect(compact(turns(3), options)).rejects.toMatchObject({ name: 'AbortError' });
    await expect(compact(turns(3), { ...options, pivot: -1 })).rejects.toThrow(RangeError);
  });
});

describe('laws of compact around a pivot (C10)', () => {
  const directions = fc.constantFrom<PartialDirection>('from', 'up-to');

  test('valid, in order, with the kept side as the same objects', () =>
    fc.assert(
      fc.asyncProperty(
        messageHistory(),
        directions,
        fc.nat(60),
        async (history, direction, pivot) => {
          const before = JSON.stringify(history);
          const { summarize } = recorder();
          const result = await compact(history, {
            ...COMMON,
            summarize,
            direction,
            pivot,
            minSavings: 0,
          });
          expect(JSON.stringify(history)).toBe(before);
          if (result.kind === 'failed') {
            expect(result.messages).toBe(history);
            return;
          }
          const found = checkHistory(history, anthropicProfile({ thinking: 'free' }));
          if (found.length === 0) {
            expect(checkHistory(result.messages, anthropicProfile({ thinking: 'free' }))).toEqual(
              [],
            );
          }
          const places = result.messages
            .map((message) => history.indexOf(message))
            .filter((at) => at >= 0);
          expect(places).toEqual(places.toSorted((left, right) => left - right));
          expect(places.length).toBe(result.messages.length - 1);
        },
      ),
    ));
});

const at = '2026-01-31T12:00:00Z';

const CONTEXT: PlanContext = {
  nowMs: 0,
  atUserTurn: true,
  contextTokens: 20_000,
  limits: { windowTokens: 200_000, effectiveTokens: 180_000, autocompactTokens: 167_000 },
  sizeOf: (message) => Math.ceil(JSON.stringify(message.content).length / 4),
  cache: { warm: true, markers: [] },
  prices: { read: 0.1, write: 1.25, output: 5 },
  thinking: 'free',
};

function logged(messages: readonly Message[]) {
  const projection = createProjection();
  const { summarize } = recorder();
  const compactor = createCompaction({ summarize });
  let view: View = { messages: [], changedFrom: 0 };
  const append = (entry: Entry) => {
    view = projection.append(entry);
    compactor.observe(entry, view);
  };
  append(HEAD);
  for (const message of messages) append({ id: `e-${message.id}`, at, type: 'message', message });
  return { compactor, append, view: () => view, summarize };
}

describe('a compactor around a pivot (C10)', () => {
  test.each([
    { direction: 'from', thinking: 'free' },
    { direction: 'up-to', thinking: 'free' },
    { direction: 'from', thinking: 'prefix-bound' },
    { direction: 'up-to', thinking: 'prefix-bound' },
  ] as const)(
    '$direction on a log ($thinking): one edit, and an undo of it brings everything back',
    async ({ direction, thinking }) => {
      const log = logged(turns(4));
      const before = log.view();
      const now = { trigger: 'manual', direction, pivot: 'u2' } as const;
      const plan = log.compactor.planNow({ ...CONTEXT, thinking }, now);
      if (plan.kind !== 'work') throw new Error(plan.reason);
      const result = await log.compactor.run(plan.work);
      if (result.kind !== 'compacted') throw new Error(result.reason);
      expect(result.receipt.reason).toBe(`partial-${direction}`);
      const { edit, receipt } = result;
      log.append({
        id: 'edit',
        at,
        type: 'edit',
        by: 'compact',
        reason: receipt.reason,
        receipt,
        edit,
      });
      const after = log.view();
      const [from, to] = direction === 'from' ? [0, 8] : [8, 16];
      const bare = (messages: readonly Message[]) =>
        messages.map(({ role, content }) => ({
          role,
          content: content.filter((block) => !isThinking(block)),
        }));
      const kept = after.messages.filter((message) => !isSummary(message));
      expect(bare(kept)).toEqual(bare(before.messages.slice(from, to)));
      if (direction === 'from')
        expect(after.messages.slice(0, 8)).toEqual(before.messages.slice(0, 8));
      expect(checkHistory(after.messages, anthropicProfile({ thinking }))).toEqual([]);
      log.append({
        id: 'undo',
        at,
        type: 'edit',
        by: 'person',
        reason: 'undo',
        edit: { kind: 'undo', entryId: 'edit' },
      });
      expect(log.view().messages).toEqual(before.messages);
    },
  );

  test('a pivot that is not in the view is nothing to compact', async () => {
    const log = logged(turns(2));
    const now = { trigger: 'manual', direction: 'from', pivot: 'nobody' } as const;
    const plan = log.compactor.planNow(CONTEXT, now);
    if (plan.kind !== 'work') throw new Error(plan.reason);
    expect(await log.compactor.run(plan.work)).toMatchObject({ reason: 'nothing-to-compact' });
  });

  test('one option without the other is refused', () => {
    const { compactor } = logged(turns(2));
    const plan = (now: object) => () => compactor.planNow(CONTEXT, { trigger: 'manual', ...now });
    expect(plan({ direction: 'from' })).toThrow('Expected `pivot` to be');
    expect(plan({ pivot: 'u1' })).toThrow('Expected `direction` to be');
    expect(plan({ direction: 'both', pivot: 'u1' })).toThrow("one of 'from', 'up-to'");
  });
});

describe('assignmentOf (C16)', () => {
  const entry = (message: Message): Entry => ({
    id: `e-${message.id}`,
    at,
    type: 'message',
    message,
  });
  test.each([
    { name: 'nothing', messages: [], assignment: undefined },
    { name: 'the first user message', messages: turns(2), assignment: 'question 0' },
    {
      name: 'case 136: the task, not what was injected before it',
      messages: [
        { ...user('x', text('reminder')), origin: { kind: 'reminder' as const } },
        user('y', text('Reply as JSON {k}.')),
      ],
      assignment: 'Reply as JSON {k}.',
    },
  ])('$name', ({ messages, assignment }) => {
    expect(assignmentOf(messages.map(entry))).toBe(assignment);
  });

  test('case 136: two compactions of a child leave its task and the form of its answer, and the child running', async () => {
    const TASK = 'Count the readers of the config. Reply as JSON {k}.';
    const entries: Entry[] = [];
    const compactor = createCompaction({
      summarize: async () => ({ content: [text('ok')], stopReason: 'end_turn' }),
      pins: () => [assignmentOf(entries) ?? ''],
    });
    const projection = createProjection();
    let view: View = { messages: [], changedFrom: 0 };
    const append = (added: Entry) => {
      view = projection.append(added);
      entries.push(added);
      compactor.observe(added, view);
    };
    append(HEAD);
    append(entry(user('task', text(TASK))));
    for (const round of ['first', 'second']) {
      for (const message of turns(4)) append(entry({ ...message, id: `${round}-${message.id}` }));
      const plan = compactor.planNow({ ...CONTEXT, thinking: 'free' }, { trigger: 'auto' });
      const result = plan.kind === 'work' ? await compactor.run(plan.work) : undefined;
      if (result?.kind !== 'compacted') throw new Error('nothing was compacted');
      const { edit, receipt } = result;
      append({ id: round, at, type: 'edit', by: 'compact', reason: receipt.reason, receipt, edit });
      expect(JSON.stringify(view.messages)).toContain(TASK);
    }
    append(entry(user('more', text('go on'))));
    append(entry(assistant('answer', text('{"k":2}'))));
    expect(view.messages.at(-1)?.content).toEqual([text('{"k":2}')]);
    expect(checkHistory(view.messages, anthropicProfile({ thinking: 'free' }))).toEqual([]);
  });

  test('case 136: where a child cannot be compacted, its history and the last useful text stay', async () => {
    const history = [...turns(2), user('next', text('and the rest'))];
    const result = await compact<Message>(history, {
      ...COMMON,
      ...{ direction: 'up-to', pivot: 8, fallback: 'none', wait: async () => {} },
      summarize: () => Promise.reject(new Error('broken')),
    });
    expect(result).toMatchObject({ kind: 'failed', reason: 'model-failed' });
    expect(result.messages).toBe(history);
  });
});
