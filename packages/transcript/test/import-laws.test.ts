import { readFileSync } from 'node:fs';
import { createProjection, parseEntry, serializeEntry, type View } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ImportedSession } from '../src/import.ts';
import { TranscriptError } from '../src/index.ts';
import { expectLegalHistory, fixtures, importText, jsonLines } from './import-support.ts';

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

/** Projects to a valid history, goes through a log unchanged, and comes back from one unchanged. */
async function expectLegal(session: ImportedSession | undefined): Promise<void> {
  for (const { entries } of session?.threads ?? []) {
    const projection = createProjection();
    let view: View | undefined;
    for (const entry of entries) view = projection.append(entry);
    expectLegalHistory(view?.messages ?? []);
    const lines = entries.map(serializeEntry);
    expect(lines.map(parseEntry).map(serializeEntry)).toEqual(lines);
    const again = await importText(lines.join('\n'));
    expect(again.threads[0]?.entries.map(serializeEntry)).toEqual(lines);
    expect(again.problems).toEqual([]);
  }
}

/** A run imports whole sessions, some ten milliseconds each: a quarter of the usual number. */
const runs = { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 4) };

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
    { type: 'tool_result', tool_use_id: 'a', content: [] },
    { type: 'thinking', thinking: '', signature: '' },
    { toString: 1, valueOf: 1 }, // cannot become text
    [{ toString: null }],
    1e300,
    8.64e15, // the last time a Date can hold
    '+275760-09-13T00:00:00.000Z',
    '{"a":'.repeat(2_000),
    JSON.parse(`${'['.repeat(700)}${']'.repeat(700)}`),
    JSON.parse('{"__proto__":{"x":1}}'),
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

  test('case 36: records in any order, left out or repeated, make a legal log', async () => {
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

/** All that an import says of a file: a change that shows nowhere here is lost unseen. */
async function tellingOf(records: readonly unknown[]): Promise<string> {
  const session = await importOrRefuse(jsonLines(records));
  const problems = session?.problems.map(({ kind, text }) => `${kind} ${text}`);
  return JSON.stringify([session?.threads, session?.unused, problems]);
}

/** Lists inside a value, by the keys that lead to them. */
function listsIn(value: unknown, keys: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, item]) => listsIn(item, [...keys, key]));
  return Array.isArray(value) ? [keys, ...inner] : inner;
}

/** The value with an item more in one of its lists. */
function withItem(value: unknown, [key, ...keys]: readonly string[], item: unknown): unknown {
  if (key === undefined) return [...(value as unknown[]), item];
  const inner = withItem((value as Record<string, unknown>)[key], keys, item);
  if (Array.isArray(value)) return value.with(Number(key), inner);
  return { ...(value as object), [key]: inner };
}

/** Lists that importers read, outside of what they take or count as a whole: no item of another list is counted alone. */
const READ =
  /^(content|parts|messages|toolCalls|tool_calls|toolRequests|summary|replacement_history|history|thoughts|result|output|tool_call_ids|system|tools|compactedToolIds|addedNames|steps|results|conversation|compressedHistory|subagent_trajectories|tool_definitions)$/;
const WHOLE = new Set(['arguments', 'args', 'input', 'model_response', 'metadata', 'details']);

const isRead = (keys: readonly string[]): boolean =>
  keys.length > 0 && READ.test(keys.at(-1) as string) && !keys.some((key) => WHOLE.has(key));

const isError = (record: unknown): boolean =>
  (record as { readonly isApiErrorMessage?: boolean }).isApiErrorMessage === true;

describe.each(fixtures)(
  'importSession of $format/$file: nothing is lost unseen (V2)',
  ({ path }) => {
    const records = recordsOf(readFileSync(path));

    test('a record that is taken out is missed', async () => {
      if (records.length === 1) return;
      const whole = await tellingOf(records);
      for (const index of records.keys()) {
        expect(await tellingOf(records.toSpliced(index, 1)), `line ${index + 1}`).not.toBe(whole);
      }
    });

    test('an item that is added to a list is used, counted or reported', async () => {
      const whole = await tellingOf(records);
      for (const [index, record] of records.entries()) {
        for (const keys of isError(record) ? [] : listsIn(record).filter(isRead)) {
          for (const item of ['strange', { strange: 1 }, 4711]) {
            const changed = records.with(index, withItem(record, keys, item));
            expect(await tellingOf(changed), `line ${index + 1}, ${keys.join('.')}`).not.toBe(
              whole,
            );
          }
        }
      }
    });
  },
);
