import { apiRounds, isThinking, type Message, type Request, toolResults } from '@varve/messages';
import { autocompactThreshold } from '@varve/tokens';
import type { GuardedRun } from './guarded-run.ts';

export interface CompactingRunOptions {
  /** Starts the strategy anew. */
  readonly start: () => GuardedRun;
  /** Above this the agent compacts, in tokens. */
  readonly limitTokens: number;
  /** Tokens of a prompt as the provider takes it. */
  readonly tokensOf: (request: Request) => number;
  /** Tokens of a message. */
  readonly sizeOf: (message: Message) => number;
  /** Whether a thinking block in the round that stays is refused once what stood before it is gone. */
  readonly dropsThinking: boolean;
  /** Called with the prompt that a summary is asked for. */
  readonly onCompacted: (request: Request) => void;
}

/** Tokens of the reply that writes a summary. */
export const SUMMARY_OUTPUT_TOKENS = 20_000;
/** Tokens of a summary that stay in the context. */
export const SUMMARY_TOKENS = 6_000;

/** From this prompt size on an agent compacts, so that the reply and the summary still fit into the window. */
export const compactionLimit = (windowTokens: number): number =>
  autocompactThreshold({ windowTokens });

/**
 * What an agent does whose provider refuses prompts above the window: before one grows too large it has a summary
 * written, and the strategy starts anew behind that, the newest message of the person and the newest round. The summary
 * holds nothing that is asked for later: the least favourable case. A round that is too large alone stays as it is.
 */
export function createCompactingRun(options: CompactingRunOptions): GuardedRun {
  const { start, limitTokens, tokensOf, onCompacted } = options;
  let run = start();
  let seen: Message[] = [];
  let count = 0;
  let isNew = false;
  const isTooLarge = (request: Request): boolean => tokensOf(request) > limitTokens;
  return {
    *add(message) {
      seen.push(message);
      yield* run.add(message);
    },
    *request() {
      isNew = false;
      const asked = yield* run.request();
      if (!isTooLarge(asked)) return asked;
      const rest = remainder(seen, count + 1, options);
      if (isTooLarge({ ...asked, messages: rest })) return asked;
      onCompacted(asked);
      count += 1;
      isNew = true;
      seen = [...rest];
      run = start();
      for (const message of rest) yield* run.add(message);
      return yield* run.request();
    },
    announced: () => (isNew ? { from: 0, reason: 'forced-compaction' } : run.announced()),
  };
}

function remainder(
  seen: readonly Message[],
  count: number,
  { dropsThinking, sizeOf }: CompactingRunOptions,
): readonly Message[] {
  const newest = apiRounds(seen).at(-1) ?? [];
  const asked = seen.findLast(isAsked);
  const round = dropsThinking ? newest.map(withoutThinking) : newest;
  const isInside = asked === undefined || newest.includes(asked);
  return [summary(count, sizeOf), ...(isInside ? [] : [asked]), ...round];
}

const isAsked = (message: Message): boolean =>
  message.role === 'user' && message.origin === undefined && toolResults(message).length === 0;

function withoutThinking(message: Message): Message {
  const content = message.content.filter((block) => !isThinking(block));
  return content.length === message.content.length ? message : { ...message, content };
}

/** Words that nothing can be found in, as many as a summary has tokens. */
function summary(count: number, sizeOf: (message: Message) => number): Message {
  const sample = summaryOf(count, SAMPLE_WORDS);
  return summaryOf(count, Math.round((SUMMARY_TOKENS / sizeOf(sample)) * SAMPLE_WORDS));
}

const SAMPLE_WORDS = 1_000;

const summaryOf = (count: number, words: number): Message => ({
  id: `summary-${count}`,
  role: 'user',
  origin: { kind: 'summary' },
  content: [{ type: 'text', text: `Part ${count}: ${'word '.repeat(words)}` }],
});
