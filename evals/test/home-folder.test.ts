import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test, vi } from 'vitest';
import { reportSchema } from '../src/index.ts';
import { main } from '../src/main.ts';
import { lookForSessions } from '../src/session/session-files.ts';
import { claudeLines } from './claude-files.ts';
import { temporaryFolder } from './files.ts';
import { generatedSteps } from './sessions.ts';

const formats = join(import.meta.dirname, '../../fixtures/formats');

const ID = '0a1b2c3d-0000-4000-8000-00000000000a';

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(join(formats, from), to);
}

/** A session in the tables of OpenCode's database. */
function openCode(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, version TEXT, time_created INTEGER, time_updated INTEGER);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
  `);
  const { info, messages } = JSON.parse(
    readFileSync(join(formats, 'opencode/session.json'), 'utf8'),
  );
  database
    .prepare('INSERT INTO session VALUES (?, NULL, ?, ?, ?, 1, 2)')
    .run(info.id, '/p', 't', '1.2.20');
  for (const [at, { info: own, parts }] of messages.entries()) {
    database
      .prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)')
      .run(own.id, info.id, at, at, JSON.stringify(own));
    for (const [place, part] of parts.entries()) {
      database
        .prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)')
        .run(part.id ?? `p${at}-${place}`, own.id, info.id, place, place, JSON.stringify(part));
    }
  }
  database.close();
}

/** A home in which five agents, and one whose sessions cannot be read, have worked. */
function homeFolder(): string {
  const home = temporaryFolder();
  const project = join(home, '.claude/projects/-home-kim-tide');
  const steps = generatedSteps({ seed: 1, calls: 10, lines: 4, project: 'Tide' });
  const replyIds = (at: number): string => `msg_tide_${at}`;
  put(join(project, `${ID}.jsonl`), claudeLines(steps, { sessionId: ID, replyIds }).join('\n'));
  // resumed into another file, as earlier versions did
  put(
    join(project, 'b2.jsonl'),
    claudeLines(steps.slice(0, 8), { sessionId: 'b2', replyIds }).join('\n'),
  );
  put(
    join(project, `${ID}/subagents/agent-c3.jsonl`),
    claudeLines([{ user: 'Look around.' }, { say: 'Seen.' }], {
      ...{ sessionId: ID, agentId: 'c3' },
      replyIds: (at) => `msg_agent_${at}`,
    }).join('\n'),
  );
  put(join(home, '.claude/settings.json'), '{"theme":"dark"}');
  copy('codex/session.jsonl', join(home, '.codex/sessions/2026/06/01/rollout-a.jsonl'));
  copy('gemini-cli/session.json', join(home, '.gemini/tmp/0a1b/chats/session-1.json'));
  copy('copilot-cli/session.jsonl', join(home, '.copilot/session-state/x/events.jsonl'));
  openCode(join(home, '.local/share/opencode/opencode.db'));
  const cursor = [
    { role: 'user', message: { content: [{ type: 'text', text: 'Mend it.' }] } },
    { role: 'assistant', message: { content: [{ type: 'text', text: 'Mended.' }] } },
  ];
  put(
    join(home, '.cursor/projects/p/agent-transcripts/t.jsonl'),
    cursor.map((line) => JSON.stringify(line)).join('\n'),
  );
  put(join(home, '.kimi/sessions/readme.txt'), 'nothing');
  return home;
}

async function typed(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const said = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      said[stream] += text;
      return true;
    }),
  );
  const code = await main([...args, '--out', temporaryFolder(), '--jobs', '1']);
  for (const spy of spies) spy.mockRestore();
  return { code, ...said };
}

describe('a newcomer’s home folder (line 5)', () => {
  const home = homeFolderOnce();

  test('the screen says what was read of whom, what counts once and what was not read', async () => {
    const { code, stdout, stderr } = await typed(home());
    expect([code, stderr.includes('varve-evals:')]).toEqual([0, false]);
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      'Read: 6 files (Claude Code 2, Codex 1, Copilot CLI 1, Gemini CLI 1, OpenCode 1).',
    );
    expect(text).toMatch(/Billed \$\d+\.\d\d at list prices for \d+ of \d+ requests, each once/);
    expect(text).toContain('by 2 sub-agents');
    expect(text).toContain('Left out of all other figures: 1 copy');
    expect(text).toMatch(/Not read: [^.]*\.cursor\/projects\/p\/agent-transcripts\/t\.jsonl/);
    expect(text).toContain('from Cursor');
    expect(text).toContain('of Kimi CLI: no file there can be read as a session');
    expect(text).toContain('Read are sessions of Claude Code, Codex');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(stdout).not.toContain('settings.json');
  });

  test('the same stands in --json and with --all', async () => {
    const report = reportSchema.parse(JSON.parse((await typed(home(), '--json')).stdout));
    expect(report.read.map(({ format }) => format).sort()).toEqual([
      'claude-code',
      'claude-code',
      'codex',
      'copilot-cli',
      'gemini-cli',
      'opencode',
    ]);
    expect(report.skipped.map(({ file }) => file)).toEqual([
      '.cursor/projects/p/agent-transcripts/t.jsonl',
      '.kimi/sessions',
    ]);
    expect(report.bills.subAgents).toMatchObject({ threads: 2, requests: 3 });
    const { stdout } = await typed(home(), '--all');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Read: 6 files (Claude Code 2,');
  });

  test('an agent’s own folder is as good as the home', async () => {
    const { files } = await lookForSessions([join(home(), '.claude')]);
    expect(files.map(({ name, agent }) => [name, agent])).toEqual([
      [`projects/-home-kim-tide/${ID}.jsonl`, 'Claude Code'],
      ['projects/-home-kim-tide/b2.jsonl', 'Claude Code'],
    ]);
  });

  test('a database that is named itself lies in its own folder', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'opencode.db');
    openCode(path);
    const [inFolder, named] = [await lookForSessions([folder]), await lookForSessions([path])];
    expect(named.files[0]?.name).toMatch(/^opencode\.db#\w+$/);
    expect(named).toEqual(inFolder);
  });

  test('a sub-agent of a session whose file was renamed is read on its own', async () => {
    const folder = temporaryFolder();
    const agent = { sessionId: ID, agentId: 'c3', replyIds: (at: number) => `agent_${at}` };
    const steps = [{ user: 'Look.' }, { say: 'Seen.' }];
    put(join(folder, 'mine.jsonl'), claudeLines(steps, { sessionId: ID }).join('\n'));
    put(join(folder, 'mine/subagents/agent-c3.jsonl'), claudeLines(steps, agent).join('\n'));
    const { files } = await lookForSessions([folder]);
    expect(files.map(({ name }) => name)).toEqual(['mine.jsonl', 'mine/subagents/agent-c3.jsonl']);
  });

  test('a link to nothing in a folder is a file that was not read, and no failure; one that was named is', async () => {
    const folder = temporaryFolder();
    copy('codex/session.jsonl', join(folder, 'good.jsonl'));
    symlinkSync(join(folder, 'gone.jsonl'), join(folder, 'link.jsonl'));
    const { code, stdout } = await typed(folder);
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/Not read: .*link\.jsonl/);
    expect((await typed(join(folder, 'link.jsonl'))).code).toBe(2);
    const refused = await typed('--json', join(folder, 'good.jsonl'), join(folder, 'link.jsonl'));
    expect(refused.code).toBe(2);
  });

  test('damaged, foreign and empty beside good: what was read, what was not and why', async () => {
    const mixed = homeFolder();
    const store = join(mixed, '.local/share/opencode');
    const foreign = new DatabaseSync(join(store, 'other.db'));
    foreign.exec('CREATE TABLE note (id text)');
    foreign.close();
    const inUse = new DatabaseSync(join(store, 'opencode.db'));
    inUse.exec("BEGIN IMMEDIATE; UPDATE session SET title = 'busy'");
    const day = join(mixed, '.codex/sessions/2026/06/02');
    const whole = readFileSync(join(formats, 'codex/session.jsonl'), 'utf8');
    put(join(day, 'rollout-cut.jsonl'), whole.slice(0, -40));
    put(join(day, 'rollout-zeros.jsonl'), '\0'.repeat(400));
    put(join(day, 'rollout-empty.jsonl'), '');
    mkdirSync(join(mixed, '.qwen/projects'), { recursive: true });
    symlinkSync(join(day, 'gone.jsonl'), join(day, 'rollout-link.jsonl'));
    for (const at of [1, 2, 3]) put(join(day, `rollout-noise-${at}.jsonl`), `\u0001\u0002${at}`);
    const { code, stdout } = await typed(mixed);
    inUse.close();
    const text = stdout.replaceAll(/\s+/g, ' ');
    // what lies in an agent's place and cannot be read at all is a damaged session
    expect(code).toBe(1);
    expect(text).toMatch(
      /Refused: 4 files: .*rollout-noise-1\.jsonl, [^ ]*noise-2\.jsonl, [^ ]*noise-3\.jsonl \(of Codex: nothing in the file is JSON/,
    );
    expect(text).toMatch(
      /rollout-zeros\.jsonl \(of Codex: nothing but NUL bytes [^)]*take it from a backup/,
    );
    expect(text).toMatch(/Read: \d+ files \(Claude Code 2, Codex \d/);
    expect(text).toContain('OpenCode 1');
    for (const name of [
      'other.db',
      'rollout-zeros.jsonl',
      'rollout-empty.jsonl',
      'rollout-link.jsonl',
    ])
      expect(text).toContain(name);
  });

  test('a home in which only others have worked says whose cannot be read', async () => {
    const other = temporaryFolder();
    put(join(other, '.kimi/sessions/readme.txt'), 'nothing');
    const { code, stderr } = await typed(other);
    expect(code).toBe(2);
    expect(stderr).toContain('.kimi/sessions (of Kimi CLI: no file there');
  });
});

describe('what cannot be read', () => {
  const damaged = (): string => {
    const folder = join(temporaryFolder(), '.codex/sessions');
    for (let at = 0; at < 10; at++) put(join(folder, `rollout-${at}.jsonl`), '\0'.repeat(40));
    return folder;
  };

  test.each([['eval'], ['validate'], ['summaries']])(
    '%s --json without one readable file is a document with what was refused',
    async (command) => {
      const args = command === 'eval' ? [] : [command];
      const folder = damaged();
      const said = { stdout: '', stderr: '' };
      const spies = (['stdout', 'stderr'] as const).map((stream) =>
        vi.spyOn(process[stream], 'write').mockImplementation((text) => {
          said[stream] += text;
          return true;
        }),
      );
      const code = await main([
        ...args,
        '--json',
        '--sessions',
        folder,
        '--out',
        temporaryFolder(),
      ]);
      for (const spy of spies) spy.mockRestore();
      expect(code).toBe(2);
      expect(said.stderr).toMatch(/^varve-evals: [^\n]*rollout-7\.jsonl and 2 more \(of Codex/);
      const document = JSON.parse(said.stdout);
      expect(document).toMatchObject({ error: { code: 'no-sessions' }, read: [], skipped: [] });
      expect(document.refused).toHaveLength(10);
    },
  );

  test('of one file it is said in words', async () => {
    const folder = temporaryFolder();
    put(join(folder, 'a.jsonl'), 'nothing');
    expect((await typed(folder)).stderr).toContain('The one file found there cannot be read');
  });

  test('a copy elsewhere does not stand for the file in the agent’s own place, in any order', async () => {
    const root = temporaryFolder();
    const [own, copies] = [join(root, '.codex/sessions'), join(root, 'a')];
    copy('codex/session.jsonl', join(own, '2026/06/01/rollout-a.jsonl'));
    copy('codex/session.jsonl', join(copies, 'rollout-a.jsonl'));
    for (const order of [
      [own, copies],
      [copies, own],
      [own, copies, root],
    ]) {
      const { leftOut } = JSON.parse((await typed('--json', ...order)).stdout);
      const found = leftOut.find(({ why }: { why: string }) => why === 'copy');
      expect(found?.of).toContain('2026/06/01/rollout-a.jsonl');
    }
  });
});

/** Made once for the tests of this file. */
function homeFolderOnce(): () => string {
  let found: string | undefined;
  return () => {
    found = homeFolder();
    return found;
  };
}
