import type { Request, StopReason } from '@varve/messages';
import { ModelError } from '@varve/models';
import type { Summarize, SummaryReply } from '../../src/index.ts';

export const reply = (text: string, stopReason: StopReason = 'end_turn'): SummaryReply => ({
  content: text === '' ? [] : [{ type: 'text', text }],
  stopReason,
});

export const GOOD = `<scratchpad>Walked through it.</scratchpad>
<summary>
## 1. Request and intent
Go on with the parser.
</summary>`;

/** Of a model that no table knows. */
export const NAMED = { model: 'test-model' } as const;

export interface FakeModel {
  readonly head: typeof NAMED;
  readonly summarize: Summarize;
  readonly requests: readonly Request[];
}

type Step = SummaryReply | Error | ((request: Request) => SummaryReply | Error);

/** Answers in this order, the last one again and again, and keeps what it was asked. */
export function fakeModel(...steps: readonly Step[]): FakeModel {
  const requests: Request[] = [];
  return {
    head: NAMED,
    requests,
    async summarize(request) {
      const step = steps[Math.min(requests.length, steps.length - 1)] as Step;
      requests.push(request);
      const outcome = typeof step === 'function' ? step(request) : step;
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  };
}

export const overloaded = () =>
  new ModelError('overloaded', 'The provider is overloaded; try again later.', { retryable: true });

export const brokenStream = () =>
  new ModelError('stream-broken', 'The answer broke off.', { retryable: true });

export const tooLong = (actualTokens?: number, limitTokens?: number) =>
  new ModelError('prompt-too-long', 'The prompt does not fit.', {
    ...(actualTokens !== undefined && { actualTokens }),
    ...(limitTokens !== undefined && { limitTokens }),
  });

/** Every way in which a model is known to give no summary, on every call. */
export const FAILING: Readonly<Record<string, Step>> = {
  empty: reply(''),
  blank: reply('  \n'),
  'only thinking': { content: [{ type: 'thinking', thinking: 'Hm.' }], stopReason: 'end_turn' },
  'only a scratchpad': reply('<scratchpad>All of it.</scratchpad>'),
  'an open scratchpad': reply('<scratchpad>All of it'),
  'an open summary': reply('<summary>It was about'),
  'cut by length': reply('<summary>It was about</summary>', 'max_tokens'),
  'tool call': {
    content: [
      { type: 'text', text: GOOD },
      { type: 'tool_use', id: 'c1', name: 'read', input: {} },
    ],
    stopReason: 'tool_use',
  },
  overload: () => overloaded(),
  'prompt too long': () => tooLong(),
  'prompt too long by numbers': () => tooLong(210_000, 200_000),
  'an error text': reply('prompt is too long: 210000 tokens > 200000 maximum'),
  'an API error text': reply('API Error: 529 overloaded'),
  'window exceeded': reply('<summary>It</summary>', 'model_context_window_exceeded'),
  'broken stream': () => brokenStream(),
  refusal: reply('I cannot help with that.', 'refusal'),
  'refused request': new ModelError('refused', 'Refused.'),
  'no key': new ModelError('auth', 'No key.'),
  'a bug': new TypeError('x is not a function'),
  'somebody else aborts': new DOMException('Gone.', 'AbortError'),
};

export const noWait = async (): Promise<void> => {};
