import type { Message, Request } from '@varve/messages';
import { type CachePolicy, type CacheResult, createCacheSimulator } from '@varve/prompt-cache';
import { checkMarkers, createServerView } from '@varve/prompt-cache/server';
import { createEstimator, type Estimator, type ModelInfo } from '@varve/tokens';
import { createConversations } from './conversations.ts';
import { createInterner } from './interner.ts';

/** One organisation's simulated cache of one model. */
export interface Account {
  readonly model: ModelInfo;
  readonly policy: CachePolicy;
  readonly sizeOf: Estimator;
  /** The same request out of objects that an equal request has as well. */
  intern(request: Request): Request;
  intern<Value extends object>(value: Value): Value;
  /** Tokens of the prompt as it was sent, and as the server's own edits leave it. */
  measure(request: Request): { readonly sent: number; readonly billed: number };
  /** Bills a request, and leaves in the cache what it writes. */
  serve(request: Request, options: ServeOptions): Served;
  /** UTF-16 units of distinct prompt parts kept. */
  readonly size: number;
}

export interface ServeOptions {
  readonly startMs: number;
  readonly firstTokenMs: number;
  readonly outputTokens: number;
  /** A conversation by name; without one it is found by the messages. */
  readonly thread?: string | undefined;
}

export interface Served extends CacheResult {
  readonly thread: string;
}

export interface AccountOptions {
  readonly model: ModelInfo;
  readonly policy: CachePolicy;
}

export function createAccount({ model, policy }: AccountOptions): Account {
  const sizeOf = createEstimator({ family: policy.tokenizer });
  const simulator = createCacheSimulator(policy, { sizeOf, prices: [model] });
  const interner = createInterner();
  const conversations = createConversations();
  const intern = <Value extends object>(value: Value): Value => {
    if (!('messages' in value && 'head' in value)) return interner.intern(value);
    const request = value as unknown as Request;
    const messages = request.messages.map((message) => interner.intern(message));
    return { ...request, head: interner.intern(request.head), messages } as unknown as Value;
  };
  return {
    model,
    policy,
    sizeOf,
    intern,
    measure: (request) => measure(request, sizeOf, policy),
    serve(request, { thread: named, ...times }) {
      const numbers = request.messages.map((message) => interner.numberOf(message));
      const thread = named ?? conversations.find(numbers);
      const placed = withoutProblems(request, policy);
      return { ...simulator.send(placed, { ...times, thread }), thread };
    },
    get size() {
      return interner.size;
    },
  };
}

/** Markers on blocks that carry none change nothing here: what a provider refuses was refused before. */
function withoutProblems(request: Request, policy: CachePolicy): Request {
  const problems = checkMarkers(request, policy);
  if (problems.length === 0) return request;
  const markers = request.markers.filter(
    (marker) => !problems.some((each) => each.marker === marker),
  );
  return { ...request, markers };
}

function measure(request: Request, sizeOf: Estimator, policy: CachePolicy) {
  const stripsOldThinking = policy.oldThinking === 'stripped-at-user-turn';
  const keepThinkingTurns = stripsOldThinking ? 1 : 'all';
  const { request: seen } = createServerView({ sizeOf, stripsOldThinking, keepThinkingTurns })(
    request,
  );
  const tokens = (messages: readonly Message[]) =>
    messages.reduce((sum, message) => sum + sizeOf.message(message), 0);
  const head = sizeOf.head(request.head);
  return { sent: head + tokens(request.messages), billed: head + tokens(seen.messages) };
}
