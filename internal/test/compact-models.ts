import type { Summarize, SummaryReply } from '@varve/compact';
import type { Request, StopReason } from '@varve/messages';
import { ModelError } from '@varve/models';

const reply = (text: string, stopReason: StopReason = 'end_turn'): SummaryReply => ({
  content: text === '' ? [] : [{ type: 'text', text }],
  stopReason,
});

export const SUMMARY =
  '<scratchpad>Walked through it.</scratchpad>\n<summary>\n# Next step\nGo on with the task.\n</summary>';

/** What a model does on every call: the known ways to give no summary, and one that works. */
export const ANSWERS = {
  empty: () => reply(''),
  'only a scratchpad': () => reply('<scratchpad>All of it.</scratchpad>'),
  'cut by length': () => reply('<summary>It was about', 'max_tokens'),
  'a tool call': () => ({
    content: [
      { type: 'text', text: SUMMARY },
      { type: 'tool_use', id: 'call', name: 'read', input: {} },
    ],
    stopReason: 'tool_use' as const,
  }),
  overload: () => new ModelError('overloaded', 'The provider is overloaded.', { retryable: true }),
  'prompt too long': () => new ModelError('prompt-too-long', 'The prompt does not fit.'),
  'a broken stream': () => new ModelError('stream-broken', 'It broke off.', { retryable: true }),
  'a refusal': () => reply('I cannot help with that.', 'refusal'),
  'a summary': () => reply(SUMMARY),
} satisfies Readonly<Record<string, () => SummaryReply | Error>>;

export type Answer = keyof typeof ANSWERS;
export const ANSWER_NAMES = Object.keys(ANSWERS) as readonly Answer[];

export interface AnsweringModel {
  readonly summarize: Summarize;
  readonly requests: readonly Request[];
}

/** Answers every call alike, and keeps what it was asked. */
export function answering(answer: Answer): AnsweringModel {
  const requests: Request[] = [];
  return {
    requests,
    async summarize(request) {
      requests.push(request);
      const outcome = ANSWERS[answer]();
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  };
}

export const noWait = async (): Promise<void> => {};
