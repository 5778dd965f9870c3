import type { AvailableCommand } from '@agentclientprotocol/sdk';
import type { Command } from '../../commands/command.ts';
import { fenced } from '../../commands/export.ts';
import { COMMANDS, offeredIn } from '../../commands/index.ts';
import type { Prompt } from '../../loop.ts';
import type { Options } from '../../options.ts';
import type { Session } from '../../session.ts';
import { clean, oneLine } from '../clean.ts';
import type { Face } from '../face.ts';

/** What an editor does by itself: sessions, their model and mode, and the list of commands. */
const OF_THE_EDITOR = new Set(['clear', 'exit', 'fork', 'help', 'mode', 'model', 'resume']);

export const commandList = (session: Session): AvailableCommand[] =>
  offeredIn(session)
    .filter(({ name }) => !OF_THE_EDITOR.has(name))
    .map(({ name, about, hint }) => ({
      ...{ name, description: about },
      ...(hint !== undefined && { input: { hint } }),
    }));

interface Given {
  readonly command: Command;
  readonly words: string;
}

/** The command that a prompt is; one that is none goes to the model. */
export function commandIn(said: Prompt): Given | undefined {
  const [, name, words = ''] =
    (typeof said === 'string' && /^\/([\w:-]+)(?:\s+([\s\S]*))?$/.exec(said.trim())) || [];
  const command = COMMANDS.find((each) => each.name === name);
  return command === undefined || OF_THE_EDITOR.has(command.name)
    ? undefined
    : { command, words: words.trim() };
}

interface RunOptions {
  readonly session: Session;
  readonly options: Options;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly updates: { show(text: string): void };
}

export async function runCommand({ command, words }: Given, run: RunOptions): Promise<void> {
  const show = (text: string) => run.updates.show(text);
  await command.run({
    ...{ words, session: run.session, options: run.options, cwd: run.cwd, signal: run.signal },
    face: createFace(show),
    open: async () => show('Sessions are opened by the editor.'),
    say: () => show('Say it in a message of its own.'),
    leave: () => undefined,
  });
}

/** Shows what a command says as text of the agent. */
function createFace(show: (text: string) => void): Face {
  return {
    show: (text, tone) => show(`${tone === 'plain' ? fenced(clean(text)) : clean(text)}\n\n`),
    stream: (text) => show(clean(text)),
    endStream: () => undefined,
    working: () => undefined,
    queued: () => undefined,
    offer: () => undefined,
    footer: () => undefined,
    ask: async () => ({ kind: 'no', reason: 'Nobody was asked.' }),
    async choose(title, choices) {
      const lines = choices.map(({ label }, index) => `${index + 1}. ${oneLine(label)}`);
      show(`${[title, ...lines].join('\n')}\n\nGive the command again with one of them.\n\n`);
      return undefined;
    },
    setInput: (text) => show(`You had said:\n\n${fenced(clean(text))}\n\n`),
    close: async () => undefined,
  };
}
