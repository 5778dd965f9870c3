import type { Prompt } from '../loop.ts';
import { clean, oneLine } from '../ui/clean.ts';
import type { Face } from '../ui/face.ts';
import type { Tone } from '../ui/render.ts';
import type { Command, CommandRun } from './command.ts';
import { COMMANDS } from './index.ts';

/** A command that was said, where nobody looks at a screen. */
export interface SaidCommand {
  readonly command: Command;
  readonly words: string;
}

/** The command that a prompt is; one that is none goes to the model. */
export function commandIn(said: Prompt): SaidCommand | undefined {
  const [, name, words = ''] =
    (typeof said === 'string' && /^\/([\w:-]+)(?:\s+([\s\S]*))?$/.exec(said.trim())) || [];
  const command = COMMANDS.find((each) => each.name === name);
  return command && { command, words: words.trim() };
}

interface RunOptions extends Pick<CommandRun, 'session' | 'options' | 'cwd' | 'signal'> {
  /** Has all that it says. */
  readonly show: (text: string, tone: Tone) => void;
}

/** Runs a command that can choose nothing and open no other session. */
export async function runWithoutScreen(
  { command, words }: SaidCommand,
  { show, ...run }: RunOptions,
): Promise<void> {
  const face: Face = {
    show,
    stream: show,
    endStream: () => undefined,
    working: () => undefined,
    queued: () => undefined,
    offer: () => undefined,
    footer: () => undefined,
    ask: async () => ({ kind: 'no', reason: 'Nobody was asked.' }),
    async choose(title, choices) {
      const lines = choices.map(({ label }, index) => `${index + 1}. ${oneLine(label)}`);
      show([title, ...lines, '', 'Give the command again with one of them.'].join('\n'), 'note');
      return undefined;
    },
    setInput: (texts) => show(`You had said:\n\n${clean(texts.join('\n\n'))}`, 'plain'),
    close: async () => undefined,
  };
  await command.run({
    ...{ ...run, words, face },
    open: async () => show('Another session is opened by the program around this one.', 'warning'),
    say: () => show('Say it in a message of its own.', 'warning'),
    leave: () => undefined,
  });
}
