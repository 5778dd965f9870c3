import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { use, workbench } from './support.ts';

test.each(['core.fsmonitor', 'filter.x.clean', 'diff.external', 'core.pager', 'gpg.program'])(
  'A2: a repository whose git configuration names a program (%s) runs it neither at the start nor with a command that reads',
  async (key) => {
    const commands = ['git status', 'git diff', 'git log --oneline'];
    const { run, folder, write } = await workbench({
      replies: [
        {
          content: commands.map((command, index) => ({
            ...{ type: 'tool_use', id: `call_${index}`, name: 'Bash', input: { command } },
          })),
        },
        'done',
      ],
    });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder });
    git('init', '-q');
    write('a.txt', 'one');
    write('.gitattributes', '* filter=x\n');
    git('add', 'a.txt');
    write('a.txt', 'other');
    git('config', key, `touch ${join(folder, 'ran')}; cat`);
    const { stderr } = await run(['-p', 'Look.']);
    expect(stderr).toContain('Bash needs permission');
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  },
);

test('A2: the same commands run without asking where git runs nothing else', async () => {
  const { run, folder, bodies } = await workbench({
    replies: [use('call_1', 'Bash', { command: 'git status --short' }), 'done'],
  });
  execFileSync('git', ['init', '-q'], { cwd: folder });
  expect((await run(['-p', 'Look.'])).code).toBe(0);
  expect(JSON.stringify(bodies()[0]?.system)).toContain('State of the git repository');
  expect(JSON.stringify(bodies()[1])).toContain('The command printed nothing.');
});
