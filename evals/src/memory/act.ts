import type { Request } from '@varve/messages';
import type { Turn } from './chain.ts';
import type { RecordedAnswer } from './recordings.ts';
import { holdsAny } from './words.ts';

/** Whether an answer used a value that is right, one that is wrong, or none of them. */
export type Acted = 'right' | 'wrong' | 'neither';

const TASK =
  'You are a coding agent in the repository of the user. Do now what the user asks, by one call of the shell, or answer in one or two sentences. Where a value has to be named and you do not know it, ask for it.';

const SHELL = {
  name: 'Bash',
  description: 'Runs a command in the repository.',
  input_schema: {
    type: 'object',
    properties: { command: { type: 'string' } },
    required: ['command'],
  },
} as const;

/** The turn as an agent gets it, with what memory showed. */
export function actRequest({ text }: Turn, memories: readonly string[]): Request {
  const shown = memories.map((memory) => ({
    type: 'text',
    text: `<system-reminder>\n${memory}\n</system-reminder>`,
  }));
  return {
    head: {
      id: 'turn',
      model: 'recorded',
      system: [{ type: 'text', text: TASK }],
      tools: [SHELL],
      params: {},
    },
    messages: [{ id: 'turn', role: 'user', content: [...shown, { type: 'text', text }] }],
    markers: [],
    maxOutputTokens: 1_000,
  };
}

/** What an answer did; naming the right value beside the wrong one is right. */
export function actedOn({ text, calls }: RecordedAnswer, { acts }: Turn): Acted {
  if (acts === undefined) return 'neither';
  const said = `${text}\n${calls.map(({ input }) => Object.values(input).map(String).join('\n')).join('\n')}`;
  if (holdsAny(said, acts.right)) return 'right';
  return holdsAny(said, acts.wrong) ? 'wrong' : 'neither';
}
