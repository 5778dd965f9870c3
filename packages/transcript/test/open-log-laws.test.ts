import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Entry, serializeEntry } from '@varve/messages';
import { validLog } from '@varve/messages/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type readEntries, TranscriptError } from '../src/index.ts';
import { openLog, readLog, salvageLog } from '../src/node/index.ts';
import { collect, temporaryFolder, userEntry } from './support.ts';

type LogProblem = Parameters<
  NonNullable<NonNullable<Parameters<typeof readEntries>[1]>['onProblem']>
>[0];

/** A run opens, writes and reads real files, some milliseconds each, and a valid log is long: a part of the usual number, at least 25. */
const partOf = (share: number) => ({
  numRuns: Math.max(25, Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / share)),
});

const added = userEntry('added', 'ünï');
const entriesIn = async (path: string): Promise<Entry[]> =>
  (await collect(readLog(path))).map(({ entry }) => entry);

/** Paths in one folder: making a folder a run would cost more than the run. */
function createPaths(): () => string {
  const folder = temporaryFolder();
  let run = 0;
  return () => {
    const inner = join(folder, String(run++));
    mkdirSync(inner);
    return join(inner, 'log.jsonl');
  };
}

const damage = fc.record({
  start: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(60),
  patch: fc.oneof(
    fc.uint8Array({ maxLength: 6 }),
    fc.constantFrom('\0\0', '\n', '\r\n', '\uFEFF', '}', '{', '"').map((text) => Buffer.from(text)),
  ),
  isCutThere: fc.boolean(),
});

const damagedBytes = fc
  .record({
    texts: fc.array(fc.string(), { maxLength: 6 }),
    damages: fc.array(damage, { maxLength: 3 }),
    eol: fc.constantFrom('\n', '\r\n', ''),
  })
  .map(({ texts, damages, eol }) => {
    const lines = texts.map(
      (text, index) => serializeEntry(userEntry(`e${index}`, `x${text}`)) + eol,
    );
    return damages.reduce(
      (bytes, { start, length, patch, isCutThere }) => {
        const at = Math.floor(start * bytes.length);
        const rest = isCutThere ? [] : [bytes.subarray(at + length)];
        return Buffer.concat([bytes.subarray(0, at), patch, ...rest]);
      },
      Buffer.from(lines.join('')),
    );
  });

/** What the refused log must be: as it was, and readable after a salvage that keeps its bytes. */
async function expectSalvageable(path: string, bytes: Buffer): Promise<void> {
  expect(readFileSync(path)).toEqual(bytes);
  expect(readdirSync(join(path, '..'))).toEqual(['log.jsonl']);
  const { entries, keptAt } = await salvageLog(path);
  expect(readFileSync(keptAt as string)).toEqual(bytes);
  const log = await openLog(path);
  await log.close();
  expect(log.problems).toEqual([]);
  expect(await entriesIn(path)).toHaveLength(entries);
}

describe('openLog: laws', () => {
  test('what is appended in any batches is read back as it was', async () => {
    const nextPath = createPaths();
    const batches = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(validLog(), batches, async (entries, sizes) => {
        const path = nextPath();
        let log = await openLog(path);
        for (let at = 0, turn = 0; at < entries.length; turn++) {
          const size = sizes[turn % sizes.length] as number;
          await log.append(...entries.slice(at, at + size));
          at += size;
          if (turn % 4 === 3) {
            await log.close();
            log = await openLog(path);
          }
        }
        await log.close();
        const lines = (await entriesIn(path)).map(serializeEntry);
        expect(lines).toEqual(entries.map(serializeEntry));
      }),
      partOf(25),
    );
  });

  test('any damage is refused and salvageable, or mended so that nothing is lost and appending goes on', async () => {
    const nextPath = createPaths();
    await fc.assert(
      fc.asyncProperty(damagedBytes, async (bytes) => {
        const path = nextPath();
        writeFileSync(path, bytes);
        const seen: Entry[] = [];
        const log = await openLog(path, { onEntry: (entry) => seen.push(entry) }).catch(
          (error: unknown) => {
            if (!TranscriptError.is(error)) throw error;
            return undefined;
          },
        );
        if (log === undefined) {
          await expectSalvageable(path, bytes);
          return;
        }
        await log.append(added);
        await log.close();
        expect(await entriesIn(path)).toEqual([...seen, added]);
        const kept = log.repair?.keptAt === undefined ? [] : [readFileSync(log.repair.keptAt)];
        const whole = kept.length === 0 ? bytes.length : (log.repair?.start ?? 0);
        expect(Buffer.concat([readFileSync(path).subarray(0, whole), ...kept])).toEqual(bytes);
      }),
      partOf(10),
    );
  });

  test('the places of entries and problems are those of their bytes', async () => {
    const nextPath = createPaths();
    await fc.assert(
      fc.asyncProperty(damagedBytes, async (bytes) => {
        const path = nextPath();
        writeFileSync(path, bytes);
        const problems: LogProblem[] = [];
        const onProblem = (problem: LogProblem) => problems.push(problem);
        for (const item of await collect(readLog(path, { damage: 'report', onProblem }))) {
          const text = new TextDecoder().decode(bytes.subarray(item.start, item.end));
          expect(JSON.parse(text)).toEqual(item.entry);
          const before = bytes.subarray(0, item.start).filter((byte) => byte === 10).length;
          expect(item.line).toBe(before + 1);
        }
        for (const { start, bytes: length, kind } of problems) {
          expect(start + length).toBeLessThanOrEqual(bytes.length);
          if (kind === 'torn-tail') expect(start + length).toBe(bytes.length);
        }
      }),
      partOf(5),
    );
  });
});
