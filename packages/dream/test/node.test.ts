import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLog } from '@varve/transcript/node';
import { describe, expect, test } from 'vitest';
import { gitLookup, sessionFolder } from '../src/node/index.ts';
import { child, fileText, NOW, temporaryFolder, testDream } from './support.ts';

async function session(
  path: string,
  texts: readonly (readonly ['user' | 'assistant', string, object?])[],
) {
  const log = await openLog(path);
  for (const [at, [role, text, more]] of texts.entries()) {
    const message = { id: `m${at}`, role, content: [{ type: 'text', text }], ...more } as const;
    await log.append({ id: `e${at}`, at: '2026-11-29T10:00:00Z', type: 'message', message });
  }
  await log.close();
}

describe('sessionFolder', () => {
  test('E3 what a person and the model said, with its time; nothing that was put in', async () => {
    const folder = temporaryFolder();
    await session(join(folder, 's1.jsonl'), [
      ['user', '<system-reminder>Recalled: port 1.</system-reminder>The port is 5432.'],
      ['assistant', 'Noted: the port is 5432.'],
      ['user', 'A summary of it all.', { origin: { kind: 'summary' } }],
      ['user', 'A reminder.', { origin: { kind: 'reminder' } }],
    ]);
    const sessions = sessionFolder(folder);
    expect(await sessions.read('s1', {})).toEqual([
      { by: 'user', text: 'The port is 5432.', atMs: Date.parse('2026-11-29T10:00:00Z') },
      {
        by: 'assistant',
        text: 'Noted: the port is 5432.',
        atMs: Date.parse('2026-11-29T10:00:00Z'),
      },
    ]);
    expect(await sessions.read('../s1', {})).toEqual([]);
  });

  test('E1 225 those touched since, in sub-folders too; runs of dreams and extractions are none', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'day'));
    for (const [at, name] of ['old', 'new', 'day/deep', 'dream'].entries()) {
      await session(join(folder, `${name}.jsonl`), [
        [
          'user',
          'Hello.',
          name === 'dream' ? { origin: { kind: 'synthetic', source: 'auto_dream' } } : {},
        ],
      ]);
      utimesSync(join(folder, `${name}.jsonl`), NOW / 1_000, (NOW + at * 1_000) / 1_000);
    }
    const listed = await sessionFolder(folder).list({ sinceMs: NOW });
    expect(listed.map(({ id, touchedMs }) => [id, Math.round(touchedMs) - NOW]).sort()).toEqual([
      ['day/deep', 2_000],
      ['new', 1_000],
    ]);
  });

  test('a folder that is not there has no sessions', async () => {
    const sessions = sessionFolder(join(temporaryFolder(), 'none'));
    expect([await sessions.list({ sinceMs: 0 }), await sessions.read('x', {})]).toEqual([[], []]);
  });
});

describe('hostile sessions', () => {
  test('D7 links to folders and special files are not followed; what is no transcript ends no dream, and an id leads nowhere else', async () => {
    const folder = temporaryFolder();
    const outside = temporaryFolder();
    await session(join(outside, 'secret.jsonl'), [['user', 'Kept outside.']]);
    await session(join(folder, 'good.jsonl'), [['user', 'The port is 5432.']]);
    symlinkSync(outside, join(folder, 'dir'));
    writeFileSync(join(folder, 'rubbish.jsonl'), '\0{]\n'.repeat(1_000));
    writeFileSync(join(folder, 'half.jsonl'), '{"id":"e0","at":"2026-11-29T10:0');
    writeFileSync(join(folder, 'empty.jsonl'), '');
    execFileSync('mkfifo', [join(folder, 'pipe.jsonl')]);
    const sessions = sessionFolder(folder);
    const ids = (await sessions.list({ sinceMs: 0 })).map(({ id }) => id);
    expect(ids).toContain('good');
    expect(ids).not.toContain('dir/secret');
    for (const id of [...ids, '../x', `${outside}/secret`, 'dir/secret', 'good.jsonl', '']) {
      const said = await sessions.read(id, {});
      expect([id, JSON.stringify(said)]).not.toEqual([id, expect.stringContaining('outside')]);
    }
    const { runFork, answers } = child([
      { name: 'search_sessions', input: { words: 'port' } },
      { name: 'search_sessions', input: { words: 'kept outside' } },
    ]);
    const pump = fileText('Pump', 'The pump of Ostrava runs at 9 bar.');
    const { dream } = testDream({ 'a.md': pump }, { runFork, sessions });
    expect(await dream.dreamNow()).toMatchObject({ kind: 'completed' });
    expect(answers.map(({ content }) => content)).toEqual([
      'good user: The port is 5432.',
      'Nothing was found.',
    ]);
  });
});

describe('gitLookup', () => {
  test('221 gone is only what a commit had and what is not there now', async () => {
    const root = temporaryFolder();
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@e', ...args], {
        cwd: root,
        stdio: 'ignore',
      });
    git('init', '-q');
    mkdirSync(join(root, 'src'));
    for (const name of ['kept.ts', 'moved.ts', 'deleted.ts'])
      writeFileSync(join(root, 'src', name), name);
    git('add', '.');
    git('commit', '-q', '-m', 'one');
    git('mv', 'src/moved.ts', 'src/to.ts');
    git('rm', '-q', 'src/deleted.ts');
    git('commit', '-q', '-m', 'two');
    const look = gitLookup(root);
    const found = async (path: string) => look(path, {});
    expect(await found('src/kept.ts')).toBe('there');
    expect(await found('src/moved.ts')).toBe('gone');
    expect(await found('src/deleted.ts')).toBe('gone');
    for (const path of [
      'src/never.ts',
      '../src/deleted.ts',
      '/etc/passwd',
      '~/x',
      '',
      'src/*.ts',
      ':(top)src/deleted.ts',
      '--all',
      'a\0b',
    ])
      expect([path, await found(path)]).toEqual([path, 'not-checkable']);
    expect(await gitLookup(temporaryFolder())('src/kept.ts', {})).toBe('not-checkable');
    const stop = AbortSignal.abort(new Error('stopped'));
    await expect(look('src/deleted.ts', { signal: stop })).rejects.toThrow('stopped');
  });
});
