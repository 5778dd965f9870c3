import type { Session } from '../session.ts';
import type { Offered } from '../ui/face.ts';
import { agentsCommand, tasksCommand } from './agents.ts';
import type { Command } from './command.ts';
import { compactCommand } from './compact.ts';
import { contextCommand } from './context.ts';
import { costCommand } from './cost.ts';
import { doctorCommand, hooksCommand, permissionsCommand } from './doctor.ts';
import { dreamCommand } from './dream.ts';
import { collapseCommand, snipCommand } from './edits.ts';
import { exportCommand } from './export.ts';
import { mcpCommand } from './mcp.ts';
import { memoryCommand } from './memory.ts';
import { modeCommand, modelCommand } from './model.ts';
import {
  clearCommand,
  forkCommand,
  resumeCommand,
  rewindCommand,
  transcriptCommand,
  undoCommand,
} from './sessions.ts';
import { summaryCommand } from './summary.ts';
import { planCommand, skillsCommand, todoCommand } from './work.ts';

/** What is typed, and what it does: beside it, or below where there is no room. */
function helpLine(typed: string, about: string): string {
  const name = typed.trimEnd();
  return name.length > NAME_COLUMNS
    ? `  ${name}\n      ${about}`
    : `  ${name.padEnd(NAME_COLUMNS)} ${about}`;
}

const NAME_COLUMNS = 20;

const helpCommand: Command = {
  name: 'help',
  about: 'this list',
  async run({ face }) {
    const lines = COMMANDS.map(({ name, hint = '', about }) => helpLine(`/${name} ${hint}`, about));
    face.show([...lines, ...KEYS].join('\n'), 'plain');
  },
};

const exitCommand: Command = {
  name: 'exit',
  about: 'leave; varve -c goes on from here',
  run: async ({ leave }) => leave(),
};

const KEYS = [
  helpLine('!command', 'run it yourself; the model sees what it printed'),
  helpLine('#text', 'have it remembered in later sessions'),
  helpLine('@path', 'name a file'),
  '  Enter sends, Shift-Enter or Ctrl-J begins a line; what you send while varve works waits for the next round',
  '  Tab in a question widens the rule that it offers',
  '  Esc stops what runs, Ctrl-C twice leaves, Shift-Tab changes the mode',
];

/** The commands, and the skills that a person calls as one. */
export const offeredIn = ({ work }: Session): readonly Offered[] => [
  ...COMMANDS,
  ...work.skills
    .all()
    .filter(({ name, isForPerson }) => isForPerson && !COMMANDS.some((each) => each.name === name))
    .map(({ name, hint, description }) => ({ name, hint, about: description })),
];

/** All commands of a person, as /help lists them. */
export const COMMANDS: readonly Command[] = [
  contextCommand,
  compactCommand,
  clearCommand,
  costCommand,
  undoCommand,
  rewindCommand,
  resumeCommand,
  forkCommand,
  modelCommand,
  modeCommand,
  planCommand,
  todoCommand,
  skillsCommand,
  mcpCommand,
  snipCommand,
  collapseCommand,
  transcriptCommand,
  doctorCommand,
  permissionsCommand,
  hooksCommand,
  summaryCommand,
  memoryCommand,
  dreamCommand,
  agentsCommand,
  tasksCommand,
  exportCommand,
  helpCommand,
  exitCommand,
];
