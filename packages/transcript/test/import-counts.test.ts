import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ImportedSession } from '../src/import.ts';
import { importFile } from '../src/node/index.ts';
import { countTools } from './count-tools.ts';
import { fixtures } from './import-support.ts';
import { rawCounts } from './raw-counts.ts';

/** Real sessions, in a folder for each format; these tests run where they are. */
const { VARVE_SESSIONS: folder = '' } = process.env;

const real = (existsSync(folder) ? readdirSync(folder) : [])
  .filter((format) => statSync(join(folder, format)).isDirectory())
  .flatMap((format) =>
    readdirSync(join(folder, format)).map((file) => ({
      format,
      file,
      path: join(folder, format, file),
    })),
  );

const BILLED = new Set(['empty-reply', 'compaction-request']);

/** Replies of a model: messages with a response, and those that left no message. */
const repliesOf = ({ threads }: ImportedSession): number =>
  threads
    .flatMap(({ entries }) => entries)
    .filter(
      (entry) =>
        (entry.type === 'message' && entry.message.response !== undefined) ||
        (entry.type === 'note' && BILLED.has(String((entry.data as { kind?: unknown }).kind))),
    ).length;

describe.each([...fixtures, ...real])('$format/$file', ({ format, path }) => {
  const counted = rawCounts(format, readFileSync(path, 'utf8'));

  test.skipIf(counted === undefined)(
    'has the calls, results and replies that its own fields count',
    async () => {
      const session = await importFile(path);
      const { calls, results } = countTools(session);
      const replies = counted?.replies === undefined ? {} : { replies: repliesOf(session) };
      expect({ calls, results, ...replies }).toEqual(counted);
    },
  );
});

describe.skipIf(real.length > 0)('real sessions', () => {
  test.skip('are not there: VARVE_SESSIONS names no folder', () => {});
});
