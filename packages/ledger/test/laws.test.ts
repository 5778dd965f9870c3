import { createProjection, type Edit, type Entry, type Message, type View } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLedger, type Ledger, renderLedger } from '../src/index.ts';
import { session } from './random-session.ts';
import { says, sizeOf } from './session.ts';

const entryOf = (message: Message): Entry => ({
  id: `e-${message.id}`,
  at: '2026-01-01T00:00:00.000Z',
  type: 'message',
  message,
});

const NO_VIEW: View = { messages: [], changedFrom: 0 };
/** One that a log takes. */
const plainSession = session(fc.jsonValue());

function fed(messages: readonly Message[]): Ledger {
  const ledger = createLedger();
  for (const message of messages) ledger.add(message);
  return ledger;
}

const stateOf = (ledger: Ledger) =>
  JSON.stringify([ledger.facts(), ledger.superseded(), ledger.words()]);
const render = (ledger: Ledger, budgetTokens: number, have = '') =>
  renderLedger(ledger, { budgetTokens, have, sizeOf });

describe('createLedger (C17)', () => {
  test('knows the same whether it was asked on the way or not, and whether fed with messages or a log', () => {
    fc.assert(
      fc.property(session(), (messages) => {
        const asked = createLedger();
        for (const message of messages) {
          asked.observe(entryOf(message), NO_VIEW);
          render(asked, 50);
        }
        expect(stateOf(asked)).toBe(stateOf(fed(messages)));
      }),
    );
  });

  test('takes no word of a tool result or a summary for the words of the person', () => {
    fc.assert(
      fc.property(session(), (messages) => {
        const ledger = fed(messages);
        const mine = ledger
          .facts()
          .filter(({ type }) => ['user-message', 'rule', 'todo', 'choice'].includes(type));
        expect(JSON.stringify(mine)).not.toMatch(/moonstone|paint it/);
        const said = new Set(
          messages
            .filter(({ role, origin }) => role === 'user' && !origin)
            .flatMap(({ content }) => content.map(({ text }) => text)),
        );
        for (const words of ledger.words()) expect(said).toContain(words);
      }),
    );
  });

  test('never holds a value as current that it knows as superseded', () => {
    let seen = 0;
    fc.assert(
      fc.property(session(), (messages) => {
        const ledger = fed(messages);
        for (const { type, key, value, current } of ledger.superseded()) {
          seen++;
          const now = ledger.facts().find((fact) => fact.type === type && fact.key === key);
          expect(now?.value).toBe(current);
          expect(now?.value).not.toBe(value);
        }
      }),
    );
    expect(seen).toBeGreaterThan(0);
  });

  test('forgets what a rewind took back, through a compaction too, and knows it again when that is undone', () => {
    let rewinds = 0;
    fc.assert(
      fc.property(
        plainSession,
        fc.nat(),
        fc.nat(),
        fc.boolean(),
        (messages, one, other, compacts) => {
          fc.pre(messages.length > 0);
          const starts = messages.flatMap((_, index) =>
            messages[index - 1]?.role === 'assistant' ? [] : index,
          );
          const [from, last] = [one, other]
            .map((at) => starts[at % starts.length] as number)
            .toSorted((left, right) => left - right) as [number, number];
          const span = messages.slice(
            from,
            messages[last]?.role === 'assistant' ? last + 2 : last + 1,
          );
          const left = messages.filter((message) => !span.includes(message));
          const hello = says('hello');
          const summary = says('what was done', { kind: 'summary' });
          const [first, end] = [span.at(0) as Message, span.at(-1) as Message];
          const ledger = createLedger();
          const log = createProjection();
          const append = (entry: Entry) => ledger.observe(entry, log.append(entry));
          for (const message of [hello, ...messages]) append(entryOf(message));
          if (compacts) append(edit('s', 'compact', { ...spanOf(first, end), with: [summary] }));
          expect(stateOf(ledger)).toBe(stateOf(fed([hello, ...messages])));
          append(edit('r', 'rewind', compacts ? spanOf(summary, summary) : spanOf(first, end)));
          expect(stateOf(ledger)).toBe(stateOf(fed([hello, ...left])));
          append(edit('u', 'user', { kind: 'undo', entryId: 'r' }));
          expect(stateOf(ledger)).toBe(stateOf(fed([hello, ...messages])));
          append(edit('v', 'user', { kind: 'undo', entryId: 'u' }));
          expect(stateOf(ledger)).toBe(stateOf(fed([hello, ...left])));
          rewinds++;
        },
      ),
    );
    expect(rewinds).toBeGreaterThan(0);
  });

  test('reads every message once, whatever came before', () => {
    fc.assert(
      fc.property(session(), (messages) => {
        const reads = new Map<string, number>();
        const ledger = createLedger();
        for (const message of messages.map((one) => counted(one, reads))) ledger.add(message);
        const after = new Map(reads);
        ledger.facts();
        ledger.superseded();
        render(ledger, 100);
        expect(reads).toEqual(after);
        // at the door: is it foreign by its blocks, or by its role, and its shape; then once each for secrets, the words of the
        // person, approvals, calls and results, and injected texts
        for (const message of messages) expect(reads.get(message.id)).toBeLessThanOrEqual(8);
      }),
    );
  });
});

describe('renderLedger (C17)', () => {
  test('writes the same bytes for the same log', () => {
    fc.assert(
      fc.property(session(), fc.nat(800), (messages, budget) => {
        expect(render(fed(messages), budget)).toEqual(
          render(fed(structuredClone(messages)), budget),
        );
      }),
    );
  });

  test('stays within its budget, and holds what it says it kept; rules go last', () => {
    fc.assert(
      fc.property(session(), fc.nat(800), (messages, budget) => {
        const ledger = fed(messages);
        const { text, tokens, kept, dropped } = render(ledger, budget);
        expect(tokens).toBe(sizeOf(text));
        expect(tokens).toBeLessThanOrEqual(budget);
        const told = new Set([...kept, ...dropped]);
        expect(told.size).toBe(kept.length + dropped.length);
        const others = ledger.facts().filter((fact) => !told.has(fact));
        for (const { type } of others) expect(['command', 'error', 'literal']).toContain(type);
        for (const { type, value } of kept) {
          if (type === 'rule' || type === 'user-message') expect(text).toContain(value);
        }
        if (budget >= 300) expect(dropped.map(({ type }) => type)).not.toContain('rule');
      }),
    );
  });

  test('has nothing to add to what it rendered whole', () => {
    fc.assert(
      fc.property(session(), (messages) => {
        const ledger = fed(messages);
        const { text, dropped } = render(ledger, 100_000);
        expect(dropped).toEqual([]);
        expect(render(ledger, 100_000, text).text).toBe('');
      }),
    );
  });
});

const spanOf = (from: Message, to: Message) =>
  ({ kind: 'replace-span', fromId: from.id, toId: to.id, with: [], then: [] }) as const;

function edit(id: string, by: string, change: Edit): Entry {
  return { id, at: '2026-01-01T00:00:00.000Z', type: 'edit', by, reason: 'asked', edit: change };
}

/** A message that counts how often its content is asked for. */
function counted(message: Message, reads: Map<string, number>): Message {
  return {
    ...message,
    get content() {
      reads.set(message.id, (reads.get(message.id) ?? 0) + 1);
      return message.content;
    },
  };
}
