import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startEmulator } from '@varve/emulator';
import { COMPACT_PERCENT, FILES, PROMPTS, scripted, WINDOW_TOKENS } from '../../src/demo/script.ts';

const run = promisify(execFile);
const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

/** Characters. */
export const COLUMNS = 100;
const ROWS = 46;
const LONGEST_WAIT_MS = 30_000;

const QUESTION = /May this run\?/;

/** What a terminal shows, escapes included. */
export interface Screen {
  readonly name: string;
  readonly title: string;
  readonly shown: string;
}

/** Plays the scripted task of the demo in a terminal of tmux, with the command as a person starts it, and looks at it twice. */
export async function agentScreens(): Promise<readonly Screen[]> {
  const emulator = await startEmulator({ replies: scripted() });
  const root = mkdtempSync(join(tmpdir(), 'varve-screens-'));
  const cwd = join(root, 'prices');
  mkdirSync(cwd);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text);
  const tmux = async (...args: readonly string[]) =>
    (await run('tmux', ['-S', join(root, 'tmux'), ...args])).stdout;
  const env = {
    ...{ HOME: root, SHELL: '/bin/sh', VARVE_CONFIG_DIR: join(root, 'config') },
    ...{ ANTHROPIC_API_KEY: 'screens', ANTHROPIC_BASE_URL: emulator.url },
    ...{ VARVE_WINDOW: `${WINDOW_TOKENS}`, VARVE_COMPACT_PERCENT: `${COMPACT_PERCENT}` },
    TERM: 'xterm-256color',
  };
  const plain = () => tmux('capture-pane', '-p');
  const colored = () => tmux('capture-pane', '-p', '-e');
  async function see(wanted: RegExp): Promise<void> {
    for (const startedAt = performance.now(); performance.now() - startedAt < LONGEST_WAIT_MS; ) {
      if (wanted.test(await plain())) return;
      await wait(50);
    }
    throw new Error(`waited in vain for ${wanted}:\n${await plain()}`);
  }
  async function say(text: string): Promise<void> {
    await tmux('send-keys', '-l', text);
    await tmux('send-keys', 'Enter');
  }
  /** Allows what is asked, for the session. */
  async function answerUntil(wanted: RegExp): Promise<void> {
    for (;;) {
      await see(new RegExp(`${QUESTION.source}|${wanted.source}`));
      if (!QUESTION.test(await plain())) return;
      await tmux('send-keys', '2');
      await wait(300);
    }
  }
  try {
    await tmux(
      ...['-f', '/dev/null', 'new-session', '-d', '-x', `${COLUMNS}`, '-y', `${ROWS}`, '-c', cwd],
      ...Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
      ...[process.execPath, MAIN],
      ...[';', 'set', '-g', 'status', 'off'],
    );
    await see(/new session/);
    await say(PROMPTS[0] as string);
    await see(QUESTION);
    const task = await colored();
    await answerUntil(/prices are right/);
    await say(PROMPTS[1] as string);
    await answerUntil(/The tests pass/);
    await say('/context');
    await see(/next compaction[^●]*default/i); // nothing runs any more
    return [
      { name: 'task', title: 'A task, and the question before a command runs', shown: task },
      {
        name: 'context',
        title: '/context: where every token and cent goes',
        shown: await colored(),
      },
    ];
  } finally {
    await tmux('kill-server').catch(() => undefined);
    await emulator.close();
    rmSync(root, { recursive: true, force: true });
  }
}
