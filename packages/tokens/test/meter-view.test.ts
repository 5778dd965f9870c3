import { createProjection, type Entry, type Message, type View } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import { createRequestStamp } from '@varve/messages/stamps';
import { validLog } from '@varve/messages/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEstimator, type Estimator } from '../src/index.ts';
import { crudeMeter, meteredLog, usage, words } from './meter-build.ts';

const crudeEstimator = createEstimator({ family: 'crude' });

describe('observe (T1)', () => {
  test('counts the usage of each reply as it is appended', () => {
    const log = meteredLog();
    log.say('u1', 100);
    expect(log.meter.size()).toMatchObject({ tokens: 100, anchored: false });
    expect(log.reply('a1', usage(20_000, 50))).toEqual({ kind: 'anchored' });
    log.say('u2', 300);
    expect(log.meter.size()).toMatchObject({ tokens: 20_350, anchored: true });
    log.reply('a2', usage(20_360, 40));
    expect(log.meter.size()).toMatchObject({ tokens: 20_400, anchored: true });
  });

  test('counts an open round: the reply, results so far, and what waits behind them', () => {
    const log = meteredLog();
    log.say('u1', 100);
    const content = ['t1', 't2'].map((id) => ({ type: 'tool_use', id, name: 'read', input: {} }));
    log.reply('a1', usage(20_000, 50), { content });
    expect(log.meter.size()).toMatchObject({ tokens: 20_050, anchored: true });
    log.result('u2', 't1', 1_000);
    log.say('u3', 10);
    expect(log.meter.size()).toMatchObject({ tokens: 21_060, anchored: true });
    log.result('u4', 't2', 2_000);
    expect(log.view().open).toBeUndefined();
    expect(log.meter.size()).toMatchObject({ tokens: 23_060, anchored: true });
  });

  test('the first request after a compaction is unanchored, kept replies or not', () => {
    const log = meteredLog();
    log.say('u1', 50_000);
    log.reply('a1', usage(70_000, 100));
    log.say('u2', 1_000);
    log.reply('a2', usage(71_100, 100));
    const summary: Message = {
      id: 's1',
      role: 'user',
      content: [{ type: 'text', text: words(500) }],
    };
    log.edit({ kind: 'replace-span', fromId: 'u1', toId: 'a1', with: [summary], then: [] });
    // 20,000 beside the messages + 500 + 1,000 + 100
    expect(log.meter.size()).toMatchObject({
      tokens: 21_600,
      anchored: false,
      basis: 'learned-constant',
    });
    log.say('u3', 100);
    log.reply('a3', usage(26_000, 10));
    expect(log.meter.size()).toMatchObject({ tokens: 26_010, anchored: true });
  });

  test('undoing the edit brings the bill back', () => {
    const log = meteredLog();
    log.say('u1', 50_000);
    log.reply('a1', usage(70_000, 100));
    const block = { type: 'text', text: words(10) };
    log.edit({ kind: 'replace-content', blocks: [{ messageId: 'u1', index: 0, block }] });
    expect(log.meter.size().anchored).toBe(false);
    log.edit({ kind: 'undo', entryId: log.lastEntryId() });
    expect(log.meter.size()).toMatchObject({ tokens: 70_100, anchored: true });
  });

  test('a reply to a request that an edit overtook does not count', () => {
    const log = meteredLog();
    log.say('u1', 50_000);
    const request = log.stamp();
    const block = { type: 'text', text: words(10) };
    log.edit({ kind: 'replace-content', blocks: [{ messageId: 'u1', index: 0, block }] });
    const response = {
      id: 'r',
      model: 'm',
      stopReason: 'end_turn' as const,
      usage: usage(70_000, 5),
      request,
    };
    expect(log.reply('a1', usage(0, 5), { response })).toBeUndefined();
    expect(log.meter.size()).toMatchObject({ tokens: 15, anchored: false });
  });

  test('a message that slipped in between a request and its reply is estimated', () => {
    const log = meteredLog();
    log.say('u1', 100);
    const request = log.stamp();
    log.say('u2', 700);
    const response = {
      id: 'r',
      model: 'm',
      stopReason: 'end_turn' as const,
      usage: usage(20_000, 30),
      request,
    };
    log.reply('a1', usage(0, 30), { response });
    expect(log.meter.size()).toMatchObject({
      tokens: 20_730,
      anchored: true,
      estimatedTokens: 730,
    });
  });

  test('another head leaves no bill, the same head under another id leaves all', () => {
    const log = meteredLog();
    log.say('u1', 100);
    log.reply('a1', usage(20_000, 50));
    log.head({ id: 'h2' });
    expect(log.meter.size()).toMatchObject({ tokens: 20_050, anchored: true });
    log.head({ id: 'h3', system: [{ type: 'text', text: words(70) }] });
    expect(log.meter.size()).toMatchObject({ tokens: 20_120, anchored: false });
  });

  test('another model has learnings and a window of its own', () => {
    const log = meteredLog();
    for (const [turn, prompt] of [20_000, 21_600, 23_200, 24_800].entries()) {
      log.say(`u${turn}`, 1_000);
      log.reply(`a${turn}`, usage(prompt, 100));
    }
    expect(log.meter.factors().text).toBeGreaterThan(1.3);
    log.head({ id: 'h2', model: 'claude-haiku-4-5' });
    expect(log.meter.factors().text).toBe(1);
    expect(log.meter.size().anchored).toBe(false);
    log.say('u9', 1);
    expect(log.reply('a9', usage(250_000, 1))).toMatchObject({ reason: 'implausible' });
    log.head({ id: 'h3' });
    expect(log.meter.factors().text).toBeGreaterThan(1.3);
  });

  test('notes and server edits change nothing', () => {
    const log = meteredLog();
    log.say('u1', 100);
    log.reply('a1', usage(20_000, 50));
    const before = log.meter.size();
    log.edit({ kind: 'server', params: { edits: [] } });
    expect(log.meter.size()).toEqual(before);
  });
});

/** Tokens beside the messages that no message shows. */
const HIDDEN = 5_000;
/** What the meter expects of a reply that hides its thinking before it knows better. */
const HIDDEN_THINKING = 300;

describe('laws of observe (T1)', () => {
  test('fed entry by entry it is what it is when fed the last view alone', () => {
    fc.assert(
      fc.property(validLog(), (log) => {
        const entries = log.map(withoutBill);
        const stepwise = crudeMeter();
        const projection = createProjection();
        let view: View | undefined;
        for (const entry of entries) {
          view = projection.append(entry);
          stepwise.observe(entry, view);
        }
        if (view === undefined) return;
        const atOnce = crudeMeter();
        atOnce.observe(note, { ...view, changedFrom: 0 });
        expect(stepwise.size().tokens).toBe(atOnce.size().tokens);
      }),
    );
  });

  test('where bills are what it estimates, it knows every next size exactly, whatever was edited', () => {
    fc.assert(
      fc.property(validLog(), (log) => {
        const entries = log.map(withoutBill);
        const meter = crudeMeter({ windowTokens: Number.POSITIVE_INFINITY });
        const projection = createProjection();
        let view: View = { messages: [], changedFrom: 0 };
        let billed = false;
        for (const entry of entries) {
          const sent = asBilled(entry, view);
          view = projection.append(sent);
          meter.observe(sent, view);
          billed ||= usageOf(sent) !== undefined;
          if (billed) expect(Math.abs(meter.size().tokens - trueSize(view))).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test('an appended message costs one look at it, however long the log is', () => {
    const { estimator, looks } = counted(crudeEstimator);
    const log = meteredLog({ estimator });
    const perTurn = (turn: number) => {
      const before = looks();
      log.say(`u${turn}`, 10);
      log.reply(`a${turn}`, usage(20_000 + turn * 20, 5));
      log.meter.size();
      return looks() - before;
    };
    const turns = Array.from({ length: 400 }, (_, turn) => perTurn(turn));
    expect(new Set(turns)).toEqual(new Set([2]));
  });
});

const note: Entry = {
  id: 'n',
  at: '2026-11-28T00:00:00.000Z',
  type: 'note',
  by: 'test',
  data: null,
};

function usageOf(entry: Entry) {
  return entry.type === 'message' ? entry.message.response?.usage : undefined;
}

/** Bills of a provider that the generator knows nothing of, and that would contradict ours. */
function withoutBill(entry: Entry): Entry {
  if (entry.type === 'message') return { ...entry, message: unbilled(entry.message) };
  if (entry.type !== 'edit' || entry.edit.kind !== 'replace-span') return entry;
  const { edit } = entry;
  return {
    ...entry,
    edit: { ...edit, with: edit.with.map(unbilled), then: edit.then.map(unbilled) },
  };
}

function unbilled({ response: _, ...message }: Message): Message {
  return message;
}

/** The entry as a provider that bills by the crude rule would have it: replies carry usage and stamp. */
function asBilled(entry: Entry, view: View): Entry {
  if (entry.type === 'head') return { ...entry, head: { ...entry.head, model: 'claude-opus-5' } };
  if (entry.type !== 'message' || entry.message.role !== 'assistant') return entry;
  const output = weightOf(entry.message);
  const response = {
    id: `r-${entry.message.id}`,
    model: 'claude-opus-5',
    stopReason: 'end_turn' as const,
    usage: { input_tokens: trueSize(view), output_tokens: output },
    ...(view.head ? { request: createRequestStamp(view, 0) } : {}),
  };
  return { ...entry, message: { ...entry.message, response } };
}

function trueSize({ head, messages, open }: View): number {
  const round = open && [open.assistant, { role: 'user', content: open.results }, ...open.queued];
  const all = [...messages, ...(round ?? [])];
  const front = HIDDEN + (head ? crudeEstimator.head(head) : 0);
  return all.reduce((sum, message) => sum + weightOf(message), front);
}

function weightOf(message: MessageLike): number {
  const { role, content } = message;
  const hides = (block: { type: string; thinking?: unknown }) =>
    block.type === 'redacted_thinking' || (block.type === 'thinking' && !block.thinking);
  const hidden = role === 'assistant' && typeof content !== 'string' && content.some(hides);
  return crudeEstimator.message(message) + (hidden ? HIDDEN_THINKING : 0);
}

function counted(inner: Estimator): { estimator: Estimator; looks: () => number } {
  let looks = 0;
  const classes: Estimator['classes'] = (message) => {
    looks++;
    return inner.classes(message);
  };
  return { estimator: { ...inner, classes }, looks: () => looks };
}
