import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync } from 'node:zlib';
import { isText, project } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { uniqueResponses } from '../src/import.ts';
import { readDatabaseSession } from '../src/node/database-sessions.ts';
import { findSessions, importFile } from '../src/node/index.ts';
import { replaceCall } from './fs-calls.ts';
import { fixtures, fixtureText, jsonLines, messagesOf } from './import-support.ts';
import { temporaryFolder } from './support.ts';

const PARENT = '11111111-1111-4111-8111-111111111111';
const CHILD = '22222222-2222-4222-8222-222222222222';
const GRANDCHILD = '33333333-3333-4333-8333-333333333333';

function write(path: string, data: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, data);
  return path;
}

const textsOf = (session: Awaited<ReturnType<typeof importFile>>, thread = 0): string[] =>
  (session.threads[thread]?.entries ?? []).flatMap((entry) =>
    entry.type === 'message' ? entry.message.content.filter(isText).map(({ text }) => text) : [],
  );

/** Records of a Codex rollout; times count up in seconds from `start`. */
function rollout(meta: Record<string, unknown>, turns: readonly string[], start = 0): string {
  const at = (second: number) => new Date(Date.UTC(2026, 8, 1) + second * 1000).toISOString();
  const records: unknown[] = [
    { timestamp: at(start), type: 'session_meta', payload: { cwd: '/home/dev', ...meta } },
  ];
  for (const [index, turn] of turns.entries()) {
    const second = start + 10 * (index + 1);
    const total = 1000 * (start + index + 1);
    const usage = { input_tokens: 1000, cached_input_tokens: 0, output_tokens: 10 };
    records.push(
      { timestamp: at(second), type: 'turn_context', payload: { turn_id: turn, model: 'gpt-5.5' } },
      item(at(second), 'user', 'input_text', `${turn}?`),
      item(at(second + 5), 'assistant', 'output_text', `${turn}.`),
      {
        timestamp: at(second + 5),
        type: 'event_msg',
        payload: {
          type: 'token_count',
          info: {
            total_token_usage: { ...usage, input_tokens: total },
            last_token_usage: usage,
          },
        },
      },
    );
  }
  return jsonLines(records);
}

const item = (timestamp: string, role: string, type: string, text: string) => ({
  timestamp,
  type: 'response_item',
  payload: { type: 'message', role, content: [{ type, text }] },
});

const billedIn = (session: Awaited<ReturnType<typeof importFile>>): number =>
  messagesOf(session).filter(({ response }) => response?.usage !== undefined).length;

describe('case 361: Codex, packed and forked', () => {
  const codex = fixtures.find(({ format, file }) => format === 'codex' && file === 'session.jsonl');
  const plain = readFileSync(codex?.path ?? '');

  test('a packed file is the file that was packed', async () => {
    const folder = temporaryFolder();
    const path = write(join(folder, 'rollout.jsonl.zst'), zstdCompressSync(plain));
    expect(await findSessions([folder])).toEqual([path]);
    expect(await importFile(path, { name: 'n' })).toEqual(
      await importFile(codex?.path ?? '', { name: 'n' }),
    );
  });

  test('a packed file that is cut off gives what can be unpacked, and says so', async () => {
    const folder = temporaryFolder();
    const long = rollout(
      { id: PARENT },
      Array.from({ length: 3000 }, (_, index) => `${index} ${Math.sin(index)}`),
    );
    const packed = zstdCompressSync(Buffer.from(long));
    const cut = write(join(folder, 'cut.jsonl.zst'), packed.subarray(0, packed.length * 0.7));
    const session = await importFile(cut);
    expect(messagesOf(session).length).toBeGreaterThan(1000);
    expect(session.problems.at(-1)).toMatchObject({ kind: 'torn-record' });
    const behind = write(join(folder, 'b.jsonl.zst'), Buffer.concat([packed, packed]));
    expect((await importFile(behind)).problems.at(-1)).toMatchObject({ kind: 'torn-record' });
    const stump = write(join(folder, 'stump.jsonl.zst'), packed.subarray(0, 8));
    await expect(importFile(stump)).rejects.toMatchObject({ code: 'torn-document', file: stump });
  });

  test.each([false, true])(
    'a fork that names its base is joined with it (packed: %s)',
    async (isPacked) => {
      const tree = join(temporaryFolder(), '.codex', 'sessions');
      const parent = rollout({ id: PARENT }, ['one', 'two', 'three']);
      const kept = Buffer.byteLength(parent.slice(0, parent.indexOf('"three"') - 120));
      const end = parent.slice(0, kept).lastIndexOf('\n') + 1;
      const name = (id: string) => `rollout-2026-09-01T00-00-00-${id}.jsonl`;
      if (isPacked) {
        write(
          join(tree, '2026/09/01', `${name(PARENT)}.zst`),
          zstdCompressSync(Buffer.from(parent)),
        );
      } else write(join(tree, '2026/09/01', name(PARENT)), parent);
      const base = { thread_id: PARENT, end_ordinal_exclusive: 9, end_byte_offset: end };
      const child = rollout({ id: CHILD, history_base: base }, ['four', 'five'], 100);
      write(join(tree, '2026/09/02', name(CHILD)), child);
      const own = child.slice(0, child.lastIndexOf('{"timestamp":"2026-09-01T00:02:00.000Z"'));
      const next = {
        thread_id: CHILD,
        end_ordinal_exclusive: 14,
        end_byte_offset: Buffer.byteLength(own),
      };
      const path = write(
        join(tree, '2026/09/03', name(GRANDCHILD)),
        rollout({ id: GRANDCHILD, history_base: next }, ['six'], 200),
      );
      const session = await importFile(path);
      expect(textsOf(session)).toEqual([
        'one?',
        'one.',
        'two?',
        'two.',
        'four?',
        'four.',
        'six?',
        'six.',
      ]);
      expect(session).toMatchObject({ id: GRANDCHILD, parent: { id: CHILD, kind: 'fork' } });
      expect(session.threads[0]?.startsMidSession).toBe(false);
      expect(billedIn(session)).toBe(1);
      const all = await Promise.all((await findSessions([tree])).map((found) => importFile(found)));
      expect([...uniqueResponses(all)].filter(({ response }) => response.usage)).toHaveLength(6);
      expect([...uniqueResponses(all)]).toHaveLength(6);
    },
  );

  test('a fork whose base is not there begins in the middle; a circle of bases ends', async () => {
    const folder = temporaryFolder();
    const base = { thread_id: PARENT, end_ordinal_exclusive: 4, end_byte_offset: 100 };
    const name = `rollout-2026-09-01T00-00-00-${CHILD}.jsonl`;
    const path = write(join(folder, name), rollout({ id: CHILD, history_base: base }, ['four']));
    const session = await importFile(path);
    expect(session.threads[0]?.startsMidSession).toBe(true);
    expect(billedIn(session)).toBe(1);
    const circle = { ...base, thread_id: CHILD };
    write(path, rollout({ id: CHILD, history_base: circle }, ['four']));
    expect(textsOf(await importFile(path))).toEqual(['four?', 'four.']);
  });

  test('a fork whose base cannot be unpacked begins in the middle', async () => {
    const folder = temporaryFolder();
    const name = (id: string) => `rollout-2026-09-01T00-00-00-${id}.jsonl`;
    const packed = zstdCompressSync(Buffer.from(rollout({ id: PARENT }, ['one €'])));
    write(join(folder, `${name(PARENT)}.zst`), packed.subarray(0, 8));
    const base = { thread_id: PARENT, end_ordinal_exclusive: 4, end_byte_offset: 100 };
    const path = write(
      join(folder, name(CHILD)),
      rollout({ id: CHILD, history_base: base }, ['four']),
    );
    const session = await importFile(path);
    expect(textsOf(session)).toEqual(['four?', 'four.']);
    expect(session.threads[0]?.startsMidSession).toBe(true);
  });

  test('copied counts are those of the parent, whatever their times', async () => {
    const folder = temporaryFolder();
    const parent = rollout({ id: PARENT }, ['one', 'two', 'three']);
    const meta = { timestamp: '2026-09-01T01:00:00.000Z', type: 'session_meta' };
    const head = jsonLines([{ ...meta, payload: { id: CHILD, forked_from_id: PARENT } }]);
    const own = rollout({ id: CHILD }, ['four'], 3600).split('\n').slice(1).join('\n');
    const burst = parent.replaceAll(
      /"timestamp":"[^"]*"/g,
      '"timestamp":"2026-09-01T01:00:00.040Z"',
    );
    const paths = [
      write(join(folder, 'a.jsonl'), parent),
      write(join(folder, 'b.jsonl'), head + parent + own),
      write(
        join(folder, 'c.jsonl'),
        head.replace(CHILD, GRANDCHILD) + burst + own.replaceAll('four', 'five'),
      ),
    ];
    const sessions = await Promise.all(paths.map((path) => importFile(path)));
    expect(sessions.map(billedIn)).toEqual([3, 1, 1]);
    expect(sessions.map(({ unused }) => unused['event_msg/token_count-of-parent'] ?? 0)).toEqual([
      0, 3, 3,
    ]);
    const unique = [...uniqueResponses(sessions)];
    expect(unique).toHaveLength(5);
    expect(sessions[1]).toMatchObject({ id: CHILD, parent: { id: PARENT, kind: 'fork' } });
  });
});

describe('Codex: sub-agents that copied nothing', () => {
  test('are billed for all replies, however fast they came', async () => {
    const source = { subagent: { thread_spawn: { parent_thread_id: PARENT, depth: 1 } } };
    const slow = rollout({ id: CHILD, source }, ['one', 'two', 'three']);
    let ms = Date.UTC(2026, 8, 1);
    const fast = slow.replaceAll(/"timestamp":"[^"]*"/g, () => {
      ms += 100;
      return `"timestamp":"${new Date(ms).toISOString()}"`;
    });
    const path = write(join(temporaryFolder(), 'a.jsonl'), fast);
    const session = await importFile(path);
    expect(billedIn(session)).toBe(3);
    expect(session.parent).toEqual({ id: PARENT, kind: 'sub-agent' });
  });
});

const opencode = JSON.parse(fixtureText('opencode/session.json'));

/** A database as OpenCode 1.2 and Kilo write it. */
function database(
  path: string,
  sessions: readonly { id: string; parent?: string; messages: unknown[] }[],
) {
  mkdirSync(dirname(path), { recursive: true });
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE session (id text PRIMARY KEY, parent_id text, version text, time_created integer);
    CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, data text);
    CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, data text);`);
  const add = {
    session: db.prepare('INSERT INTO session VALUES (?, ?, ?, ?)'),
    message: db.prepare('INSERT INTO message VALUES (?, ?, ?, ?)'),
    part: db.prepare('INSERT INTO part VALUES (?, ?, ?, ?)'),
  };
  for (const [index, { id, parent, messages }] of sessions.entries()) {
    add.session.run(id, parent ?? null, '1.4.3', index);
    for (const [place, message] of (messages as typeof opencode.messages).entries()) {
      const { id: own, ...info } = message.info;
      const messageId = sessions.length === 1 ? own : `${own}-${id}`;
      add.message.run(messageId, id, place, JSON.stringify(info));
      for (const [part, data] of message.parts.entries()) {
        add.part.run(
          `prt_${index}_${place}_${String(part).padStart(3, '0')}`,
          messageId,
          id,
          JSON.stringify(data),
        );
      }
    }
  }
  return db;
}

const task = (session: string) => [
  {
    info: { id: 'm1', role: 'user', time: { created: 1 } },
    parts: [{ type: 'text', text: 'look' }],
  },
  {
    info: {
      id: 'm2',
      role: 'assistant',
      modelID: 'm',
      time: { created: 2 },
      tokens: { input: 5, output: 5 },
    },
    parts: [
      {
        type: 'tool',
        tool: 'task',
        callID: 'call_task',
        state: { status: 'completed', input: {}, output: 'seen', metadata: { sessionId: session } },
      },
    ],
  },
];

describe('OpenCode 2: rows of session_message', () => {
  const row = (type: string, seconds: number, data: object) => ({ type, seconds, data });
  const reply = (seconds: number, content: readonly object[], more: object = {}) =>
    row('assistant', seconds, {
      agent: 'build',
      model: { id: 'claude-sonnet-4-5', providerID: 'anthropic' },
      content,
      finish: 'tool-calls',
      tokens: { input: 10 + seconds, output: 2, reasoning: 0, cache: { read: 5, write: 1 } },
      ...more,
    });
  const call = (id: string, state: object, more: object = {}) => ({
    ...{ type: 'tool', id, name: 'read', state },
    time: { created: 1000, ran: 2000, completed: 3000, ...more },
  });
  const said = (text: string) => [{ type: 'text', text }];

  function stored(rows: readonly ReturnType<typeof row>[], before: unknown[] = []): string {
    const path = join(temporaryFolder(), 'opencode.db');
    const db = database(path, [{ id: 'ses_a', messages: before }]);
    db.exec(
      'CREATE TABLE session_message (id text PRIMARY KEY, session_id text, type text, seq integer, time_created integer, data text)',
    );
    const add = db.prepare('INSERT INTO session_message VALUES (?, ?, ?, ?, ?, ?)');
    for (const [seq, { type, seconds, data }] of rows.entries()) {
      const time = { created: seconds * 1000 };
      const text = JSON.stringify({ time, ...data });
      add.run(`msg_${seq}`, 'ses_a', type, seq, seconds * 1000, text);
    }
    db.close();
    return path;
  }

  const rows = [
    row('model-switched', 0, { model: { id: 'claude-sonnet-4-5', providerID: 'anthropic' } }),
    row('user', 1, { text: 'Look.', files: [{ mime: 'text/plain', name: 'a.txt', data: 'aGk=' }] }),
    reply(2, [
      { type: 'reasoning', id: 'r', text: 'Hm.', state: { signature: 'sig' } },
      { type: 'text', id: 't', text: 'I look.' },
      call('c1', {
        status: 'completed',
        input: { path: 'a' },
        content: said('one'),
        structured: {},
      }),
      call('c2', { status: 'error', input: {}, content: [], error: { message: 'gone' } }),
      call('c3', { status: 'streaming', input: '{"path":"b"}' }),
    ]),
    row('synthetic', 3, { text: 'Go on.' }),
    row('shell', 4, { command: 'ls', output: 'a b' }),
    row('compaction', 5, { status: 'running', reason: 'auto' }),
    reply(6, [{ type: 'text', id: 't', text: 'Done.' }], { finish: 'stop' }),
  ];

  test('messages, calls, results and bills are read', async () => {
    const path = stored(rows);
    const session = await importFile(path);
    const replies = messagesOf(session).flatMap(({ response }) => response ?? []);
    expect(replies.map(({ model, usage }) => [model, usage?.input_tokens])).toEqual([
      ['claude-sonnet-4-5', 12],
      ['claude-sonnet-4-5', 16],
    ]);
    expect(textsOf(session)).toEqual([
      'Look.',
      'Attached file: a.txt\n\nhi',
      'I look.',
      'Go on.',
      'Shell command: ls\n\na b',
      'Done.',
    ]);
    const results = messagesOf(session).flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_result' ? [block] : [])),
    );
    expect(results.map(({ content, is_error: bad }) => [content, bad])).toMatchObject([
      ['one', undefined],
      ['gone', true],
      [expect.anything(), true],
    ]);
    expect(session.problems.map(({ kind }) => kind)).toEqual(['missing-result']);
    expect(session.unused).toMatchObject({ 'message/model-switched': 1 });
  });

  test('after a compaction its summary and what it kept as text stand for all before', async () => {
    const done = { status: 'completed', reason: 'auto', summary: 'All so far.', recent: 'Lately.' };
    const session = await importFile(
      stored([...rows, row('compaction', 7, done), row('user', 8, { text: 'Next.' })]),
    );
    const shown = project(session.threads[0]?.entries ?? []).messages;
    expect(shown.flatMap(({ content }) => content.filter(isText).map(({ text }) => text))).toEqual([
      'All so far.',
      'Lately.',
      'Next.',
    ]);
    expect(textsOf(session)).toContain('Look.');
  });

  test('also where the tables of version 1 are gone', async () => {
    const path = stored(rows);
    const db = new DatabaseSync(path);
    db.exec('DROP TABLE part; DROP TABLE message');
    db.close();
    expect(textsOf(await importFile(path))[0]).toBe('Look.');
  });

  test('of a session that began in version 1 what was copied from it is not read twice', async () => {
    const before = [
      { info: { id: 'm1', role: 'user', time: { created: 1 } }, parts: said('Look.') },
    ];
    const copied = [row('user', 0, { text: 'Look.' }), row('user', 9, { text: 'More.' })];
    expect(textsOf(await importFile(stored(copied, before)))).toEqual(['Look.', 'More.']);
  });
});

describe('OpenCode as it lies on disk', () => {
  test('the rows of a database give what the export of the session gives', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'opencode.db');
    const db = database(path, [{ id: 'ses_bees', messages: opencode.messages }]);
    const places = await findSessions([folder]);
    expect(places).toEqual([`${path}#ses_bees`]);
    const exported = await importFile(
      fixtures.find(({ format }) => format === 'opencode')?.path ?? '',
    );
    const read = await importFile(places[0] ?? '');
    const plain = (session: typeof read) =>
      messagesOf(session).map(({ role, content, response }) => ({
        role,
        content,
        usage: response?.usage,
      }));
    expect(plain(read)).toEqual(plain(exported));
    expect(read.id).toBe('ses_bees');
    // the agent is running: the last rows are in the file beside the database
    expect(messagesOf(await importFile(path))).toEqual(messagesOf(read));
    db.close();
  });

  test('a session that another one started is its sub-agent, also below the first', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'kilo.db');
    database(path, [
      { id: 'ses_a', messages: task('ses_b') },
      { id: 'ses_b', parent: 'ses_a', messages: task('ses_c') },
      { id: 'ses_c', parent: 'ses_b', messages: opencode.messages },
      { id: 'ses_d', parent: 'gone', messages: opencode.messages },
      { id: 'ses_e', parent: 'ses_a', messages: [] },
    ]).close();
    expect(await findSessions([path])).toEqual([`${path}#ses_a`, `${path}#ses_d`]);
    const { threads } = await importFile(`${path}#ses_a`);
    expect(threads.map(({ id, kind, parentCallId }) => [id, kind, parentCallId])).toEqual([
      ['main', 'main', undefined],
      ['ses_b', 'sub-agent', 'call_task'],
      ['ses_c', 'sub-agent', 'call_task'],
    ]);
    expect(await importFile(`${path}#ses_d`)).toMatchObject({
      parent: { id: 'gone', kind: 'sub-agent' },
    });
    await expect(importFile(path)).rejects.toMatchObject({ code: 'many-sessions' });
    await expect(importFile(`${path}#ses_x`)).rejects.toMatchObject({ code: 'not-found' });
  });

  test('sessions that name each other, or themselves, as parent are found: the first of each circle', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'opencode.db');
    const messages = opencode.messages.slice(0, 2);
    const links = [
      ['ses_a', 'ses_b'],
      ['ses_b', 'ses_a'],
      ['ses_c', 'ses_b'],
      ['ses_d', 'ses_d'],
      ['ses_e', undefined],
    ] as const;
    const rows = links.map(([id, parent]) => ({ id, ...(parent ? { parent } : {}), messages }));
    database(path, rows).close();
    const places = await findSessions([path]);
    expect(places).toEqual(['ses_a', 'ses_d', 'ses_e'].map((id) => `${path}#${id}`));
    const sessions = await Promise.all(places.map((place) => importFile(place)));
    expect(sessions.map(({ threads }) => threads.map(({ id }) => id))).toEqual([
      ['main', 'ses_b', 'ses_c'],
      ['main'],
      ['main'],
    ]);
    expect(sessions.map(({ parent }) => parent)).toEqual([undefined, undefined, undefined]);
    const tree = join(temporaryFolder(), 'storage');
    for (const [id, parentID] of links) {
      write(join(tree, 'session/p', `${id}.json`), JSON.stringify({ id, parentID }));
      write(join(tree, 'message', id, 'm1.json'), JSON.stringify({ id: 'm1', role: 'user' }));
      write(join(tree, 'part/m1/p1.json'), JSON.stringify({ type: 'text', text: 'look' }));
    }
    const stored = await findSessions([tree]);
    expect(stored.map((place) => basename(place, '.json'))).toEqual(['ses_a', 'ses_d', 'ses_e']);
    const [first] = await Promise.all(stored.map((place) => importFile(place)));
    expect(first?.threads.map(({ id }) => id)).toEqual(['main', 'ses_b', 'ses_c']);
    expect(first?.parent).toBeUndefined();
  });

  test('what is read is of one moment, while the agent writes', async () => {
    const path = join(temporaryFolder(), 'opencode.db');
    const made = database(path, [{ id: 'ses_a', messages: opencode.messages.slice(0, 1) }]);
    made.exec('PRAGMA journal_mode = WAL');
    made.close();
    const script = `import { DatabaseSync } from 'node:sqlite';
      const db = new DatabaseSync(process.argv[1]);
      db.exec('PRAGMA busy_timeout = 10000');
      const message = db.prepare("INSERT INTO message VALUES (?, 'ses_a', ?, '{}')");
      const part = db.prepare("INSERT INTO part VALUES (?, ?, 'ses_a', '{}')");
      for (let at = 1; ; at++) {
        db.exec('BEGIN'); message.run('m' + at, at); part.run('p' + at, 'm' + at); db.exec('COMMIT');
      }`;
    const writer = spawn(process.execPath, ['--input-type=module', '-e', script, path]);
    try {
      const counts = new Set<number>();
      for (const start = Date.now(); counts.size < 60 && Date.now() - start < 20_000; ) {
        const [session] = await readDatabaseSession(path, 'ses_a');
        const messages = session?.messages ?? [];
        expect(messages.filter(({ parts }) => parts.length === 0)).toEqual([]);
        counts.add(messages.length);
      }
      expect(counts.size).toBe(60);
    } finally {
      writer.kill();
    }
  });

  test('another database, a damaged one and damaged rows are told apart', async () => {
    const folder = temporaryFolder();
    const foreign = join(folder, 'notes.db');
    const other = new DatabaseSync(foreign);
    other.exec('CREATE TABLE note (id text)');
    other.close();
    await expect(importFile(foreign)).rejects.toMatchObject({
      code: 'unknown-format',
      file: foreign,
    });
    expect(await findSessions([folder])).toEqual([foreign]);
    const path = join(folder, 'opencode.db');
    const db = database(path, [{ id: 'ses_bees', messages: opencode.messages }]);
    db.exec("UPDATE part SET data = '{\"type' WHERE rowid = 1");
    db.close();
    expect((await importFile(path)).problems).toContainEqual(
      expect.objectContaining({ kind: 'bad-json' }),
    );
    const cut = write(join(folder, 'cut.db'), readFileSync(path).subarray(0, 9000));
    await expect(importFile(cut)).rejects.toMatchObject({ code: 'unreadable', file: cut });
    const renamed = write(join(folder, 'session.jsonl'), readFileSync(path));
    expect(messagesOf(await importFile(renamed)).length).toBeGreaterThan(3);
  });

  test.each([
    [
      'now',
      'storage/session/proj',
      (m: string) => `storage/message/${m}`,
      (_: string, m: string) => `storage/part/${m}`,
    ],
    [
      'before 0.6',
      'storage/session/info',
      (s: string) => `storage/session/message/${s}`,
      (s: string, m: string) => `storage/session/part/${s}/${m}`,
    ],
  ])('the tree of files, as it is laid out %s', async (_name, sessions, messages, parts) => {
    const folder = temporaryFolder();
    const store = (id: string, parentID: string | undefined, list: typeof opencode.messages) => {
      write(
        join(folder, sessions, `${id}.json`),
        JSON.stringify({ id, parentID, version: '1.1.0' }),
      );
      for (const [index, { info, parts: pieces }] of list.entries()) {
        const message = `msg_${index}`;
        write(
          join(folder, messages(id), `${message}.json`),
          JSON.stringify({ ...info, id: `${message}${id}` }),
        );
        for (const [place, part] of pieces.entries()) {
          write(join(folder, parts(id, message), `prt_${place}.json`), JSON.stringify(part));
        }
      }
    };
    store('ses_a', undefined, task('ses_b'));
    store('ses_b', 'ses_a', opencode.messages.slice(0, 1));
    const places = await findSessions([folder]);
    expect(places.map((path) => basename(path))).toEqual(['ses_a.json']);
    const session = await importFile(places[0] ?? '');
    expect(session.threads.map(({ id, parentCallId }) => [id, parentCallId])).toEqual([
      ['main', undefined],
      ['ses_b', 'call_task'],
    ]);
    // what OpenCode moved into its database is not read twice
    const path = join(folder, 'opencode.db');
    database(path, [{ id: 'ses_a', messages: task('ses_b') }]).close();
    expect(await findSessions([folder])).toEqual([`${path}#ses_a`]);
  });
});

describe('Claude Code: the files of sub-agents', () => {
  const record = (fields: Record<string, unknown>) => ({
    sessionId: PARENT,
    timestamp: '2026-09-01T00:00:00.000Z',
    cwd: '/home/dev',
    version: '2.1.240',
    ...fields,
  });
  const user = (uuid: string, text: string, more = {}) =>
    record({
      type: 'user',
      uuid,
      parentUuid: null,
      message: { role: 'user', content: text },
      ...more,
    });
  const reply = (uuid: string, content: unknown[], more = {}) =>
    record({
      type: 'assistant',
      uuid,
      parentUuid: null,
      message: {
        id: `msg_${uuid}`,
        role: 'assistant',
        model: 'claude-opus-5',
        content,
        stop_reason: 'end_turn',
        usage: { input_tokens: 1, output_tokens: 1 },
      },
      ...more,
    });
  const call = (id: string, prompt: string) => ({
    type: 'tool_use',
    id,
    name: 'Agent',
    input: { prompt },
  });
  const main = [
    user('u1', 'Find the bees.'),
    reply('a1', [call('toolu_1', 'Look in the north.')], { parentUuid: 'u1' }),
    reply('a2', [call('toolu_2', 'Look in the south.')], { parentUuid: 'a1' }),
  ];
  const agent = (id: string, prompt: string) => {
    const side = { isSidechain: true, agentId: id };
    return [
      user(`${id}-u`, prompt, side),
      reply(`${id}-a`, [{ type: 'text', text: 'None.' }], { ...side, parentUuid: `${id}-u` }),
    ];
  };

  test('stand under their parent, with the call that started them', async () => {
    const folder = temporaryFolder();
    const path = write(join(folder, `${PARENT}.jsonl`), jsonLines(main));
    const below = join(folder, PARENT, 'subagents');
    write(join(below, 'agent-a1.jsonl'), jsonLines(agent('a1', 'Look in the north.')));
    write(join(below, 'agent-a1.meta.json'), JSON.stringify({ agentType: 'Explore' }));
    write(join(below, 'workflows', 'wf_1', 'agent-a2.jsonl'), jsonLines(agent('a2', 'Steps.')));
    write(join(below, 'workflows', 'wf_1', 'agent-a2.meta.json'), '{"toolUseId":"toolu_2"}');
    write(join(folder, 'agent-a3.jsonl'), jsonLines(agent('a3', 'As before 2.1.2.')));
    write(join(below, 'agent-a4.jsonl'), jsonLines([record({ type: 'mode', mode: 'plan' })]));
    expect(await findSessions([folder])).toEqual([path]);
    const { threads, id } = await importFile(path);
    expect(id).toBe(PARENT);
    expect(threads.map((thread) => [thread.id, thread.kind, thread.parentCallId])).toEqual([
      ['main', 'main', undefined],
      ['agent-a1', 'sub-agent', 'toolu_1'],
      ['agent-a2', 'sub-agent', 'toolu_2'],
      ['agent-a3', 'sub-agent', undefined],
    ]);
  });

  test('that cannot be read are left out and named, and the session is read', async () => {
    const folder = temporaryFolder();
    const path = write(join(folder, `${PARENT}.jsonl`), jsonLines(main));
    const below = join(folder, PARENT, 'subagents');
    write(join(below, 'agent-a1.jsonl'), jsonLines(agent('a1', 'Look in the north.')));
    write(join(below, 'agent-a2.jsonl'), '{"type":"user","uuid":"x"');
    symlinkSync(join(folder, 'gone'), join(below, 'agent-a3.jsonl'));
    execFileSync('mkfifo', [join(below, 'agent-a4.jsonl')]);
    const { threads, problems } = await importFile(path);
    expect(threads.map(({ id }) => id)).toEqual(['main', 'agent-a1']);
    const unread = problems.filter(({ kind }) => kind === 'unreadable-file');
    expect(unread.map(({ file = '' }) => basename(file))).toEqual([
      'agent-a2.jsonl',
      'agent-a3.jsonl',
      'agent-a4.jsonl',
    ]);
  });

  test('belong to their parent also where the search begins in the folder itself', () => {
    const folder = temporaryFolder();
    write(join(folder, `${PARENT}.jsonl`), jsonLines(main));
    write(join(folder, PARENT, 'subagents', 'agent-a1.jsonl'), jsonLines(agent('a1', 'Look.')));
    const script = `import { findSessions } from ${JSON.stringify(new URL('../src/node/index.ts', import.meta.url))};
      console.log(JSON.stringify(await findSessions(['.'])));`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toEqual([`${PARENT}.jsonl`]);
  });

  test('whose parent is gone are sessions of their own, and say whose they are', async () => {
    const folder = temporaryFolder();
    const path = write(
      join(folder, PARENT, 'subagents', 'agent-a1.jsonl'),
      jsonLines(agent('a1', 'Look.')),
    );
    expect(await findSessions([folder])).toEqual([path]);
    expect(await importFile(path)).toMatchObject({
      id: 'a1',
      parent: { id: PARENT, kind: 'sub-agent' },
    });
  });

  test('that name a session outside of their folder are sessions of their own', async () => {
    const folder = temporaryFolder();
    write(join(folder, 'other', `${PARENT}.jsonl`), jsonLines(main));
    const lines = agent('a1', 'Look.').map((line) => ({
      ...line,
      sessionId: `../other/${PARENT}`,
    }));
    const path = write(join(folder, 'given', 'agent-a1.jsonl'), jsonLines(lines));
    expect(await findSessions([join(folder, 'given')])).toEqual([path]);
  });

  test('case 362: a fork of the conversation saw it up to where it began', async () => {
    const folder = temporaryFolder();
    const path = write(
      join(folder, `${PARENT}.jsonl`),
      jsonLines([...main, user('u2', 'Too late.')]),
    );
    const ref = {
      type: 'fork-context-ref',
      agentId: 'f1',
      parentSessionId: PARENT,
      parentLastUuid: 'a1',
      contextLength: 2,
    };
    write(
      join(folder, PARENT, 'subagents', 'agent-f1.jsonl'),
      jsonLines([ref, ...agent('f1', 'Now the west.')]),
    );
    const session = await importFile(path);
    expect(textsOf(session, 1)).toEqual(['Find the bees.', 'Now the west.', 'None.']);
    expect(session.threads[1]?.startsMidSession).toBe(false);
    const ids = session.threads[1]?.entries.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
    // the replies of the parent are paid once
    expect([...uniqueResponses([session])]).toHaveLength(3);
  });
});

describe('Gemini CLI from 0.39 on: a line a record', () => {
  const head = {
    sessionId: 's',
    projectHash: 'p',
    startTime: '2026-09-01T00:00:00.000Z',
    kind: 'main',
  };
  const at = '2026-09-01T00:00:01.000Z';
  const said = (id: string, text: string) => ({
    id,
    timestamp: at,
    type: 'user',
    content: [{ text }],
  });
  const answer = (id: string, content: string, more = {}) => ({
    id,
    timestamp: at,
    type: 'gemini',
    content,
    model: 'gemini-3-flash',
    ...more,
  });
  const call = {
    id: 'c1',
    name: 'read_file',
    args: { path: 'a' },
    status: 'success',
    result: [{ functionResponse: { id: 'c1', name: 'read_file', response: { output: 'bees' } } }],
  };
  const tokens = { input: 10, output: 2, cached: 4, thoughts: 0, tool: 0, total: 12 };

  test('a reply that grew counts once, as it was last written', async () => {
    const folder = temporaryFolder();
    const lines = [
      head,
      { $set: { messages: [said('u1', 'Count the bees.')], lastUpdated: at } },
      answer('a1', 'I look.'),
      answer('a1', 'I look.', { toolCalls: [call], tokens }),
      answer('a2', 'Seven.', { tokens }),
    ];
    const path = write(join(folder, 'session-1.jsonl'), jsonLines(lines));
    const session = await importFile(path);
    expect(session).toMatchObject({ format: 'gemini-cli', id: 's', problems: [] });
    expect(textsOf(session)).toEqual(['Count the bees.', 'I look.', 'Seven.']);
    expect(billedIn(session)).toBe(2);
    const whole = {
      ...head,
      messages: [lines[1], ...lines.slice(3)].map((line) =>
        '$set' in (line ?? {}) ? said('u1', 'Count the bees.') : line,
      ),
    };
    const old = await importFile(write(join(folder, 'session-1.json'), JSON.stringify(whole)));
    expect(messagesOf(session)).toEqual(messagesOf(old));
  });

  test('the conversation went back: by a mark, and by a list that is shorter', async () => {
    const folder = temporaryFolder();
    const lines = [
      head,
      said('u1', 'One.'),
      answer('a1', 'First.'),
      said('u2', 'Two.'),
      answer('a2', 'Second.'),
      { $rewindTo: 'u2' },
      said('u3', 'Three.'),
      answer('a3', 'Third.'),
      { $set: { messages: [said('u1', 'One.'), answer('a1', 'First.')] } },
      said('u4', 'Four.'),
      { $rewindTo: 'gone' },
    ];
    const session = await importFile(write(join(folder, 's.jsonl'), jsonLines(lines)));
    const view = project(session.threads[0]?.entries ?? []);
    expect(
      view.messages.flatMap(({ content }) => content.filter(isText).map(({ text }) => text)),
    ).toEqual(['One.', 'First.', 'Four.']);
    expect(messagesOf(session)).toHaveLength(7);
    expect(session.unused['$rewindTo-unknown']).toBe(1);
  });

  test('a sub-agent says whose it is', async () => {
    const path = join(temporaryFolder(), 'chats', 'parent', 'x.jsonl');
    write(path, jsonLines([{ ...head, kind: 'subagent' }, said('u1', 'Look.')]));
    expect((await importFile(path)).parent).toEqual({ id: 'parent', kind: 'sub-agent' });
  });
});

describe('what the sessions of a folder share is read once', () => {
  const uuid = (index: number) => `${String(index).padStart(8, '0')}-1111-4111-8111-111111111111`;
  /** How often files are opened while `work` runs. */
  async function openedBy(work: () => Promise<unknown>): Promise<number> {
    let count = 0;
    replaceCall('open', (open) => (...args: Parameters<typeof open>) => {
      count += 1;
      return open(...args);
    });
    await work();
    return count;
  }
  const long = new Date(Date.now() - 60_000);

  test.each([5, 40])(
    'the first records of %d sub-agents beside twelve sessions',
    async (agents) => {
      const folder = temporaryFolder();
      const record = (id: string, more = {}) => ({
        type: 'user',
        uuid: 'u',
        parentUuid: null,
        sessionId: id,
        message: { role: 'user', content: 'Look.' },
        ...more,
      });
      const paths = Array.from({ length: 12 }, (_, index) =>
        write(join(folder, `${uuid(index)}.jsonl`), jsonLines([record(uuid(index))])),
      );
      for (let at = 0; at < agents; at++) {
        const side = { isSidechain: true, agentId: `a${at}` };
        write(join(folder, `agent-a${at}.jsonl`), jsonLines([record(uuid(at % 12), side)]));
      }
      utimesSync(folder, long, long);
      const sessions: Awaited<ReturnType<typeof importFile>>[] = [];
      const opened = await openedBy(async () => {
        for (const path of paths) sessions.push(await importFile(path));
      });
      expect(sessions.flatMap(({ threads }) => threads)).toHaveLength(12 + agents);
      // per session its start, first record and bytes; per agent twice its first record, its bytes and its note
      expect(opened).toBeLessThanOrEqual(4 * 12 + 6 * agents);
      write(join(folder, 'agent-new.jsonl'), jsonLines([record(uuid(0), { isSidechain: true })]));
      expect((await importFile(paths[0] ?? '')).threads.at(-1)?.id).toBe('agent-new');
    },
  );

  test('also where the file of a sub-agent stays empty, until it is filled', async () => {
    const folder = temporaryFolder();
    const empty = write(join(folder, 'agent-a99.jsonl'), '');
    const record = (id: string, more = {}) =>
      jsonLines([
        {
          ...{ type: 'user', uuid: 'u', parentUuid: null, sessionId: id, ...more },
          message: { role: 'user', content: 'Look.' },
        },
      ]);
    for (let at = 0; at < 20; at++)
      write(join(folder, `agent-a${at}.jsonl`), record(uuid(99), { isSidechain: true }));
    const paths = Array.from({ length: 12 }, (_, at) =>
      write(join(folder, `${uuid(at)}.jsonl`), record(uuid(at))),
    );
    for (const path of [empty, folder]) utimesSync(path, long, long);
    const opened = await openedBy(async () => {
      for (const path of paths) await importFile(path);
    });
    // each agent's first record once
    expect(opened).toBeLessThanOrEqual(4 * 12 + 2 * 21);
    write(empty, record(uuid(0), { isSidechain: true, agentId: 'a99' }));
    expect((await importFile(paths[0] ?? '')).threads.at(-1)?.id).toBe('agent-a99');
  });

  test.each([5, 40])('the files of %d sessions of OpenCode', async (count) => {
    const folder = join(temporaryFolder(), 'storage');
    const sessions = join(folder, 'session/p');
    for (let at = 0; at < count; at++) {
      const id = `ses_${at}`;
      write(join(sessions, `${id}.json`), JSON.stringify({ id }));
      write(join(folder, 'message', id, `m${at}.json`), JSON.stringify({ id, role: 'user' }));
      write(join(folder, `part/m${at}/p.json`), JSON.stringify({ type: 'text', text: 'look' }));
    }
    utimesSync(sessions, long, long);
    let reads = 0;
    replaceCall('readFile', (read) => (...args: Parameters<typeof read>) => {
      reads += 1;
      return read(...args);
    });
    const places = await findSessions([folder]);
    for (const place of places) await importFile(place);
    expect(places).toHaveLength(count);
    expect(reads).toBeLessThanOrEqual(5 * count);
  });

  test('the folders of Codex, for forks whose base is gone', async () => {
    const tree = join(temporaryFolder(), '.codex', 'sessions');
    const id = (at: number) => `${uuid(at).slice(0, 14)}4${uuid(at).slice(15)}`;
    const paths = Array.from({ length: 12 }, (_, at) => {
      const base = { thread_id: id(100 + at), end_byte_offset: 10 };
      const folder = join(tree, '2026', '10', String(at + 1));
      const name = `rollout-2026-10-01T00-00-00-${id(at)}.jsonl`;
      return write(join(folder, name), rollout({ id: id(at), history_base: base }, ['one'], 100));
    });
    const folders = [tree, dirname(dirname(dirname(paths[0] ?? ''))), join(tree, '2026', '10')];
    for (const folder of [...paths.map(dirname), ...folders]) utimesSync(folder, long, long);
    let listed = 0;
    replaceCall('readdir', (read) => (...args: Parameters<typeof read>) => {
      const isRecursive = (args[1] as { recursive?: boolean } | undefined)?.recursive === true;
      listed += isRecursive ? 16 : 1;
      return read(...args);
    });
    for (const path of paths) expect(textsOf(await importFile(path))).toEqual(['one?', 'one.']);
    // each folder once, and for each file the other tree, which is not there
    expect(listed).toBeLessThanOrEqual(15 + 12);
  });

  test('a base is looked for in the folders of its day, not in the whole tree', async () => {
    const tree = join(temporaryFolder(), '.codex', 'sessions');
    const parent = `${Date.UTC(2026, 7, 31, 23).toString(16).padStart(12, '0')}`;
    const parentId = `${parent.slice(0, 8)}-${parent.slice(8)}-7111-8111-111111111111`;
    const name = (id: string) => `rollout-2026-09-01T00-00-00-${id}.jsonl`;
    const text = rollout({ id: parentId }, ['one']);
    write(join(tree, '2026/09/01', name(parentId)), text);
    const base = { thread_id: parentId, end_byte_offset: Buffer.byteLength(text) };
    const own = rollout({ id: CHILD, history_base: base }, ['two'], 100);
    const path = write(join(tree, '2026/10/07', name(CHILD)), own);
    let trees = 0;
    replaceCall('readdir', (read) => (...args: Parameters<typeof read>) => {
      trees += (args[1] as { recursive?: boolean } | undefined)?.recursive === true ? 1 : 0;
      return read(...args);
    });
    expect(textsOf(await importFile(path))).toEqual(['one?', 'one.', 'two?', 'two.']);
    expect(trees).toBe(0);
  });
});
