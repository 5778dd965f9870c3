import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { filesBelow, root } from '../src/workspace.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'varve-private-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A command under the umask that takes away least. */
const OPEN_UMASK = ['-c', 'umask 000 && exec "$0" "$@"', process.execPath] as const;

/** What stands below a folder, folders with a slash behind them, and the mode of each. */
function modesBelow(folder: string): readonly (readonly [path: string, mode: string])[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const mode = (statSync(path).mode & 0o777).toString(8);
    return [`${relative(folder, path)}${entry.isDirectory() ? '/' : ''}`, mode] as const;
  });
}

function expectPrivate(folder: string, files: number): void {
  const modes = modesBelow(folder);
  expect(modes.filter(([path]) => !path.endsWith('/')).length).toBeGreaterThanOrEqual(files);
  const open = modes.filter(([path, mode]) => mode !== (path.endsWith('/') ? '700' : '600'));
  expect(open).toEqual([]);
}

describe('O354: what the packages write is for its owner only, whatever the umask', () => {
  test('logs, torn and damaged ones, forks, locks, recordings, mail, notes and stored results', () => {
    const folder = temporaryFolder();
    const program = join(import.meta.dirname, 'programs', 'write-everything.ts');
    const { status, stderr } = spawnSync('sh', [...OPEN_UMASK, program, folder]);
    expect([status, String(stderr)]).toEqual([0, '']);
    expectPrivate(folder, 10);
    const paths = modesBelow(folder).map(([path]) => path);
    for (const kind of [
      /torn/,
      /damaged/,
      /fork/,
      /lock$/,
      /record/,
      /mail.*new\/./,
      /summary\.md/,
      /results\/s\/./,
    ]) {
      expect(paths.filter((path) => kind.test(path))).not.toEqual([]);
    }
  });

  test('log and report of the emulator', async () => {
    const folder = temporaryFolder();
    const cli = join(root, 'packages', 'emulator', 'src', 'cli.ts');
    const flags = ['--log', join(folder, 'log.jsonl'), '--report', join(folder, 'report.json')];
    const child = spawn('sh', [...OPEN_UMASK, cli, ...flags], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('close', resolve));
    expectPrivate(folder, 2);
  });

  test('reports of the evals', () => {
    const folder = temporaryFolder();
    const cli = join(root, 'evals', 'src', 'cli.ts');
    const flags = ['--strategy', 'sliding-clear', '--out', join(folder, 'a', 'b'), '--jobs', '1'];
    const sessions = join(root, 'fixtures', 'sessions', firstSession());
    const { status } = spawnSync('sh', [...OPEN_UMASK, cli, '--sessions', sessions, ...flags]);
    expect(status).toBe(0);
    expectPrivate(folder, 2);
  });

  const firstSession = (): string =>
    readdirSync(join(root, 'fixtures', 'sessions')).toSorted()[0] as string;

  test('no call that makes a file or a folder stands in their sources without a private mode', () => {
    const CALL =
      /\b(?:writeFile|appendFile|mkdir|open|copyFile|cp)(?:Sync)?\(|createWriteStream\(|mkdtemp/;
    const PRIVATE =
      /PRIVATE_F|open(?:Sync)?\([^)]*'(?:r|r\+)'|O_RDONLY|COPYFILE_EXCL|mkdtemp|mkdir\(path, mode\)/; // the last is makeFolder
    const READS = /^(?:\s*(?:async )?open\(|.*\b\w+\.open\(|.*\.writeFile\()/; // methods of ours, and of a handle
    const sources = filesBelow(root, ['.ts']).filter((file) =>
      /^(packages\/[^/]+|evals)\/src\//.test(file),
    );
    const found = sources
      .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)
      .filter(([, text]) => /from 'node:fs(\/promises)?'/.test(text))
      .flatMap(([file, text]) =>
        text
          .split('\n')
          .filter((line) => CALL.test(line) && !PRIVATE.test(line) && !READS.test(line))
          .map((line) => `${file}: ${line.trim()}`),
      );
    expect(found).toEqual([]);
  });
});
