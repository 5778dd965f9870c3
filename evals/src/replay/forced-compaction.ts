import { apiRounds, isThinking, type Message, type Request } from '@varve/messages';
import { isPerson } from '@varve/messages/persons';
import { contextLimits } from '@varve/tokens';
import type { GuardedRun } from './guarded-run.ts';

export interface CompactingRunOptions {
  /** Starts the strategy anew. */
  readonly start: () => GuardedRun;
  /** Larger prompts are refused; the agent compacts before one grows so large. */
  readonly windowTokens: number;
  /** Tokens of a prompt as the provider takes it. */
  readonly tokensOf: (request: Request) => number;
  /** Tokens of a message. */
  readonly sizeOf: (message: Message) => number;
  /** Whether a thinking block in the round that stays is refused once what stood before it is gone. */
  readonly dropsThinking: boolean;
  /** Called with the prompt that a summary is asked for. */
  readonly onCompacted: (request: Request) => void;
}

interface Sent {
  readonly request: Request;
  readonly tokens: number;
}

/** Tokens of the reply that writes a summary. */
export const SUMMARY_OUTPUT_TOKENS = 20_000;
/** Tokens of a summary that stay in the context. */
export const SUMMARY_TOKENS = 6_000;

/** From this prompt size on an agent compacts, so that the reply and the summary still fit into the window. */
export const compactionLimit = (windowTokens: number): number =>
  contextLimits({ windowTokens }).baseTokens;

/**
 * What an agent does whose provider refuses prompts above the window: before one grows too large it has a summary
 * written, and the strategy starts anew behind that, the newest message of the person and the newest round. The summary
 * holds nothing that is asked for later: the least favourable case. It is asked for with what fits: where it is the newest
 * round that overflows the window, with the request before. A round that is too large alone stays as it is.
 */
export function createCompactingRun(options: CompactingRunOptions): GuardedRun {
  const { start, windowTokens, tokensOf, sizeOf, onCompacted } = options;
  const limitTokens = compactionLimit(windowTokens);
  let run = start();
  let seen: Message[] = [];
  let count = 0;
  let isNew = false;
  let before: Sent | undefined;
  let addedTokens = 0;
  return {
    *add(message) {
      seen.push(message);
      addedTokens += sizeOf(message);
      yield* run.add(message);
    },
    *request() {
      isNew = false;
      const request = yield* run.request();
      const now = { request, tokens: tokensOf(request) };
      const last = before;
      const grownTokens = addedTokens;
      before = now;
      addedTokens = 0;
      if (now.tokens <= limitTokens) return request;
      const isRefused = now.tokens > windowTokens;
      const rest = remainder(seen, count + 1, options);
      const restTokens = tokensOf({ ...request, messages: rest });
      if (restTokens > (isRefused ? windowTokens : limitTokens)) return request;
      const isByRound = last !== undefined && now.tokens <= last.tokens + grownTokens;
      onCompacted(isRefused && isByRound ? last.request : request);
      count += 1;
      isNew = true;
      seen = [...rest];
      yield* run.close();
      run = start();
      for (const message of rest) yield* run.add(message);
      const anew = yield* run.request();
      before = { request: anew, tokens: tokensOf(anew) };
      addedTokens = 0;
      return anew;
    },
    announced: () => (isNew ? { from: 0, reason: 'forced-compaction' } : run.announced()),
    close: () => run.close(),
  };
}

function remainder(
  seen: readonly Message[],
  count: number,
  { dropsThinking, sizeOf }: CompactingRunOptions,
): readonly Message[] {
  const newest = apiRounds(seen).at(-1) ?? [];
  const asked = seen.findLast(isPerson);
  const round = dropsThinking ? newest.map(withoutThinking) : newest;
  const isInside = asked === undefined || newest.includes(asked);
  return [summary(count, sizeOf), ...(isInside ? [] : [asked]), ...round];
}

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
