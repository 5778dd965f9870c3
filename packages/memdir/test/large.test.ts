import { describe, expect, test } from 'vitest';
import { fileText, newMemory, testMemory } from './support.ts';

const MOST_WRITTEN = 262_144;
const MOST_CHANGED = 1_048_576;
const TOO_LARGE = { kind: 'refused', reason: 'too-large' };

describe('a memory that is too large', () => {
  test.each([
    ['body of one word', { body: 'x'.repeat(16_000_000) }],
    ['body of words', { body: 'lorem ipsum '.repeat(1_000_000) }],
    ['body of 100,000 letters of three bytes', { body: 'あ'.repeat(100_000) }],
    ['name', { name: 'x'.repeat(16_000_000) }],
    ['description', { description: 'x '.repeat(8_000_000) }],
  ])('is not saved: %s', async (_, given) => {
    const { memory } = testMemory();
    const saved = await memory.save(newMemory('Big', 'Short.', given));
    expect(saved).toMatchObject({ ...TOO_LARGE, message: expect.stringContaining('262144 bytes') });
    expect((await memory.scan()).files).toEqual([]);
  });

  test('is not written by a change, nor held', async () => {
    const { memory } = testMemory();
    const text = fileText('Big', 'x'.repeat(MOST_WRITTEN));
    const files = [{ path: 'big.md', basis: undefined, text }];
    expect(await memory.change(files, { reason: 'x' })).toMatchObject(TOO_LARGE);
    const waiting = newMemory('Big', 'x'.repeat(MOST_WRITTEN + 1));
    expect(await memory.hold({ ...waiting, reason: 'x' })).toMatchObject(TOO_LARGE);
  });

  test('that a hand has made is neither forgotten nor replaced, and stays', async () => {
    const text = fileText('Big', 'x'.repeat(MOST_CHANGED));
    const { memory, textOf } = testMemory({ 'big.md': text });
    const forgotten = await memory.forget('big.md', { reason: 'x' });
    expect(forgotten).toMatchObject({ ...TOO_LARGE, message: expect.stringContaining('by hand') });
    const file = await memory.read('big.md');
    const over = newMemory('Big', 'Short.', { path: 'big.md', basis: file?.hash });
    expect(await memory.save(over)).toMatchObject(TOO_LARGE);
    const instead = newMemory('New', 'Short.', { supersedes: ['big.md'] });
    expect(await memory.save(instead)).toMatchObject(TOO_LARGE);
    const goes = [{ path: 'big.md', basis: file?.hash, text: undefined }];
    expect(await memory.change(goes, { reason: 'x' })).toMatchObject(TOO_LARGE);
    expect(await textOf('big.md')).toBe(text);
  });
});

describe('up to the limit work is linear', () => {
  test.each([
    ['one word', (bytes: number) => 'x'.repeat(bytes)],
    ['blanks', (bytes: number) => `x${' '.repeat(bytes - 2)}x`],
    ['dashes and a letter', (bytes: number) => `${'-'.repeat(bytes - 1)}x`],
    ['bars', (bytes: number) => `${'| '.repeat(bytes / 2 - 1)}x`],
    ['colons', (bytes: number) => `${': * '.repeat(bytes / 4 - 1)}x`],
    ['full stops', (bytes: number) => `${'. '.repeat(bytes / 2 - 1)}x`],
    ['lines', (bytes: number) => linesOf(bytes)],
  ])(
    '%s: saved, forgotten and taken back; what takes the square of them does not end',
    async (_, make) => {
      const { memory, textOf } = testMemory({ 'hand.md': fileText('Hand', make(1_000_000)) });
      const before = await textOf('hand.md');
      const saved = await memory.save(newMemory('Big', make(200_000)));
      expect(saved).toMatchObject({ kind: 'saved' });
      expect(await memory.forget('hand.md', { reason: 'x' })).toMatchObject({ kind: 'forgotten' });
      expect(await memory.undo()).toMatchObject({ kind: 'undone' });
      expect(await textOf('hand.md')).toBe(before);
    },
    60_000,
  );
});

/** Every one of them says something of its own. */
function linesOf(bytes: number): string {
  const lines: string[] = [];
  for (let length = 0; length < bytes - 60; length += (lines.at(-1)?.length ?? 0) + 1)
    lines.push(`Machine number ${lines.length} stands in hall ${lines.length % 7}.`);
  return lines.join('\n');
}
