import { z } from 'zod';
import { type Ended, howItEnded, runShell } from './shell.ts';
import { defineTool, type ToolOutput } from './tool.ts';

const DEFAULT_MS = 120_000;
const MOST_MS = 600_000;

export const bashTool = defineTool({
  name: 'Bash',
  description: `Runs a command in the shell, in the folder of the session: a \`cd\` does not last until the next call. Gives what it printed, standard error included; a long output is stored, and its beginning and end are shown. It is ended after ${DEFAULT_MS / 1000} seconds unless \`timeout\` says otherwise, and so are processes that it leaves in the background. With \`run_in_background\` it runs on, for a server or a long build, until it ends, TaskStop ends it or the session does.`,
  input: z.object({
    command: z.string().min(1).describe('The command'),
    description: z.string().optional().describe('What it does, in five to ten words'),
    timeout: z.int().min(1).max(MOST_MS).optional().describe('Milliseconds until it is ended'),
    run_in_background: z
      .boolean()
      .optional()
      .describe('Gives an id at once, with which TaskOutput reads what it prints'),
  }),
  reads: false,
  risk: 'runs',
  async run(input, { signal, cwd, env, callId, emit, team }) {
    const { command, description, timeout = DEFAULT_MS } = input;
    if (input.run_in_background && team !== undefined)
      return team.shell({ command, description, cwd, env, callId });
    const onText = (text: string) => emit({ kind: 'call-output', id: callId, text });
    const ended = await runShell(command, { cwd, env, signal, timeoutMs: timeout, onText });
    return outputOf(ended, timeout);
  },
});

function outputOf(ended: Ended, timeoutMs: number): ToolOutput {
  const how = howItEnded(ended, timeoutMs);
  const whole = Buffer.concat([ended.printed, Buffer.from(how === undefined ? '' : `\n${how}`)]);
  if (whole.length === 0) return { content: 'The command printed nothing.' };
  return { content: new Uint8Array(whole), isError: how !== undefined };
}
