import { readFileSync } from 'node:fs';
import { createProjection, parseEntry, serializeEntry } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importSession } from '../src/import.ts';
import {
  asLog,
  describeSession,
  expectLegalHistory,
  fixtures,
  importText,
} from './import-support.ts';

describe.each(fixtures)('importSession (V2) of $format/$file', ({ format, file, path }) => {
  const bytes = readFileSync(path);
  const load = () => importText(bytes, { name: file });

  test('tells the format from the content', async () => {
    expect((await load()).format).toBe(format);
  });

  test('reads what the file holds', async () => {
    await expect(describeSession(await load())).toMatchFileSnapshot(`${path}.expected.txt`);
  });

  test('makes threads that project at every entry and are valid histories', async () => {
    for (const { entries } of (await load()).threads) {
      const projection = createProjection();
      for (const entry of entries) {
        const { messages } = projection.append(entry);
        expectLegalHistory(messages);
      }
      expect(
        projection.append({
          id: 'end',
          at: '2026-01-01T00:00:00Z',
          type: 'note',
          by: 'test',
          data: 0,
        }).open,
      ).toBeUndefined();
    }
  });

  test('makes entries that a log takes and gives back', async () => {
    for (const { entries } of (await load()).threads) {
      expect(entries.map((entry) => parseEntry(serializeEntry(entry)))).toEqual(entries);
    }
  });

  test('import, export, import is stable', async () => {
    for (const { entries } of (await load()).threads) {
      const again = await importText(asLog(entries));
      expect(again).toMatchObject({ format: 'varve', problems: [], unused: {} });
      expect(again.threads[0]?.entries).toEqual(entries);
    }
  });

  test('reads the same however the bytes are cut into chunks', async () => {
    const whole = await load();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 9 }), async (cuts) => {
        const ends = [...cuts.toSorted((a, b) => a - b), bytes.length];
        const chunks = ends.map((end, index) =>
          bytes.subarray(index === 0 ? 0 : ends[index - 1], end),
        );
        expect(await importSession(chunks, { name: file })).toEqual(whole);
      }),
      { numRuns: 30 }, // each run imports the whole file
    );
  });

  test('gives ids that are unique in their thread', async () => {
    for (const { entries } of (await load()).threads) {
      const ids = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message.id] : []));
      expect(new Set(ids).size).toBe(ids.length);
      expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    }
  });
});

test('importSession is tried on every foreign format', () => {
  expect([...new Set(fixtures.map(({ format }) => format))].sort()).toEqual([
    'anthropic-messages',
    'atif',
    'claude-code',
    'codex',
    'copilot-cli',
    'gemini-cli',
    'goose',
    'openai-chat',
    'openai-responses',
    'opencode',
    'openhands-output',
    'pi',
    'qwen-code',
    'swe-agent',
  ]);
});
