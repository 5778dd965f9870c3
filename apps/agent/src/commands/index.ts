import { dollars, tokens } from '../ui/describe.ts';
import type { Command } from './command.ts';
import { compactCommand } from './compact.ts';
import { exportCommand } from './export.ts';
import { modeCommand, modelCommand } from './model.ts';
import {
  clearCommand,
  forkCommand,
  resumeCommand,
  rewindCommand,
  undoCommand,
} from './sessions.ts';

const costCommand: Command = {
  name: 'cost',
  about: 'what the session was billed, by model and by caller',
  async run({ session, face }) {
    const usage = session.agent.context.usage();
    const line = (name: string, bill: Omit<typeof usage, 'models' | 'callers' | 'cache'>) =>
      `  ${name.padEnd(24)} ${dollars(bill.dollars).padStart(9)}  ${String(bill.calls).padStart(5)} calls  ${tokens(bill.usage.cache_read_input_tokens)} read, ${tokens(bill.usage.cache_creation_input_tokens)} written, ${tokens(bill.usage.input_tokens)} plain, ${tokens(bill.usage.output_tokens)} out`;
    const lines = [
      line('all, at list prices', usage),
      ...usage.models.map(({ model, ...bill }) => line(model, bill)),
      ...usage.callers.map(({ by, ...bill }) => line(`by ${by}`, bill)),
    ];
    if (usage.unpricedTokens > 0)
      lines.push(`  ${tokens(usage.unpricedTokens)} tokens have no known price.`);
    face.show(lines.join('\n'), 'plain');
  },
};

const helpCommand: Command = {
  name: 'help',
  about: 'this list',
  async run({ face }) {
    const lines = COMMANDS.map(
      ({ name, hint = '', about }) => `  ${`/${name} ${hint}`.padEnd(50)} ${about}`,
    );
    face.show([...lines, ...KEYS].join('\n'), 'plain');
  },
};

const exitCommand: Command = {
  name: 'exit',
  about: 'leave; varve -c goes on from here',
  run: async ({ leave }) => leave(),
};

const KEYS = [
  '  !command                                            run it yourself; the model sees what it printed',
  '  @path                                               name a file',
  '  Enter sends, Shift-Enter or Ctrl-J begins a line; what you send while varve works waits for the next round',
  '  Esc stops what runs, Ctrl-C twice leaves, Shift-Tab changes the mode',
];

/** All commands of a person, as /help lists them. */
export const COMMANDS: readonly Command[] = [
  compactCommand,
  clearCommand,
  costCommand,
  undoCommand,
  rewindCommand,
  resumeCommand,
  forkCommand,
  modelCommand,
  modeCommand,
  exportCommand,
  helpCommand,
  exitCommand,
];
