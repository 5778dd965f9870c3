import type { AvailableCommand } from '@agentclientprotocol/sdk';
import { fenced } from '../../commands/export.ts';
import { offeredIn } from '../../commands/index.ts';
import {
  ELSEWHERE,
  runWithoutScreen,
  type SaidCommand,
  commandIn as saidCommand,
} from '../../commands/without-screen.ts';
import type { Prompt } from '../../loop.ts';
import type { Session } from '../../session.ts';
import { clean } from '../clean.ts';

export const commandList = (session: Session): AvailableCommand[] =>
  offeredIn(session)
    .filter(({ name }) => !ELSEWHERE.editor.has(name))
    .map(({ name, about, hint }) => ({
      ...{ name, description: about },
      ...(hint !== undefined && { input: { hint } }),
    }));

/** The command that a prompt is, and that an editor has no other way for. */
export function commandIn(said: Prompt): SaidCommand | undefined {
  const given = saidCommand(said);
  return given === undefined || ELSEWHERE.editor.has(given.command.name) ? undefined : given;
}

interface RunOptions extends Omit<Parameters<typeof runWithoutScreen>[1], 'show'> {
  readonly updates: { show(text: string): void };
}

/** Shows what a command says as text of the agent. */
export const runCommand = (given: SaidCommand, { updates, ...run }: RunOptions): Promise<void> =>
  runWithoutScreen(given, {
    ...run,
    show: (text, tone) =>
      updates.show(`${tone === 'plain' ? fenced(clean(text)) : clean(text)}\n\n`),
  });
