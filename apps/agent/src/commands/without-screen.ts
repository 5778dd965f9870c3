import type { Prompt } from '../loop.ts';
import { clean, oneLine } from '../ui/clean.ts';
import type { Face } from '../ui/face.ts';
import type { Tone } from '../ui/render.ts';
import type { Command, CommandRun } from './command.ts';
import { COMMANDS } from './index.ts';
import { slashIn } from './slash.ts';

/** A command that was said, where nobody looks at a screen. */
export interface SaidCommand {
  readonly command: Command;
  readonly words: string;
}

/** Commands that choose a session, its model or its mode. */
const CHOOSING = ['clear', 'exit', 'fork', 'mode', 'model', 'resume'];
/** Commands for which an editor and `-p` have other ways: a list and menus of its own, flags. */
export const ELSEWHERE = {
  editor: new Set([...CHOOSING, 'help']),
  print: new Set([...CHOOSING, 'plan']),
};

/** The command that a prompt is; one that is none goes to the model. */
export function commandIn(said: Prompt): SaidCommand | undefined {
  const given = typeof said === 'string' ? slashIn(said) : undefined;
  const command = COMMANDS.find((each) => each.name === given?.name);
  return given && command && { command, words: given.words };
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
