import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lawRuns } from '../../../internal/src/share.ts';
import type { ImportedSession } from '../src/import.ts';
import { TranscriptError } from '../src/index.ts';
import { findSessions, importFile } from '../src/node/index.ts';
import { countTools } from './count-tools.ts';
import { fixtures, fixtureText, importText, mainEntries, problemKinds } from './import-support.ts';
import { rawCounts } from './raw-counts.ts';
import { temporaryFolder } from './support.ts';

/** The session, or the code it was refused with; anything else is thrown on. */
async function readOrRefused(work: Promise<ImportedSession>): Promise<ImportedSession | string> {
  try {
    return await work;
  } catch (error) {
    if (!TranscriptError.is(error)) throw error;
    return error.code;
  }
}

const lost = ({ problems }: ImportedSession): number =>
  problems.filter(({ kind }) => LOSSES.has(kind)).length;

const LOSSES = new Set<string>(['torn-record', 'bad-json', 'not-a-record', 'glued-records']);

describe.each(fixtures)('damaged copies of $format/$file', ({ format, file, path }) => {
  const text = readFileSync(path, 'utf8');
  const isLines = file.endsWith('.jsonl');
  const load = (copy: string | Uint8Array) => importText(copy, { name: file });

  test.each([
    ['a byte order mark', `\uFEFF${text}`],
    ['CRLF', text.replaceAll('\n', '\r\n')],
    ['NUL bytes behind its end', `${text}${'\0'.repeat(512)}`],
    ['blank lines at its start', `\n\n${text}`],
    ['no line end', text.trimEnd()],
  ])('%s takes nothing away', async (_damage, copy) => {
    const whole = await load(text);
    const session = await load(copy);
    const { calls, results } = countTools(session);
    expect(session.format).toBe(format);
    expect({ calls, results }).toEqual(
      (({ calls, results }) => ({ calls, results }))(rawCounts(format, copy) ?? countTools(whole)),
    );
    expect(mainEntries(session).length).toBe(mainEntries(whole).length);
  });

  test('two records on a line are two', async () => {
    if (!isLines) return;
    const session = await load(text.replace('\n', ''));
    expect(mainEntries(session).length).toBe(mainEntries(await load(text)).length);
    expect(problemKinds(session)).toContain('glued-records @1');
  });

  test('cut off, it says so, or nothing is gone', async () => {
    for (let tenth = 1; tenth < 10; tenth++) {
      const end = Math.floor((text.length * tenth) / 10);
      const isBetween = isLines && text.slice(end - 1, end + 1).includes('\n');
      const session = await readOrRefused(load(text.slice(0, end)));
      if (typeof session === 'string')
        expect(['torn-document', 'no-messages', 'unknown-format']).toContain(session);
      else if (!isBetween) expect(lost(session), `${tenth} tenths`).toBeGreaterThan(0);
    }
  });

  test('written twice, it holds no call without its record', async () => {
    const session = await readOrRefused(load(text + text));
    if (typeof session === 'string') return;
    const once = countTools(await load(text));
    const { calls, results } = countTools(session);
    expect(calls).toBeLessThanOrEqual(2 * once.calls);
    expect(results).toBeLessThanOrEqual(2 * once.results);
  });

  test('under another name it is the same', async () => {
    const folder = temporaryFolder();
    const other = join(folder, isLines ? 'x.json' : 'x.jsonl');
    writeFileSync(other, text);
    const session = await importFile(other, { name: file });
    expect(mainEntries(session)).toEqual(mainEntries(await load(text)));
    expect(await findSessions([folder])).toEqual([other]);
  });
});

const SEED = 15;
/** Of each store, whose every run writes and reads files: 150 where laws run in full. */
const RUNS = Math.min(150, Math.ceil(lawRuns / 4));

describe(`stores on disk, damaged anywhere (seed ${SEED}, ${RUNS} runs each)`, () => {
  const opencode = JSON.parse(fixtureText('opencode/session.json'));
  const goose = JSON.parse(fixtureText('goose/export.json'));

  const PARENT = '11111111-1111-4111-8111-111111111111';

  /** Makes a store in a folder: the place to read, and the file to damage. */
  const stores: Readonly<Record<string, (folder: string) => { place: string; file: string }>> = {
    'a database of OpenCode': (folder) => {
      const file = join(folder, 'opencode.db');
      const database = new DatabaseSync(file);
      database.exec(`CREATE TABLE session (id text PRIMARY KEY, parent_id text, version text, time_created integer);
        CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, data text);
        CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, data text);
        INSERT INTO session VALUES ('ses_a', NULL, '1.4.3', 1)`);
      for (const [index, { info, parts }] of opencode.messages.entries()) {
        database
          .prepare('INSERT INTO message VALUES (?, ?, ?, ?)')
          .run(`m${index}`, 'ses_a', index, JSON.stringify(info));
        for (const [place, part] of parts.entries())
          database
            .prepare('INSERT INTO part VALUES (?, ?, ?, ?)')
            .run(`p${index}-${place}`, `m${index}`, 'ses_a', JSON.stringify(part));
      }
      database.close();
      return { place: `${file}#ses_a`, file };
    },
    'a database of Goose': (folder) => {
      const file = join(folder, 'sessions.db');
      const database = new DatabaseSync(file);
      database.exec(`CREATE TABLE schema_version (version INTEGER);
        CREATE TABLE sessions (id TEXT PRIMARY KEY, created_at TIMESTAMP);
        CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER, metadata_json TEXT);
        INSERT INTO sessions VALUES ('a', 1)`);
      for (const { role, content, created, metadata } of goose.conversation)
        database
          .prepare(
            'INSERT INTO messages (session_id, role, content_json, created_timestamp, metadata_json) VALUES (?, ?, ?, ?, ?)',
          )
          .run('a', role, JSON.stringify(content), created, JSON.stringify(metadata));
      database.close();
      return { place: `${file}#a`, file };
    },
    'a packed file of Codex': (folder) => {
      const file = join(folder, 'rollout.jsonl.zst');
      writeFileSync(file, zstdCompressSync(fixtureText('codex/session.jsonl')));
      return { place: file, file };
    },
    'a message in the tree of OpenCode': (folder) => {
      const place = join(folder, 'storage/session/p/ses_a.json');
      const files = [
        [place, JSON.stringify({ id: 'ses_a', version: '1.1.0' })],
        [join(folder, 'storage/message/ses_a/m0.json'), JSON.stringify(opencode.messages[0].info)],
        [join(folder, 'storage/part/m0/p0.json'), JSON.stringify(opencode.messages[0].parts[0])],
      ] as const;
      for (const [path, text] of files) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
      return { place, file: files[1][0] };
    },
    'the file of a sub-agent of Claude Code': (folder) => {
      const place = join(folder, `${PARENT}.jsonl`);
      const file = join(folder, PARENT, 'subagents', 'agent-a.jsonl');
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(place, fixtureText('claude-code/session.jsonl'));
      writeFileSync(file, fixtureText('claude-code/sub-agents.jsonl'));
      return { place, file };
    },
  };

  test.each(Object.entries(stores))('%s is read, or refused with a reason', async (_what, make) => {
    const { place, file } = make(temporaryFolder());
    const sound = readFileSync(file);
    expect((await importFile(place)).threads.length).toBeGreaterThan(0);
    const damage = fc.record({
      start: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.oneof(fc.nat(40), fc.nat(sound.length)),
      patch: fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constant(new Uint8Array(64))),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ start, length, patch }) => {
        const at = Math.floor(start * sound.length);
        writeFileSync(
          file,
          Buffer.concat([sound.subarray(0, at), patch, sound.subarray(at + length)]),
        );
        await readOrRefused(importFile(place));
        const found = await findSessions([dirname(file)]);
        for (const path of found.slice(0, 3)) await readOrRefused(importFile(path));
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
});
