import { howItEnded, runShell } from '../tools/shell.ts';
import type { Tasks } from './tasks.ts';
import type { BackgroundCommand } from './team.ts';
import { startedShellText } from './texts.ts';

/** Commands that run in the background of a session. */
export function createBackgroundShell(tasks: Pick<Tasks, 'begin'>) {
  const outputs = new Map<string, { take(): string; last(): string }>();

  async function start(owner: string, given: BackgroundCommand): Promise<string> {
    const { command, callId } = given;
    const stop = new AbortController();
    const what = given.description ?? command;
    const facts = {
      kind: 'shell',
      name: 'shell',
      what,
      owner,
      callId,
      isBackground: true,
    } as const;
    const task = await tasks.begin({ ...facts, stop: () => stop.abort() });
    let unread = '';
    let last = '';
    outputs.set(task.id, {
      last: () => last,
      take() {
        const text = unread;
        unread = '';
        return text;
      },
    });
    const onText = (text: string) => {
      unread = cut(unread + text);
      last = (last + text).slice(-MOST_SHOWN);
      const line = text.trimEnd().split('\n').at(-1) ?? '';
      if (line.trim() !== '') task.progress(line);
    };
    void runShell(command, { ...given, env: given.env, signal: stop.signal, onText }).then(
      (ended) => {
        if (ended.why === 'interrupted') return task.end('stopped');
        const how = howItEnded(ended) ?? 'Exit code 0';
        const state = how === 'Exit code 0' ? 'done' : 'failed';
        task.end(state, `The background command ${task.id} (${what}) has ended. ${how}`);
      },
      (error: unknown) => task.end('failed', `The background command ${task.id} failed: ${error}`),
    );
    return startedShellText(task.id);
  }

  return {
    start,
    /** What a command printed since somebody asked; undefined for others. */
    unread: (id: string): string | undefined => outputs.get(id)?.take(),
    /** What it printed last. */
    shown: (id: string): string | undefined => outputs.get(id)?.last(),
  };
}

const MOST_UNREAD = 200_000;
const MOST_SHOWN = 2_000;

const cut = (text: string): string =>
  text.length <= MOST_UNREAD ? text : `[… cut …]\n${text.slice(-MOST_UNREAD)}`;
