import type { Entry } from '@varve/messages';
import { systemPrompt } from '../../recordings/system-prompt.ts';
import { createLogWriter } from './log-writer.ts';
import { play } from './play.ts';
import type { Recording } from './recording.ts';
import { createScratch } from './scratch.ts';
import { runTool, toolDefinitions } from './tools/toolbox.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

/**
 * Plays a recording in a fresh copy of its packages and returns the log. The same script gives the same entries.
 *
 * @throws {Error} when a package is not there, a result is not what the script says, or a closing command fails.
 */
export function recordSession(recording: Recording): Entry[] {
  const scratch = createScratch(recording.sources);
  try {
    const workspace = createWorkspace(scratch.dir);
    const log = createLogWriter(recording.startedAt);
    const { model, params, startedAt } = recording;
    log.head({ model, params, tools: toolDefinitions, system: systemPrompt({ model, startedAt }) });
    log.note(provenance(recording));
    play({ recording, workspace, log }, recording.steps);
    for (const command of recording.finally) mustSucceed(workspace, command);
    return [...log.entries];
  } finally {
    scratch.remove();
  }
}

function provenance({ name, sources, task }: Recording) {
  return {
    kind: 'recording',
    name,
    task,
    packages: sources.map((source) => `${source.name}@${source.version}`),
  };
}

function mustSucceed(workspace: Workspace, command: string): void {
  const { isError, text } = runTool(workspace, 'shell', { command });
  if (isError) throw new Error(`after the last step \`${command}\` fails:\n${text}`);
}
