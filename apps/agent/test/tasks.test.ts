import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { ReplyLike } from '@varve/emulator';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../../../internal/src/share.ts';
import { linesOf, workbench } from './support.ts';

/** Tasks in the layout of Harbor; `solution/replies.json` is what a model would say to solve them. */
const TASKS = join(import.meta.dirname, '..', 'tasks');
const names = readdirSync(TASKS).filter((name) => !name.endsWith('.md'));
/** The Node that runs the tests runs the programs of tasks as well. */
const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
const FLAGS = ['--permission-mode', 'acceptEdits', '--allowed-tools'];
const ALLOWED = 'Bash(node:*) Bash(./backup.sh:*)';

/** What `tests/test.sh` says of a folder. */
function verdictOn(name: string, folder: string) {
  const { status, stderr } = spawnSync('sh', [join(TASKS, name, 'tests', 'test.sh')], {
    env: { PATH, TASK_FOLDER: folder },
    encoding: 'utf8',
  });
  return { isSolved: status === 0, stderr };
}

describe('A1: own tasks, solved by the command as a model would', () => {
  test.each(oneIn(4, names))(
    '%s fails as it is, and passes with what the calls did',
    async (name) => {
      const read = (path: string) => readFileSync(join(TASKS, name, path), 'utf8');
      const replies = JSON.parse(read('solution/replies.json')) as ReplyLike[];
      const { run, folder, emulator } = await workbench({ replies });
      cpSync(join(TASKS, name, 'environment'), folder, {
        recursive: true,
        filter: (path) => !path.endsWith('Dockerfile'),
      });
      expect(verdictOn(name, folder).isSolved).toBe(false);
      const { code, stdout, stderr } = await run(
        ['-p', read('instruction.md'), '--output-format', 'stream-json', ...FLAGS, ALLOWED],
        { env: { PATH } },
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const said = linesOf(stdout).at(-1);
      expect(said).toMatchObject({ subtype: 'success', result: replies.at(-1) });
      expect(emulator.requests).toHaveLength(replies.length);
      expect(verdictOn(name, folder)).toEqual({ isSolved: true, stderr: '' });
      emulator.expectHitRate(0.5);
    },
  );
});

test('A1: there are twelve tasks, each in the layout that Harbor reads', () => {
  expect(names).toHaveLength(12);
  for (const name of names) {
    const files = execFileSync('ls', ['-R', join(TASKS, name)], { encoding: 'utf8' });
    for (const file of ['task.toml', 'instruction.md', 'Dockerfile', 'test.sh', 'replies.json'])
      expect(files).toContain(file);
  }
});
