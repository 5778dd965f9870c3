import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createContext } from '@varve/context';
import { createDream, type RunFork } from '@varve/dream';
import { consolidateLock, sessionFolder } from '@varve/dream/node';
import type { ReplyLike } from '@varve/emulator';
import { createMemdir } from '@varve/memdir';
import { checkMemoryWrite, diskFolder, memoryPath } from '@varve/memdir/node';
import type { Message } from '@varve/messages';
import { send } from '@varve/models';
import { openLog } from '@varve/transcript/node';
import { describe, expect, test } from 'vitest';
import { clientOf, start } from './fork-support.ts';
import { NOW, rule, save, temporaryFolder } from './memory-support.ts';

const MODEL = 'claude-opus-5-5';
const SMALL = 'claude-haiku-4-5';

/** A context with memory in a folder; extraction is asked by the small model, whose replies are handed out in order. */
async function begin(path: string, extracted: ReplyLike[], more: object = {}) {
  const emulator = await start({
    replies: ({ body }) =>
      body.model === MODEL ? 'Good. '.repeat(200) : (extracted.shift() ?? 'None.'),
    keepRequests: 1_000,
  });
  const client = clientOf('anthropic', emulator);
  const memory = createMemdir({ folder: diskFolder(path), now: () => NOW });
  const options = {
    ...{ model: MODEL, system: 'You check files.', now: () => NOW },
    memory: { memory, extraction: { client, model: SMALL, ...more } },
    compaction: { summarize: 'ledger', keepTokens: 100 },
    call: (request: Parameters<typeof send>[1], calling: object) => send(client, request, calling),
  } as const;
  const context = createContext(options);
  const turn = async (text: string, given = context) => {
    await given.user(text);
    await given.send();
  };
  const bodies = (model: string): readonly string[] =>
    emulator.requests
      .map(({ body }) => new TextDecoder().decode(body))
      .filter((body) => JSON.parse(body).model === model);
  return { context, memory, options, turn, bodies };
}

/** A child of a dream that makes these calls. */
const childOf =
  (calls: readonly { readonly name: string; readonly input: object }[], heard: string[]): RunFork =>
  async ({ directive, runTool, onMessage }) => {
    heard.push(directive);
    for (const [at, call] of calls.entries()) {
      const block = { type: 'tool_use' as const, id: `d${at}`, ...call } as never;
      onMessage({ role: 'assistant', content: [{ type: 'text', text: 'DREAM-TEXT' }, block] });
      heard.push((await runTool(block)).content);
    }
    return { kind: 'done' };
  };

const memoryFile = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: About ${name}\ntype: project\nmodified: 2026-03-01T10:00:00Z\n---\n\n${body}\n`;

/** Folders that hold Markdown, hidden ones aside. */
const foldersWithMarkdown = (base: string): readonly string[] => [
  ...new Set(
    (readdirSync(base, { recursive: true }) as string[])
      .filter(
        (name) => name.endsWith('.md') && !/(?:^|\/)\./.test(name.slice(name.indexOf('memory'))),
      )
      .map((name) => dirname(join(base, name))),
  ),
];

describe('case 215', () => {
  test.each([
    ['the folder of the project', false],
    ['a folder that was given', true],
  ])(
    'the main agent, extraction and the dream write into %s, from a worktree too, and no second one is made',
    async (_, isGiven) => {
      const base = temporaryFolder();
      const cwd = join(base, 'my_repo v1.2 (new)');
      mkdirSync(join(cwd, 'src.d'), { recursive: true });
      const git = (...args: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
          ...{ cwd, stdio: 'ignore' },
        });
      git('init', '-q');
      git('commit', '-q', '--allow-empty', '-m', 'x');
      git('worktree', 'add', '-q', '--detach', join(base, 'tree_two'));
      const root = join(base, 'config');
      const folder = isGiven ? join(base, 'elsewhere', 'my memory') : undefined;
      const pathFrom = (from: string) => memoryPath({ cwd: from, root, folder });
      const path = pathFrom(join(cwd, 'src.d'));
      expect([pathFrom(cwd), pathFrom(join(base, 'tree_two'))]).toEqual([path, path]);

      // the main agent, with a write tool of its own, which believes in a folder that it made up
      const write = (to: string, text: string): string => {
        const checked = checkMemoryWrite(to, { folder: path, cwd });
        if (checked.kind === 'refused') return checked.message;
        mkdirSync(dirname(to), { recursive: true });
        writeFileSync(to, text);
        return 'Written.';
      };
      const madeUp = join(root, 'projects', cwd.replace(/[^a-z0-9]/gi, '-'), 'memory', 'kiln.md');
      const answer = write(madeUp, memoryFile('Kiln', 'The kiln door sticks.'));
      expect(answer).toContain(path);
      expect(write(join(path, 'kiln.md'), memoryFile('Kiln', 'The kiln door sticks.'))).toBe(
        'Written.',
      );

      // extraction, in a worktree
      const said = 'Always answer in short sentences.';
      const saved = save({ name: 'Style', type: 'feedback', statements: [rule(said, 1)] });
      const { context, memory, turn, bodies } = await begin(pathFrom(join(base, 'tree_two')), [
        { content: [saved] },
      ]);
      await turn(said);
      await context.close();
      expect(bodies(MODEL)[0]).toContain(JSON.stringify(`The folder is ${path}\n`).slice(1, -3));

      // the dream, from a folder below
      const dreamPath = pathFrom(join(cwd, 'src.d'));
      const heard: string[] = [];
      const quotes = [{ source: 'kiln.md', quote: 'The kiln door sticks' }];
      const retype = { path: 'kiln.md', type: 'reference', reason: 'r', quotes };
      const dream = createDream({
        ...{
          memory: createMemdir({ folder: diskFolder(dreamPath), now: () => NOW }),
          now: () => NOW,
        },
        lock: consolidateLock(dreamPath),
        runFork: childOf([{ name: 'retype_memory', input: retype }], heard),
      });
      expect(await dream.dreamNow()).toMatchObject({ kind: 'completed', report: { improved: 1 } });
      expect(heard[0]).toContain(`Memory folder: ${path}\n`);

      expect((await memory.scan()).files.map((file) => file.path).sort()).toEqual([
        'feedback_style.md',
        'kiln.md',
      ]);
      expect(foldersWithMarkdown(base)).toEqual([path]);
    },
  );
});

describe('case 225', () => {
  test('no text of an extraction or a dream stands in a request, the log, a summary, a session that goes on, or what the next dream reads', async () => {
    const base = temporaryFolder();
    const [path, transcripts] = [join(base, 'memory'), join(base, 'sessions')];
    const said = 'Always answer in short sentences.';
    const saved = save({ name: 'Style', type: 'feedback', statements: [rule(said, 1)] });
    const { context, memory, options, turn, bodies } = await begin(path, [
      { content: [{ type: 'text', text: 'EXTRACTION-TEXT' }, saved] },
      'EXTRACTION-TEXT',
    ]);
    await memory.folder.replace('kiln.md', memoryFile('Kiln', 'The kiln door sticks.'), {
      basis: undefined,
    });
    await turn(said);
    mkdirSync(transcripts);
    const sessions = sessionFolder(transcripts);
    const keep = async (entries: ReturnType<typeof context.entries>, name: string) => {
      const log = await openLog(join(transcripts, `${name}.jsonl`));
      for (const entry of entries) await log.append(entry);
      await log.close();
    };
    const heard: string[] = [];
    const quotes = [{ source: 'kiln.md', quote: 'The kiln door sticks' }];
    const retype = { path: 'kiln.md', type: 'reference', reason: 'DREAM-REASON', quotes };
    const dreamOnce = async (calls: Parameters<typeof childOf>[0]) => {
      const dream = createDream({
        ...{ memory, sessions, now: () => NOW, lock: consolidateLock(path) },
        runFork: childOf(calls, heard),
      });
      return dream.dreamNow();
    };
    expect(await dreamOnce([{ name: 'retype_memory', input: retype }])).toMatchObject({
      kind: 'completed',
    });
    for (const at of [1, 2, 3]) await turn(`What is the capital of country ${at}?`);
    expect((await context.compact()).kind).toBe('compacted');
    await turn('And of country 4?');
    await context.close();
    const again = createContext({ ...options, entries: context.entries() });
    await turn('And of country 5?', again);
    await again.close();
    await keep(again.entries(), 'today');
    heard.length = 0;
    await dreamOnce([
      { name: 'search_sessions', input: { words: 'extraction-text' } },
      { name: 'search_sessions', input: { words: 'dream-text' } },
      { name: 'search_sessions', input: { words: 'country 5' } },
    ]);
    expect(heard.slice(1)).toEqual([
      'Nothing was found.',
      'Nothing was found.',
      'today user: And of country 5?',
    ]);
    const seen = [...bodies(MODEL), JSON.stringify(again.entries()), heard[0] ?? ''];
    for (const text of seen)
      expect(text).not.toMatch(/EXTRACTION-TEXT|DREAM-TEXT|DREAM-REASON|retype_memory|save_memory/);
    // neither has left a session that would count as one
    expect((await sessions.list({ sinceMs: 0 })).map(({ id }) => id)).toEqual(['today']);
  });
});

test('case 14: a correction in the last message, which a compaction keeps, stands in memory alone', async () => {
  const [first, last] = ['The cache size is 8.', 'Correction: the cache size is 12.'];
  const corrected = save({
    ...{ name: 'Cache size', type: 'project' },
    statements: [rule('The cache size is 12.', 5, 'the cache size is 12')],
  });
  const path = join(temporaryFolder(), 'memory');
  const { context, turn, bodies } = await begin(path, [{ content: [corrected] }], {
    everyTurns: 100,
  });
  await turn(first);
  for (const at of [1, 2, 3]) await turn(`What is the capital of country ${at}?`);
  expect((await context.compact()).kind).toBe('compacted');
  await turn(last);
  await context.close();
  const asked = JSON.parse(bodies(SMALL)[0] ?? '').messages[0].content[0].text as string;
  for (const text of [first, last]) expect(asked).toContain(JSON.stringify(text));
  const text = readFileSync(join(path, 'project_cache_size.md'), 'utf8');
  expect(text).toContain('The cache size is 12.');
  expect(text).not.toContain('8');
});

test('D8: a model that reads without end is asked five times', async () => {
  const path = join(temporaryFolder(), 'memory');
  const reads: ReplyLike[] = Array.from({ length: 20 }, (_, at) => ({
    content: [{ type: 'tool_use', id: `r${at}`, name: 'read_memory', input: { path: 'a.md' } }],
  }));
  const { context, turn, bodies } = await begin(path, reads);
  await turn('Always answer in short sentences.');
  await context.close();
  expect(bodies(SMALL)).toHaveLength(5);
  const roles = (JSON.parse(bodies(SMALL).at(-1) ?? '').messages as Message[]).map(
    ({ role }) => role,
  );
  expect(roles.at(-1)).toBe('user');
});
