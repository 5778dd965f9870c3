import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import type { workbench } from './support.ts';

const run = promisify(execFile);

/** Whether these tests can run; where checks must pass, they have to. */
export const hasTmux = ((): boolean => {
  if (process.env.CI !== undefined) return true;
  try {
    execFileSync('tmux', ['-V']);
    return true;
  } catch {
    return false;
  }
})();

let servers = 0;

/** The command in a terminal of tmux, 100 columns by 30 rows, with a person's keys. */
export async function inTmux(
  { root, folder, config, emulator, program }: Awaited<ReturnType<typeof workbench>>,
  args: readonly string[] = [],
) {
  const number = servers++;
  const [socket, bytes, exit, settings] = ['tmux', 'bytes', 'exit', 'conf'].map((name) =>
    join(root, `${name}-${number}`),
  ) as [string, string, string, string];
  const tmux = async (...given: readonly string[]) => {
    const { stdout } = await run('tmux', ['-S', socket, ...given], { maxBuffer: 64 * 2 ** 20 });
    return stdout;
  };
  writeFileSync(settings, 'set -g history-limit 50000\nset -sg escape-time 0\nset -g status off\n');
  const env = {
    ...{ HOME: root, SHELL: '/bin/bash', VARVE_CONFIG_DIR: config, ANTHROPIC_API_KEY: 'any' },
    ANTHROPIC_BASE_URL: emulator.url,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
  };
  const flags = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  // what is piped to the file is there from the first byte on
  const command = `tmux -S ${socket} pipe-pane 'cat > ${bytes}'; ${process.execPath} ${program} ${args.join(' ')}; echo $? > ${exit}; sleep 100`;
  await tmux(
    '-f',
    settings,
    'new-session',
    '-d',
    ...flags,
    '-x',
    '100',
    '-y',
    '30',
    '-c',
    folder,
    'sh',
    '-c',
    command,
  );
  onTestFinished(async () => {
    await tmux('kill-server').catch(() => undefined);
  });

  async function until<Value>(
    look: () => Promise<Value | undefined>,
    what: string,
  ): Promise<Value> {
    for (let tries = 0; tries < 600; tries++) {
      const found = await look();
      if (found !== undefined) return found;
      await wait(50);
    }
    throw new Error(`waited in vain for ${what}:\n${await tmux('capture-pane', '-p')}`);
  }
  const screen = () => tmux('capture-pane', '-p');
  return {
    screen,
    /** What was scrolled away and the screen. */
    all: () => tmux('capture-pane', '-p', '-J', '-S', '-'),
    bytes: () => readFileSync(bytes, 'utf8'),
    keys: (...keys: readonly string[]) => tmux('send-keys', ...keys),
    async say(text: string) {
      await tmux('send-keys', '-l', text);
      await tmux('send-keys', 'Enter');
    },
    async paste(text: string) {
      await tmux('set-buffer', text);
      await tmux('paste-buffer', '-p');
    },
    /** With SIGKILL, the command gets no moment to say or write anything. */
    async kill(signal: NodeJS.Signals = 'SIGKILL') {
      const shell = (await tmux('display-message', '-p', '#{pane_pid}')).trim();
      const children = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8');
      process.kill(Number(children.trim().split(' ')[0]), signal);
    },
    resize: (columns: number, rows: number) =>
      tmux('resize-window', '-x', String(columns), '-y', String(rows)),
    see: (text: string | RegExp) =>
      until(async () => {
        const shown = await screen();
        return (typeof text === 'string' ? shown.includes(text) : text.test(shown)) || undefined;
      }, String(text)),
    exitCode: () =>
      until(async () => {
        const code = existsSync(exit) ? readFileSync(exit, 'utf8').trim() : '';
        return code === '' ? undefined : Number(code);
      }, 'the end'),
  };
}
