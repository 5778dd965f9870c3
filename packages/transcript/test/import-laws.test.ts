import { readFileSync } from 'node:fs';
import { createProjection, parseEntry, serializeEntry } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ImportedSession, TranscriptError } from '../src/import.ts';
import { fixtures, importText, jsonLines } from './import-support.ts';

const files = fixtures.map(({ path }) => readFileSync(path));

/** The session, or undefined where it was refused as it should be. */
async function importOrRefuse(bytes: Uint8Array | string): Promise<ImportedSession | undefined> {
  try {
    return await importText(bytes);
  } catch (error) {
    if (!TranscriptError.is(error)) throw error;
    expect(error.file).toBe('test.jsonl');
    return undefined;
  }
}

/** Projects, goes through a log unchanged, and comes back from one unchanged. */
async function expectLegal(session: ImportedSession | undefined): Promise<void> {
  for (const { entries } of session?.threads ?? []) {
    const projection = createProjection();
    for (const entry of entries) projection.append(entry);
    const lines = entries.map(serializeEntry);
    expect(lines.map(parseEntry).map(serializeEntry)).toEqual(lines);
    const again = await importText(lines.join('\n'));
    expect(again.threads[0]?.entries.map(serializeEntry)).toEqual(lines);
    expect(again.problems).toEqual([]);
  }
}

/** A run imports whole sessions, some ten milliseconds each: a fifth of the usual number. */
const runs = { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 5) };

const strange = fc.oneof(
  fc.constantFrom(
    null,
    true,
    -1,
    1e21,
    '',
    ' ',
    'REDACTED',
    'tool_use',
    '\ud800',
    [],
    {},
    [null],
    [[]],
    { type: 'text' },
  ),
  fc.string(),
  fc.jsonValue({ maxDepth: 2 }),
) as fc.Arbitrary<unknown>;

/** Puts a strange value in place of the `target`-th value inside. */
function replaceInside(value: unknown, target: { at: number }, replacement: unknown): unknown {
  if (target.at-- === 0) return replacement;
  if (Array.isArray(value)) return value.map((item) => replaceInside(item, target, replacement));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaceInside(item, target, replacement)]),
  );
}

const recordsOf = (bytes: Uint8Array): unknown[] => {
  const text = new TextDecoder().decode(bytes);
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
};

describe('importSession: laws (V2)', () => {
  test('any damage to the bytes is read around or refused, and what is read is a legal log', async () => {
    const damage = fc.record({
      file: fc.constantFrom(...files),
      start: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.nat(200),
      patch: fc.uint8Array({ maxLength: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ file, start, length, patch }) => {
        const at = Math.floor(start * file.length);
        await expectLegal(
          await importOrRefuse(
            Buffer.concat([file.subarray(0, at), patch, file.subarray(at + length)]),
          ),
        );
      }),
      runs,
    );
  });

  test('any value in place of another is read around or refused, and what is read is a legal log', async () => {
    const change = fc.record({
      records: fc.constantFrom(...files.map(recordsOf)),
      index: fc.nat(),
      place: fc.nat(60),
      value: strange,
      more: fc.array(fc.record({ index: fc.nat(), place: fc.nat(60), value: strange }), {
        maxLength: 3,
      }),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ records, more, ...first }) => {
        const changed = [...records];
        for (const { index, place, value } of [first, ...more]) {
          const target = index % changed.length;
          changed[target] = replaceInside(
            changed[target],
            { at: place * (records.length === 1 ? 1 + (index % 9) : 1) },
            value,
          );
        }
        await expectLegal(await importOrRefuse(jsonLines(changed)));
      }),
      runs,
    );
  });

  test('records in any order, left out or repeated, make a legal log', async () => {
    const shuffled = fc
      .constantFrom(...files.map(recordsOf))
      .chain((records) => fc.array(fc.constantFrom(...records), { minLength: 1, maxLength: 40 }));
    await fc.assert(
      fc.asyncProperty(shuffled, async (records) => {
        await expectLegal(await importOrRefuse(jsonLines(records)));
      }),
      runs,
    );
  });
});
