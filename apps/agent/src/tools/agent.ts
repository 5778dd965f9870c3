import { z } from 'zod';
import type { Team } from '../agents/team.ts';
import { defineTool } from './tool.ts';

export const taskTool = defineTool({
  name: 'Task',
  description: `Hands a piece of work to an agent and gives its answer; what it reads and tries stays out of this conversation. Without \`subagent_type\` it is a fork of you: it knows all of this conversation, so tell it only what to do, e.g. to look something up whose steps you do not need. With one of the kinds that are listed in this conversation it is a fresh agent that knows nothing: brief it as a colleague who just came in, with goal, what is known, paths, and the form of the answer. Several calls in one answer run at the same time. Understand first, and hand over work that is concrete, not the understanding. With \`run_in_background\` the answer comes later as a message: go on with something else, do not ask for it and do not guess it.`,
  input: z.object({
    description: z.string().min(1).describe('The work in three to five words'),
    prompt: z.string().min(1).describe('What it is to do, and what to answer'),
    subagent_type: z.string().optional().describe('A kind of agent; left out, a fork of you'),
    run_in_background: z.boolean().optional(),
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,31}$/)
      .optional()
      .describe('For SendMessage, while it runs'),
  }),
  reads: true,
  run: (input, { team, callId, signal }) => teamOf(team).task(input, { callId, signal }),
});

export const sendMessageTool = defineTool({
  name: 'SendMessage',
  description: `Sends a message to an agent that runs: by its name or id, \`main\` for the one that started the agents, the name of another session of this folder, or \`*\` for all. It is read after the next calls of tools. Besides plain text: \`shutdown\` asks an agent to end in good order, which answers with \`shutdown-answer\`; \`plan\` shows a plan to who has to agree, who answers with \`plan-answer\`.`,
  input: z.object({
    to: z.string().min(1),
    kind: z.enum(['text', 'shutdown', 'shutdown-answer', 'plan', 'plan-answer']).default('text'),
    text: z.string().optional().describe('The message, the reason, or the plan'),
    summary: z.string().optional().describe('Of a text, in five to ten words'),
    request_id: z.string().optional().describe('Of an answer: the id of the message'),
    accept: z.boolean().optional().describe('Of an answer'),
  }),
  reads: true,
  run: (input, { team }) => teamOf(team).send(input),
});

export const taskOutputTool = defineTool({
  name: 'TaskOutput',
  description:
    'What a background command has printed since you asked last, and whether it still runs. Of an agent it says only how it does: its answer comes by itself.',
  input: z.object({
    task_id: z.string().min(1),
    wait: z
      .int()
      .min(0)
      .max(600_000)
      .optional()
      .describe('Waits for its end, so many milliseconds at most'),
  }),
  reads: true,
  run: ({ task_id, wait = 0 }, { team, signal }) =>
    teamOf(team).output(task_id, { waitMs: wait, signal }),
});

export const taskStopTool = defineTool({
  name: 'TaskStop',
  description: 'Ends a background command or an agent.',
  input: z.object({ task_id: z.string().min(1) }),
  reads: true,
  run: ({ task_id }, { team }) => teamOf(team).stop(task_id),
});

function teamOf(team: Team | undefined): Team {
  if (team === undefined) throw new Error('There are no agents and no background work here.');
  return team;
}
