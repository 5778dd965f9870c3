import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isText, project } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import type { ImportedSession } from '../src/import.ts';
import { findSessions, importFile } from '../src/node/index.ts';
import {
  fixtureText,
  importText,
  jsonLines,
  mainEntries,
  messagesOf,
  problemKinds,
} from './import-support.ts';
import { temporaryFolder } from './support.ts';

const said = (text: string) => [{ type: 'text', text }];

const textsOf = (session: ImportedSession): string[] =>
  messagesOf(session).flatMap(({ content }) => content.filter(isText).map(({ text }) => text));

function write(path: string, value: unknown): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}

describe('case 363: agents that cannot be read are refused by their name', () => {
  const lines: readonly (readonly [string, readonly unknown[]])[] = [
    [
      'Cursor',
      [
        { role: 'user', message: { content: said('Go.') } },
        { role: 'assistant', message: { content: said('Gone.') } },
      ],
    ],
    [
      'Droid',
      [
        { type: 'session_start', id: 'd', title: 'Bees', cwd: '/home/dev' },
        { type: 'message', id: 'm', message: { role: 'user', content: said('Go.') } },
      ],
    ],
    [
      'Kimi CLI',
      [
        { role: 'user', content: 'Go.' },
        { role: '_checkpoint', id: 0 },
      ],
    ],
  ];
  const documents: readonly (readonly [string, unknown])[] = [
    ['Amp', { v: 3, id: 'T-1', messages: [{ role: 'user', content: said('Go.') }] }],
    ['Copilot Chat', { responderUsername: 'GitHub Copilot', requests: [] }],
    ['Continue', { sessionId: 's', history: [{ message: {}, contextItems: [] }] }],
    ['api_conversation_history.json', [{ ts: 1, type: 'say', say: 'text', text: 'Go.' }]],
  ];

  test.each([
    ...lines.map(([agent, records]) => [agent, jsonLines(records)] as const),
    ...documents.map(([agent, value]) => [agent, JSON.stringify(value)] as const),
  ])('%s', async (agent, text) => {
    await expect(importText(text)).rejects.toMatchObject({
      code: 'unknown-format',
      message: expect.stringMatching(
        new RegExp(`this is from .*${agent}.*read are sessions of`, 's'),
      ),
    });
  });

  test.each([
    ['Cursor', ['cursorDiskKV']],
    ['Cursor', ['blobs', 'meta']],
    ['VS Code', ['ItemTable']],
    ['Crush', ['sessions', 'messages', 'files', 'goose_db_version']],
    ['Zed', ['threads']],
    ['OpenCode 2.0', ['session_v2']],
    ['not one of OpenCode, Kilo or Goose', ['note']],
  ])('a database: %s', async (agent, tables) => {
    const path = join(temporaryFolder(), 'state.db');
    const database = new DatabaseSync(path);
    for (const table of tables) database.exec(`CREATE TABLE ${table} (id text)`);
    database.close();
    await expect(importFile(path)).rejects.toMatchObject({
      code: 'unknown-format',
      message: expect.stringContaining(agent),
    });
  });

  test('a file of nobody says what can be read', async () => {
    await expect(importText('{"a":1}')).rejects.toThrow('read are sessions of Claude Code, Codex');
  });

  test('the caller may say what it is', async () => {
    const text = jsonLines([
      { role: 'user', content: 'Go.' },
      { role: '_checkpoint', id: 0 },
    ]);
    expect(textsOf(await importText(text, { format: 'openai-chat' }))).toEqual(['Go.']);
  });
});

describe('Roo Code: what a summary or a cut stands for is no longer sent', () => {
  const long = (text: string, rest: object = {}) => ({ content: said(text), ...rest });
  const talk = (from: number, to: number, rest: object = {}) =>
    Array.from({ length: to - from }, (_, at) => ({
      role: (from + at) % 2 === 0 ? 'user' : 'assistant',
      ...long(`said ${from + at}`),
      ...rest,
    }));
  const seen = async (list: readonly object[]) => {
    const path = write(
      join(temporaryFolder(), 'tasks', '1', 'api_conversation_history.json'),
      list,
    );
    const read = await importFile(path);
    expect(Object.keys(read.unused).filter((name) => name.startsWith('message/'))).toEqual([]);
    const texts = (count: number) =>
      project(mainEntries(read).slice(0, count))
        .messages.flatMap(({ content }) => content.filter(isText))
        .map(({ text }) => text);
    const { length } = mainEntries(read);
    return { end: texts(length), all: textsOf(read), texts, entries: mainEntries(read) };
  };
  const summary = (role: string, id: string, rest: object = {}) => ({
    role,
    ...long(`summary ${id}`, { isSummary: true, condenseId: id, ...rest }),
  });
  const parent = (condenseParent: string) => ({ condenseParent });

  test('a summary as the user: the conversation begins with it', async () => {
    const { end, all } = await seen([
      ...talk(0, 5, parent('A')),
      summary('user', 'A'),
      ...talk(5, 7),
    ]);
    expect(end).toEqual(['summary A', 'said 5', 'said 6']);
    expect(all).toEqual(['said 0', 'said 1', 'said 2', 'said 3', 'said 4', 'said 5', 'said 6']);
  });

  test('a summary as the assistant: the task, the summary and the run that stayed', async () => {
    const list = [
      ...talk(0, 1),
      ...talk(1, 4, parent('A')),
      summary('assistant', 'A'),
      ...talk(4, 9),
    ];
    const { end, texts, entries } = await seen(list);
    expect(end).toEqual(['said 0', 'summary A', ...[4, 5, 6, 7, 8].map((at) => `said ${at}`)]);
    // the reply of the run that stayed was asked for before the summary was written
    const five = entries.findIndex(
      (entry) => entry.type === 'message' && JSON.stringify(entry).includes('said 5'),
    );
    expect(texts(five)).toEqual([0, 1, 2, 3, 4].map((at) => `said ${at}`));
  });

  test('a second summary stands for the first as well', async () => {
    const { end } = await seen([
      ...talk(0, 4, parent('A')),
      summary('user', 'A', parent('B')),
      ...talk(5, 8, parent('B')),
      summary('user', 'B'),
      ...talk(9, 11),
    ]);
    expect(end).toEqual(['summary B', 'said 9', 'said 10']);
  });

  test('a cut', async () => {
    const cut = { isTruncationMarker: true, truncationId: 'T' };
    const { end } = await seen([
      ...talk(0, 1),
      ...talk(1, 3, { truncationParent: 'T' }),
      { role: 'user', ...long('cut T', cut) },
      ...talk(3, 6),
    ]);
    expect(end).toEqual(['said 0', 'cut T', 'said 3', 'said 4', 'said 5']);
  });

  test('a summary that is not in the file takes nothing away', async () => {
    const { end } = await seen([...talk(0, 4, parent('gone')), ...talk(4, 5)]);
    expect(end).toEqual([0, 1, 2, 3, 4].map((at) => `said ${at}`));
  });

  test('a result whose call went stays with its call', async () => {
    const call = { type: 'tool_use', id: 'c', name: 'read', input: {} };
    const { end, entries } = await seen([
      ...talk(0, 1),
      { role: 'assistant', content: [call], ...parent('A') },
      summary('assistant', 'A'),
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'out' }] },
      ...talk(3, 6),
    ]);
    expect(end.slice(0, 1)).toEqual(['said 0']);
    expect(
      project(entries).messages.flatMap(({ content }) => content.map(({ type }) => type)),
    ).toContain('tool_result');
  });
});

describe('Cline, Roo Code and Kilo Code: the folder of a task', () => {
  test('is one session: what the model saw', async () => {
    const task = join(temporaryFolder(), 'tasks', '1780300800000');
    const path = write(
      join(task, 'api_conversation_history.json'),
      fixtureText('anthropic-messages/cline.json'),
    );
    write(join(task, 'ui_messages.json'), [{ ts: 1, type: 'say', say: 'text', text: 'Go.' }]);
    write(join(task, 'task_metadata.json'), { files_in_context: [] });
    expect(await findSessions([dirname(dirname(task))])).toEqual([path]);
    const usages = messagesOf(await importFile(path)).flatMap(
      ({ response }) => response?.usage ?? [],
    );
    expect(
      usages.map((usage) => usage.input_tokens + (usage.cache_read_input_tokens ?? 0)),
    ).toEqual([800, 850]);
  });
});

describe('Cline, Roo Code and Kilo Code: bills that stand in ui_messages.json alone', () => {
  const second = (at: number): number => Date.UTC(2026, 5, 1, 8, 0, at);
  const task = (messages: readonly unknown[], shown: unknown): string => {
    const folder = join(temporaryFolder(), 'tasks', '1');
    write(join(folder, 'ui_messages.json'), shown);
    return write(join(folder, 'api_conversation_history.json'), messages);
  };
  const request = (at: number, counts: object, more: object = {}) => ({
    ...{ ts: second(at), type: 'say', say: 'api_req_started', ...more },
    text: JSON.stringify({ request: 'Go.', ...counts }),
  });
  const usagesOf = async (path: string) => {
    const session = await importFile(path);
    const replies = messagesOf(session).filter(({ role }) => role === 'assistant');
    const usages = replies.map(({ response }) => {
      const usage = response?.usage;
      if (usage === undefined) return null;
      const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage;
      return [usage.input_tokens, usage.output_tokens, read, written];
    });
    return { usages, unused: session.unused, replies, problems: session.problems };
  };
  const messages = (timed: boolean) =>
    ['Go.', 'One.', 'On.', 'Two.'].map((text, at) => ({
      ...{ role: at % 2 === 0 ? 'user' : 'assistant', content: said(text) },
      ...(timed ? { ts: second(10 * at) } : {}),
    }));
  const bills = [
    { ts: second(0), type: 'say', say: 'text', text: 'Go.' },
    request(1, { tokensIn: 10, tokensOut: 2, cacheWrites: 900, cacheReads: 0, cost: 0.1 }),
    request(21, { tokensIn: 1_000, tokensOut: 3, cacheReads: 900, apiProtocol: 'openai' }),
  ];

  test.each([
    ['by their times', true],
    ['by their order, where as many stand there as replies', false],
  ])('%s', async (_, timed) => {
    const { usages, unused } = await usagesOf(task(messages(timed), bills));
    expect(usages).toEqual([
      [10, 2, 0, 900],
      [100, 3, 900, 0],
    ]);
    expect(unused).not.toHaveProperty(['ui_messages.json/usage']);
  });

  test('a request that came to nothing bills nothing; one whose reply is not there is unused', async () => {
    const more = [
      request(20, {}),
      ...bills,
      request(20, { tokensIn: 700, tokensOut: 0 }),
      request(40, { tokensIn: 800, tokensOut: 1 }, { modelInfo: { modelId: 'm' } }),
    ].sort((one, other) => one.ts - other.ts);
    const { usages, unused } = await usagesOf(task(messages(true), more));
    expect(usages.map((usage) => usage?.[0])).toEqual([10, 100]);
    expect(unused).toMatchObject({ 'ui_messages.json/usage': 2 });
    const blind = await usagesOf(task(messages(false), more));
    expect(blind.usages).toEqual([null, null]);
    expect(blind.unused).toMatchObject({ 'ui_messages.json/usage': 4 });
  });

  const reads = { tokensOut: 0, cacheReads: 90_000, cacheWrites: 9_990 };
  const whole = [10, 0, 90_000, 9_990];
  const beside = [100_000, 0, 90_000, 9_990];
  const small = { tokensIn: 10, tokensOut: 0, cacheReads: 5_000, cacheWrites: 400 };
  /** What a model of 3 $ per million costs where so many tokens were neither read nor written. */
  const cost = (fresh: number, { cacheReads, cacheWrites } = reads): number =>
    (3 / 1_000_000) * (fresh + 1.25 * cacheWrites + 0.1 * cacheReads);
  test.each<readonly [string, readonly object[], unknown]>([
    ['Roo and Kilo: within, where nothing tells', [{ apiProtocol: 'anthropic' }], [whole]],
    ['Cline: beside, where nothing tells', [{}], [beside]],
    ['Roo: beside by its price', [{ apiProtocol: 'anthropic', cost: cost(100_000) }], [beside]],
    ['Cline: within by its price', [{ cost: cost(10) }], [whole]],
    ['a price that is no list price tells nothing', [{ cost: 0.0123456789 }], [beside]],
    [
      'another bill of the task has more in the cache than in all',
      [{ apiProtocol: 'anthropic' }, { apiProtocol: 'anthropic', ...small }],
      [beside, [10, 0, 5_000, 400]],
    ],
    ['another bill of the task tells by its price', [{}, { cost: cost(10) }], [whole, whole]],
    [
      'each by its own proof, where an update came between',
      [
        { apiProtocol: 'anthropic', cost: cost(10, small), ...small },
        { apiProtocol: 'anthropic', cost: cost(10) },
      ],
      [[10, 0, 5_000, 400], whole],
    ],
    [
      'another protocol tells nothing',
      [{ apiProtocol: 'openai' }, { apiProtocol: 'anthropic', ...small }],
      [whole, [10, 0, 5_000, 400]],
    ],
  ])('cache tokens within or beside the input. %s', async (_, counts, expected) => {
    const shown = counts.map((each, at) =>
      request(20 * at + 1, { tokensIn: 100_000, ...reads, ...each }),
    );
    const { usages } = await usagesOf(task(messages(true).slice(0, 2 * counts.length), shown));
    expect(usages).toEqual(expected);
  });

  test.each(['assistant', 'user'])(
    'a summary of Roo as %s is no reply and takes no bill',
    async (role) => {
      const summary = { role, content: said('All so far.'), isSummary: true };
      const [first, one, ...rest] = messages(true);
      const all = [first, one, { ...summary, ts: second(30) - 1 }, ...rest];
      const path = task(all, bills);
      const { usages, unused } = await usagesOf(path);
      expect(usages.filter((usage) => usage !== null)).toEqual([
        [10, 2, 0, 900],
        [100, 3, 900, 0],
      ]);
      expect(unused).not.toHaveProperty(['ui_messages.json/usage']);
      expect(unused).not.toHaveProperty([`message/${role}.isSummary`]);
      const read = messagesOf(await importFile(path));
      expect(read.map(({ origin }) => origin?.kind === 'summary')).toEqual(
        all.map((_, at) => at === 2),
      );
      expect(read.at(-1)?.response?.usage?.input_tokens).toBe(100);
    },
  );

  const tokens = (...all: readonly number[]) =>
    all.map((tokensIn, at) => request(10 * at + 1, { tokensIn, tokensOut: 0 }));
  const inputs = async (path: string) => {
    const { usages, unused } = await usagesOf(path);
    return [usages.map((usage) => usage?.[0] ?? null), unused['ui_messages.json/usage'] ?? 0];
  };

  test('without times: one sent again and one without counts make the numbers differ', async () => {
    expect(await inputs(task(messages(false), tokens(111, 112, 0)))).toEqual([[null, null], 2]);
    expect(await inputs(task(messages(false), tokens(111, 0)))).toEqual([[111, null], 0]);
  });

  test('one reply without a time leaves the others theirs', async () => {
    const untimed = (place: number) =>
      [
        ...messages(true),
        { role: 'user', content: said('More.') },
        { ...messages(true)[3], ts: second(50) },
      ].map((message, at) => (at === place ? { ...message, ts: undefined } : message));
    const shown = [1, 21, 41].map((at) => request(at, { tokensIn: at, tokensOut: 0 }));
    const again = [request(22, { tokensIn: 22, tokensOut: 0 }), request(42, { tokensIn: 42 })];
    expect(await inputs(task(untimed(3), shown))).toEqual([[1, 21, 41], 0]);
    expect(await inputs(task(untimed(5), shown))).toEqual([[1, 21, 41], 0]);
    const more = [...shown, ...again].sort((one, other) => one.ts - other.ts);
    expect(await inputs(task(untimed(3), more))).toEqual([[1, null, 42], 3]);
    expect(await inputs(task(untimed(1), more))).toEqual([[null, 22, 42], 3]);
  });

  test.each<readonly [string, (file: string) => unknown]>([
    ['a pipe that nobody writes', (file) => execFileSync('mkfifo', [file])],
    ['a folder', (file) => mkdirSync(file)],
    ['a link in a circle', (file) => symlinkSync(file, file)],
  ])('%s in place of them is a problem', async (_, make) => {
    const path = task(messages(true), bills);
    const file = join(dirname(path), 'ui_messages.json');
    rmSync(file);
    make(file);
    const { usages, problems } = await usagesOf(path);
    expect(usages).toEqual([null, null]);
    expect(problems).toMatchObject([{ kind: 'unreadable-file', file }]);
  });

  test('an abort while they are read ends the import', async () => {
    const path = task(messages(true), [...bills, 'x'.repeat(5_000_000)]);
    const asked: string[] = [];
    // the signal is looked at last while the bills are read
    const counting = { throwIfAborted: () => void asked.push('') } as unknown as AbortSignal;
    await importFile(path, { signal: counting });
    let left = asked.length;
    const stop = new Error('stop');
    const throwIfAborted = (): void => {
      left -= 1;
      if (left === 0) throw stop;
    };
    const signal = { throwIfAborted } as unknown as AbortSignal;
    await expect(importFile(path, { signal })).rejects.toBe(stop);
    expect(asked.length).toBeGreaterThan(5);
  });

  test('requests in another order than their times', async () => {
    expect(await inputs(task(messages(true), bills.toReversed()))).toEqual([[10, 100], 0]);
  });

  test('twenty thousand replies take their bills in about the time that they take without', async () => {
    const count = 20_000;
    const long = Array.from({ length: 2 * count }, (_, at) => ({
      ...{ role: at % 2 === 0 ? 'user' : 'assistant', content: said(`${at}`), ts: second(10 * at) },
    }));
    const shown = long.flatMap((_, at) =>
      at % 2 === 0 ? [request(10 * at + 1, { tokensIn: at + 1, tokensOut: 0 })] : [],
    );
    const spent = async (path: string): Promise<number> => {
      const before = process.cpuUsage();
      await importFile(path);
      return process.cpuUsage(before).user;
    };
    const [without, withBills] = [task(long, []), task(long, shown)];
    await spent(without);
    const plain = await spent(without);
    expect(await spent(withBills)).toBeLessThan(4 * plain);
    const { usages } = await usagesOf(withBills);
    expect(usages.map((usage) => usage?.[0])).toEqual(usages.map((_usage, at) => 2 * at + 1));
  });

  test('a damaged file of them is a problem', async () => {
    const { problems } = await usagesOf(task(messages(true), { no: 'list' }));
    expect(problems).toMatchObject([{ kind: 'unreadable-file' }]);
  });
});

describe('Goose: the database', () => {
  const exported = JSON.parse(fixtureText('goose/export.json'));

  function goose(path: string, sessions: readonly string[]): DatabaseSync {
    const database = new DatabaseSync(path);
    database.exec(`CREATE TABLE schema_version (version INTEGER);
      CREATE TABLE sessions (id TEXT PRIMARY KEY, created_at TIMESTAMP, model_config_json TEXT);
      CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT,
        role TEXT, content_json TEXT, created_timestamp INTEGER, metadata_json TEXT)`);
    const session = database.prepare('INSERT INTO sessions VALUES (?, ?, ?)');
    const message = database.prepare(
      'INSERT INTO messages (message_id, session_id, role, content_json, created_timestamp, metadata_json) VALUES (?, ?, ?, ?, ?, ?)',
    );
    for (const id of sessions) {
      session.run(id, id, JSON.stringify(exported.model_config));
      for (const { id: own, role, content, created, metadata } of exported.conversation) {
        message.run(own, id, role, JSON.stringify(content), created, JSON.stringify(metadata));
      }
    }
    return database;
  }

  test('gives what the export of a session gives, also while it is in use', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'sessions.db');
    const database = goose(path, ['20260601_1', '20260601_2']);
    database.exec('PRAGMA journal_mode = WAL');
    const places = await findSessions([folder]);
    expect(places.map((place) => basename(place))).toEqual([
      'sessions.db#20260601_1',
      'sessions.db#20260601_2',
    ]);
    const read = await importFile(places[0] ?? '');
    expect(mainEntries(read)).toEqual(
      mainEntries(await importText(fixtureText('goose/export.json'))),
    );
    expect(read).toMatchObject({ format: 'goose', id: '20260601_1' });
    database.close();
    await expect(importFile(path)).rejects.toMatchObject({ code: 'many-sessions' });
  });

  test('damaged rows are counted', async () => {
    const path = join(temporaryFolder(), 'sessions.db');
    const database = goose(path, ['a']);
    database.exec("UPDATE messages SET content_json = '[{' WHERE id = 2");
    database.close();
    const { problems } = await importFile(path);
    expect(problems).toContainEqual(expect.objectContaining({ kind: 'bad-json' }));
  });
});

describe('Qwen Code', () => {
  test('a fork is paid by its parent, as far as it copied it', async () => {
    const lines = fixtureText('qwen-code/session.jsonl').trimEnd().split('\n');
    const copied = lines.slice(0, 6).map((line) => ({
      ...JSON.parse(line),
      sessionId: 'fork',
      forkedFrom: { sessionId: '7d0c', messageUuid: JSON.parse(line).uuid },
    }));
    const own = lines.slice(6, 8).map((line) => ({ ...JSON.parse(line), sessionId: 'fork' }));
    const session = await importText(jsonLines([...copied, ...own]));
    expect(session).toMatchObject({ id: 'fork', parent: { id: '7d0c', kind: 'fork' } });
    const paid = messagesOf(session).filter(({ response }) => response?.usage !== undefined);
    expect(paid).toHaveLength(1);
    expect(messagesOf(session).flatMap(({ response }) => response?.id ?? [])).toEqual([
      'q2',
      'q5',
      'q7',
    ]);
  });
});

describe('case 364: Copilot CLI, what a session came to', () => {
  const event = (type: string, data: unknown, index: number) => ({
    type,
    data,
    id: `e${index}`,
    timestamp: '2026-06-01T08:00:00.000Z',
    parentId: null,
  });
  const totalsOf = (session: ImportedSession) =>
    mainEntries(session).flatMap((entry) =>
      entry.type === 'note' && (entry.data as { kind?: string }).kind === 'usage-total'
        ? [entry.data]
        : [],
    );
  const usage = { inputTokens: 900, outputTokens: 40, cacheReadTokens: 700, cacheWriteTokens: 0 };

  test('by model, one for each process that ended', async () => {
    const shutdown = {
      shutdownType: 'routine',
      modelMetrics: {
        'gpt-5.5': { requests: { count: 3, cost: 1 }, usage },
        idle: { requests: { count: 0 }, usage: { inputTokens: 0 } },
      },
      tokenDetails: { input: { tokenCount: 200 } },
    };
    const session = await importText(
      jsonLines([
        event('session.start', { sessionId: 's' }, 0),
        event('user.message', { content: 'Go.' }, 1),
        event('session.shutdown', shutdown, 2),
        event('session.resume', {}, 3),
        event('session.shutdown', shutdown, 4),
      ]),
    );
    const total = { kind: 'usage-total', model: 'gpt-5.5', requests: 3, ...usage };
    expect(totalsOf(session)).toEqual([total, total]);
    expect(session.unused).toMatchObject({ 'session.shutdown.shutdownType': 2 });
  });

  test('in all, where it does not tell by model', async () => {
    const tokenDetails = {
      input: { tokenCount: 200 },
      output: { tokenCount: 40 },
      cache_read: { tokenCount: 700 },
    };
    const session = await importText(
      jsonLines([
        event('user.message', { content: 'Go.' }, 1),
        event(
          'session.shutdown',
          { currentModel: 'gpt-5.5', tokenDetails, modelMetrics: { x: 7 } },
          2,
        ),
        event('session.shutdown', { modelMetrics: null }, 3),
      ]),
    );
    expect(totalsOf(session)).toEqual([
      { kind: 'usage-total', model: 'gpt-5.5', ...usage, inputTokens: 200 },
    ]);
  });
});

describe('a session a line', () => {
  const trajectory = (id: string, more = {}) => ({
    schema_version: 'ATIF-1.7',
    session_id: id,
    agent: { name: 'a', version: '1', model_name: 'gpt-5.5' },
    steps: [
      { step_id: 1, source: 'user', message: `Do ${id}.` },
      { step_id: 2, source: 'agent', message: `Done ${id}.` },
    ],
    ...more,
  });
  const goose = (id: string) => ({
    id,
    working_dir: '/',
    conversation: ['user', 'assistant'].map((role, index) => ({
      role,
      created: index,
      content: [{ type: 'text', text: `${role} ${id}` }],
    })),
  });
  const threadsOf = ({ threads }: Awaited<ReturnType<typeof importText>>) =>
    threads.map(({ id, kind, entries }) => [
      id,
      kind,
      entries.filter(({ type }) => type === 'message').length,
    ]);
  const replyIds = ({ threads }: Awaited<ReturnType<typeof importText>>) =>
    threads.flatMap(({ entries }) =>
      entries.flatMap((entry) =>
        entry.type === 'message' ? (entry.message.response?.id ?? []) : [],
      ),
    );

  test.each([
    ['ATIF', trajectory],
    ['Goose', goose],
  ])('of %s: each has a main thread; one that stands twice is read once', async (_of, make) => {
    const read = await importText(jsonLines([make('s1'), make('s2'), make('s1')]));
    expect(threadsOf(read)).toEqual([
      ['main', 'main', 2],
      ['s2', 'main', 2],
    ]);
    expect(read.id).toBe('s1');
    expect(problemKinds(read)).toEqual(['duplicate-record @3']);
    expect(new Set(replyIds(read)).size).toBe(2);
  });

  test('sub-agents of ATIF that share the id of the session have replies of their own', async () => {
    const below = { subagent_trajectories: [trajectory('s1'), trajectory('s1')] };
    const read = await importText(jsonLines([trajectory('s1', below)]));
    expect(replyIds(read)).toEqual(['s1:main:step-2', 's1:s1:step-2', 's1:s1#2:step-2']);
    expect(threadsOf(read).map(([, kind]) => kind)).toEqual(['main', 'sub-agent', 'sub-agent']);
  });
});

describe('Goose: what the model was not shown', () => {
  const hidden = { userVisible: true, agentVisible: false };
  const message = (text: string, role: string, metadata = {}) => ({
    ...{ id: text, role, created: 1, metadata },
    content: [{ type: 'text', text }],
  });

  test('a summary that the next one hid stands for what was before it; a notice is no reply', async () => {
    const conversation = [
      message('a', 'user', hidden),
      message('b', 'assistant', hidden),
      message('one', 'user', { userVisible: false, agentVisible: false }),
      message('c', 'user', hidden),
      message('d', 'assistant', hidden),
      message('two', 'user', { userVisible: false, agentVisible: true }),
      message('e', 'user'),
      message('notice', 'assistant', hidden),
      message('f', 'assistant'),
    ];
    const read = await importText(JSON.stringify({ id: 'g', working_dir: '/', conversation }));
    const all = messagesOf(read).map(({ id }) => id);
    expect(all).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    const seen = project(mainEntries(read)).messages.map(({ id }) => id);
    expect(seen).toEqual(['two', 'e', 'f']);
    expect(read.unused).toMatchObject({ 'message/hidden': 1 });
  });
});
