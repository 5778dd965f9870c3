import { createProjection, type Entry, type Message, type View } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { createLedger } from '../src/index.ts';
import { bash, says } from './session.ts';

const AT = '2026-01-01T00:00:00.000Z';
const NO_VIEW: View = { messages: [], changedFrom: 0 };
const entryOf = (message: Message): Entry => ({
  id: `e-${message.id}`,
  at: AT,
  type: 'message',
  message,
});

/** A message that counts how often its text is read. */
function counted(words: string) {
  const block = { type: 'text', text: words };
  let reads = 0;
  const message = says(words);
  Object.defineProperty(message, 'content', {
    enumerable: true,
    get() {
      reads += 1;
      return [block];
    },
  });
  return { message, reads: () => reads };
}

describe('a ledger of a log', () => {
  test('reads nothing while the log grows, and all of it when it is asked', () => {
    const ledger = createLedger();
    const first = counted('Fix the parser in src/plum.ts.');
    ledger.observe(entryOf(first.message), NO_VIEW);
    expect(first.reads()).toBe(0);
    expect(ledger.mentions('src/plum.ts')).toBe(true);
    expect(first.reads()).toBeGreaterThan(0);
    const reads = first.reads();
    ledger.observe(entryOf(says('And src/dune.ts.')), NO_VIEW);
    expect(ledger.words()).toHaveLength(2);
    expect(first.reads()).toBe(reads);
  });

  test('catches up with the oldest first, and says whether anything is left', () => {
    const ledger = createLedger();
    const all = ['one', 'two', 'three'].map((word) => counted(`Fix ${word}.`));
    for (const { message } of all) ledger.observe(entryOf(message), NO_VIEW);
    expect(ledger.catchUp(2)).toBe(true);
    expect(all.map(({ reads }) => reads() > 0)).toEqual([true, true, false]);
    expect(ledger.catchUp(2)).toBe(false);
    expect(ledger.catchUp()).toBe(false);
    expect(ledger.words()).toEqual(['Fix one.', 'Fix two.', 'Fix three.']);
  });

  test('forgets what a rewind took before it was read, also where more was said since', () => {
    const ledger = createLedger();
    const log = createProjection();
    const append = (entry: Entry) => ledger.observe(entry, log.append(entry));
    const wrong = says('Always use tabs.');
    const calls = bash('npm test');
    for (const message of [says('Fix it.'), wrong]) append(entryOf(message));
    const span = { fromId: wrong.id, toId: wrong.id, with: [], then: [] };
    const edit = { kind: 'replace-span', ...span } as const;
    append({ id: 'r', at: AT, type: 'edit', by: 'rewind', reason: 'rewind', edit });
    for (const message of calls) append(entryOf(message));
    expect(ledger.words()).toEqual(['Fix it.']);
    expect(ledger.mentions('npm test')).toBe(false);
  });

  test('a message that cannot be read says so to each who asks, and not to the log', () => {
    const ledger = createLedger();
    const message = says('Fix it.');
    const broken = {
      get text() {
        throw new Error('no text');
      },
      type: 'text',
    };
    ledger.observe(entryOf({ ...message, content: [broken as never] }), NO_VIEW);
    expect(() => ledger.catchUp()).toThrow();
    expect(() => ledger.facts()).toThrow();
  });
});
