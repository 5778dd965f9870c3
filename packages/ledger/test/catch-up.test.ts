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

  test('has what was observed before what is added behind it', () => {
    const ledger = createLedger();
    ledger.observe(entryOf(says('Fix one.')), NO_VIEW);
    ledger.add(says('Fix two.'));
    expect(ledger.words()).toEqual(['Fix one.', 'Fix two.']);
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

  const broken = (words: string): Message => {
    const bad = {
      type: 'text',
      get text(): string {
        throw new Error('no text');
      },
    };
    const message = says(words);
    return { ...message, content: [...message.content, bad] };
  };

  test('a message that cannot be read is passed over, and those around it are read once', () => {
    const [first, last] = [says('Fix src/plum.ts.'), says('Never touch src/dune.ts.')];
    const ledger = createLedger();
    const messages = [first, broken('Fix src/pear.ts.'), last];
    for (const message of messages) ledger.observe(entryOf(message), NO_VIEW);
    expect(ledger.catchUp(2)).toBe(true);
    expect(ledger.catchUp()).toBe(false);
    const without = createLedger();
    for (const message of [first, last]) without.add(message);
    expect(ledger.facts()).toEqual(without.facts());
    expect(ledger.words()).toEqual(['Fix src/plum.ts.', 'Never touch src/dune.ts.']);
    expect(ledger.mentions('src/pear.ts')).toBe(false);
    ledger.observe(entryOf(says('And src/fig.ts.')), NO_VIEW);
    expect(ledger.words()).toHaveLength(3);
  });

  test('of one that breaks off while it is read nothing is known', () => {
    const ledger = createLedger({ redact: false });
    ledger.add(says('Fix src/plum.ts.'));
    expect(() => ledger.add(broken('Never touch src/pear.ts.'))).toThrow('no text');
    expect(ledger.mentions('src/plum.ts')).toBe(true);
    expect(ledger.mentions('src/pear.ts')).toBe(false);
    expect(ledger.facts().some(({ value }) => value.includes('pear'))).toBe(false);
  });

  test('one that was added by hand says so, and the next are read', () => {
    const ledger = createLedger();
    ledger.add(says('Fix src/plum.ts.'));
    expect(() => ledger.add(broken('Fix src/pear.ts.'))).toThrow('no text');
    ledger.add(says('And src/fig.ts.'));
    expect(ledger.words()).toEqual(['Fix src/plum.ts.', 'And src/fig.ts.']);
  });
});
