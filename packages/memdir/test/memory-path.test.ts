import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentMemoryPaths, memoryPath } from '../src/node/index.ts';
import { temporaryFolder } from './support.ts';

const git = (cwd: string, ...args: readonly string[]): void => {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  execFileSync('git', [...identity, ...args], { cwd, stdio: 'ignore' });
};

describe('D1 where the memory of a project is', () => {
  test('109 no two paths share a folder, however alike they are', () => {
    const paths = [
      '/w/알파',
      '/w/베타',
      '/w/a-b',
      '/w/a_b',
      '/w/a.b',
      '/w/a/b',
      '/w/a b',
      `/w/${'x'.repeat(300)}`,
      `/w/${'x'.repeat(301)}`,
    ];
    const folders = paths.map((cwd) => memoryPath({ cwd, root: '/r' }));
    expect(new Set(folders).size).toBe(paths.length);
    for (const folder of folders) {
      expect(folder).toMatch(/^\/r\/projects\/[^/]{1,255}\/memory$/);
      expect(new TextEncoder().encode(folder.split('/')[3]).length).toBeLessThanOrEqual(255);
    }
  });

  test('110 both forms of an accent are one project', () => {
    const [one, other] = ['/w/caf\u00e9', '/w/cafe\u0301'].map((cwd) =>
      memoryPath({ cwd, root: '/r' }),
    );
    expect(one).toBe(other);
  });

  test('the folder itself may be given, and what is no absolute path is refused', () => {
    expect(memoryPath({ cwd: '/w/a', root: '/r', folder: '/elsewhere/memory' })).toBe(
      '/elsewhere/memory',
    );
    expect(memoryPath({ cwd: '/w/a', root: '/r', remoteRoot: '/mount' })).toMatch(
      /^\/mount\/projects\//,
    );
    expect(() => memoryPath({ cwd: 'a', root: '/r' })).toThrow(TypeError);
    expect(() => memoryPath({ cwd: '/w', root: '/r', folder: '' })).toThrow(TypeError);
    expect(() => memoryPath({ cwd: '/', root: '/r' })).toThrow(RangeError);
  });

  describe('215 119 in repositories', () => {
    let base = '';
    const at = (...names: readonly string[]) => join(base, ...names);
    const pathFrom = (...names: readonly string[]) => memoryPath({ cwd: at(...names), root: '/r' });

    test('every folder and every worktree of a repository has one memory; a submodule and a stranger have their own', () => {
      base = temporaryFolder();
      mkdirSync(at('my_repo v1.2', 'deep', 'er'), { recursive: true });
      git(at('my_repo v1.2'), 'init', '-q');
      git(at('my_repo v1.2'), 'commit', '-q', '--allow-empty', '-m', 'x');
      git(at('my_repo v1.2'), 'worktree', 'add', '-q', '--detach', at('tree one'));
      git(at('my_repo v1.2'), 'worktree', 'add', '-q', '--detach', at('tree.two'));
      mkdirSync(at('tree one', 'sub'));
      symlinkSync(at('tree.two'), at('link'));
      const own = pathFrom('my_repo v1.2');
      for (const cwd of [
        ['my_repo v1.2', 'deep', 'er'],
        ['tree one'],
        ['tree one', 'sub'],
        ['tree.two'],
        ['link'],
      ]) {
        expect(pathFrom(...cwd)).toBe(own);
      }
      git(base, 'clone', '-q', '--bare', at('my_repo v1.2'), at('bare.git'));
      git(at('bare.git'), 'worktree', 'add', '-q', '--detach', at('of-bare'));
      git(at('bare.git'), 'worktree', 'add', '-q', '--detach', at('of-bare-2'));
      expect(pathFrom('of-bare')).toBe(pathFrom('of-bare-2'));
      expect(pathFrom('of-bare')).not.toBe(own);

      // a checkout that claims to be a worktree of the repository, which does not know it
      mkdirSync(at('stranger', 'fake'), { recursive: true });
      writeFileSync(
        at('stranger', '.git'),
        `gitdir: ${at('my_repo v1.2', '.git', 'worktrees', 'tree.two')}\n`,
      );
      writeFileSync(at('stranger', 'fake', '.git'), `gitdir: ${at('my_repo v1.2', '.git')}\n`);
      expect(pathFrom('stranger')).not.toBe(own);
      expect(pathFrom('stranger', 'fake')).not.toBe(own);
      mkdirSync(at('forged', 'g'), { recursive: true });
      writeFileSync(at('forged', '.git'), 'gitdir: g\n');
      writeFileSync(at('forged', 'g', 'commondir'), at('my_repo v1.2', '.git'));
      writeFileSync(at('forged', 'g', 'gitdir'), at('forged', '.git'));
      expect(pathFrom('forged')).not.toBe(own);

      const sub = at('my_repo v1.2', 'sub');
      mkdirSync(join(sub), { recursive: true });
      mkdirSync(at('my_repo v1.2', '.git', 'modules', 'sub'), { recursive: true });
      writeFileSync(join(sub, '.git'), 'gitdir: ../.git/modules/sub\n');
      expect(memoryPath({ cwd: sub, root: '/r' })).not.toBe(own);
    });
  });

  test('D10 the three folders of an agent', () => {
    const base = temporaryFolder();
    mkdirSync(join(base, 'repo', 'src'), { recursive: true });
    git(join(base, 'repo'), 'init', '-q');
    const options = { cwd: join(base, 'repo', 'src'), root: '/r', projectFolder: '.varve' };
    const paths = agentMemoryPaths({ ...options, agent: 'reviewer' });
    expect(paths.user).toBe('/r/agent-memory/reviewer');
    expect(paths.project.endsWith('/repo/.varve/agent-memory/reviewer')).toBe(true);
    expect(paths.local).toBe(paths.project.replace('agent-memory', 'agent-memory-local'));
    for (const agent of ['../x', 'a/b', '', 'a\\b', 'x.', '..', 'CON', 'nul', 'lpt1.x']) {
      expect(() => agentMemoryPaths({ ...options, agent })).toThrow(TypeError);
    }
  });
});
