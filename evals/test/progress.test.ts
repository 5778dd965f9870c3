import { describe, expect, test } from 'vitest';
import { createProgress } from '../src/progress.ts';

test('without a terminal there is a line every ten seconds, with one a bar, and nothing where it is silent', () => {
  const written = (isTTY: boolean, silent = false): string[] => {
    const lines: string[] = [];
    let ms = 0;
    const stream = { isTTY, write: (text: string) => lines.push(text) };
    const progress = createProgress({ stream, silent, now: () => ms });
    for (; ms <= 25_000; ms += 1_000) progress.show(ms / 25_000, 'reading');
    progress.close();
    return lines;
  };
  expect(written(false)).toEqual(['40 % done: reading\n', '80 % done: reading\n']);
  expect(written(false, true)).toEqual([]);
  const bars = written(true);
  expect(bars).toHaveLength(27);
  expect(bars[25]).toBe(`\r[${'#'.repeat(24)}] 100 % reading\u001b[K`);
  expect(bars[26]).toBe('\r\u001b[K');
});

describe('createProgress', () => {
  const streamOf = (isTTY: boolean) => {
    const written: string[] = [];
    return { isTTY, columns: 60, written, write: (text: string) => written.push(text) };
  };

  test('draws over one line of a terminal and takes itself away', () => {
    const stream = streamOf(true);
    const progress = createProgress({ stream });
    progress.show(0.5, 'codex/a.jsonl');
    progress.close();
    expect(stream.written[0]).toBe('\r[############............] 50 % codex/a.jsonl\u001b[K');
    expect(stream.written).toHaveLength(2);
  });

  test.each([
    ['no terminal', streamOf(false), false],
    ['silent', streamOf(true), true],
  ])('writes nothing: %s', (_, stream, silent) => {
    const progress = createProgress({ stream, silent });
    progress.show(1, 'a');
    progress.close();
    expect(stream.written).toEqual([]);
  });
});
