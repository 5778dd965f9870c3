import type {
  Head,
  Message,
  Plan,
  PlanContext,
  Request,
  RequestStamp,
  View,
} from '@varve/messages';
import { type createHistoryFit, isPaused } from '@varve/messages/fit';
import { createRequestStamp, stampHolds } from '@varve/messages/stamps';
import { bindsPrefix, isThinkingOn, withLegalEdits } from '@varve/messages/thinking';
import { placeMarkers } from '@varve/prompt-cache';
import { fitOutput } from '@varve/tokens/limits';
import type { CacheWatch, MarkerTtl } from './cache-watch.ts';
import { type CompactOrClearOptions, createCompactOrClear } from './compact-or-clear.ts';
import { diagnosisNote, diagnosisOf } from './diagnosis.ts';
import { ContextError } from './error.ts';
import type { Tell } from './event.ts';
import type { Keeper } from './keeper.ts';
import { checkReply, replyMessage } from './messages-of.ts';
import type { ModelFacts } from './model-facts.ts';
import type { CallOptions, Reply } from './options.ts';
import type { createPlanContext } from './plan-context.ts';
import { readBill } from './read-bill.ts';
import { refuseRequest } from './refuse-too-large.ts';
import { mostPromptTokens, type WindowUse } from './room-for.ts';
import { usageNote } from './usage.ts';

export interface SendingOptions extends Pick<CompactOrClearOptions, 'compact' | 'cleanUp'> {
  readonly keeper: Keeper;
  readonly situation: ReturnType<typeof createPlanContext>;
  /** Of the model that the next request goes to. */
  readonly facts: () => ModelFacts;
  readonly now: () => number;
  readonly tell: Tell;
  readonly factsOf: (model: string) => ModelFacts;
  /** Knows what was answered, and what of it is cached. */
  readonly cache: CacheWatch;
  /** Makes the edits without which the provider would refuse the next request. */
  readonly makeSendable: () => void;
  /** What of the window nothing can make smaller. */
  readonly windowUse: () => WindowUse;
  /** Whether the conversation can be compacted. */
  readonly canCompact: boolean;
  readonly fitHistory: FitHistory;
}

/** A request that was made, and the answer to it. */
export interface SentRequest {
  /** As it was sent: messages and head are passed on by reference, so that what extends it begins with the same bytes. */
  readonly request: Request;
  /** As it stands in the log; left out while there is none. */
  readonly reply?: Message;
}

/** Requests and the replies to them. */
export function createSending(options: SendingOptions) {
  const { keeper, situation, facts, now, tell, compact, cache, makeSendable, cleanUp } = options;
  const { windowUse, canCompact, fitHistory } = options;
  const { layered, meter } = keeper;
  let sent: Sent | undefined;

  function planContext(nowMs = now(), view = layered.view()): PlanContext {
    const contextTokens = meter.size().tokens;
    const cachedMessages = keeper.cachedMessages();
    const last = cache.answered();
    const answered = last && { startedAtMs: last.startedAtMs, markers: last.request.markers };
    return situation(view, { nowMs, contextTokens, answered, cachedMessages }, facts());
  }

  const { compactOrClear, edited } = createCompactOrClear({
    ...{ keeper, tell, now, compact, cleanUp },
    planContext: (view) => planContext(now(), view),
  });

  /** The window's use is summed only where it is overrun. */
  function refuseTooLarge({ isFinal }: { readonly isFinal: boolean }): void {
    const { tokens } = meter.size();
    if (tokens <= mostPromptTokens(facts())) return;
    refuseRequest(tokens, windowUse(), { isFinal, canCompact });
  }

  /** A reply that is refused was billed all the same: its bill is noted, for what it was asked again. */
  async function orBilled<Made>(given: Reply, model: string, make: () => Made): Promise<Made> {
    try {
      return make();
    } catch (error) {
      const { usage } = readBill(given.usage);
      if (usage) {
        const data = usageNote({ by: 'reply', model: given.model ?? model, usage });
        keeper.append({ type: 'note', by: 'reply', data }, new Date(now()).toISOString());
        await keeper.write().catch(() => undefined); // it is written with what comes next
      }
      throw error;
    }
  }

  return {
    planContext: () => planContext(),

    async request({ signal }: CallOptions): Promise<Request> {
      signal?.throwIfAborted();
      refuseUnanswerable(layered.view());
      refuseTooLarge({ isFinal: false });
      makeSendable();
      await compactOrClear(signal);
      await keeper.write();
      signal?.throwIfAborted();
      refuseTooLarge({ isFinal: true });
      const startedAtMs = now();
      const view = layered.view();
      const { policy, profiles, ...bounds } = facts();
      const maxOutputTokens = outputTokens(view, meter.size().tokens, bounds);
      const request = requestOf(view, layered.parkedAt(), {
        ...{
          policy,
          profiles,
          maxOutputTokens,
          fitHistory,
          stableTtl: cache.stableTtl(startedAtMs),
        },
      });
      sent = { request, view, startedAtMs };
      return request;
    },

    /** Reads what the answer will need of the request: for the time in which the model has it. */
    readSent(): void {
      if (sent === undefined) return;
      stampOf(sent);
      cache.readSent(sent.request);
    },

    async reply(given: Reply): Promise<Message> {
      refuseUnanswerable(layered.view());
      const id = layered.nextId('message');
      const { id: model, model: info } = options.factsOf(sent?.request.head.model ?? facts().id);
      checkReply(given);
      const expectedTokens = meter.size().tokens;
      const { message, added, repairs, doubt } = await orBilled(given, model, () => {
        const { profiles } = facts();
        const stamp = sent && stampOf(sent);
        const made = replyMessage(given, { profiles, id, model, stamp });
        if (sent && stamp && bindsPrefix(made.message, info.thinking)) {
          refuseStale({ request: sent.request, stamp }, layered.view());
        }
        if (sent) cache.answering(sent.request);
        const at = new Date(now()).toISOString();
        return { ...made, added: keeper.add([made.message], { at, code: 'malformed-reply' })[0] };
      });
      if (doubt) {
        const { input_tokens: billedTokens = 0 } = message.response?.usage ?? {};
        tell({
          layer: 'tokens',
          kind: 'bill-doubted',
          reason: doubt,
          billedTokens,
          expectedTokens,
        });
      }
      for (const repair of repairs) tell({ layer: 'context', kind: 'repaired', ...repair });
      const diagnosis = sent && diagnosisOf(given.cacheMiss, cache.lastBreaks());
      if (diagnosis) {
        keeper.append({ type: 'note', ...diagnosisNote(diagnosis) }, new Date(now()).toISOString());
        tell({ layer: 'prompt-cache', kind: 'diagnosed', diagnosis });
      }
      sent = undefined;
      await keeper.write();
      return added as Message;
    },

    /** Puts a plan in force in the name of a layer, and says whether it edited. */
    async commit(layer: string, plan: Plan): Promise<boolean> {
      const at = new Date(now()).toISOString();
      const made = layered.commit(plan, { layer, at });
      await edited(made, undefined);
      await keeper.write();
      return made.entries.length > 0;
    },

    /** The call of the last request failed: nothing answers it. */
    failed(): void {
      sent = undefined;
    },

    lastRequest(): SentRequest | undefined {
      if (sent) return { request: sent.request };
      const answered = cache.answered();
      return answered && { request: answered.request, reply: answered.reply };
    },
  };
}

/** A request on its way, and the view that it shows. */
interface Sent {
  readonly request: Request;
  readonly view: View;
  readonly startedAtMs: number;
}

/** What was read of a view is remembered, so that a second one costs next to nothing. */
const stampOf = ({ view, startedAtMs }: Sent): RequestStamp =>
  createRequestStamp(view, startedAtMs);

interface RequestFacts extends Pick<ModelFacts, 'policy' | 'profiles'> {
  readonly maxOutputTokens: number;
  readonly fitHistory: FitHistory;
  readonly stableTtl: MarkerTtl;
}

/** Writes messages of the log as a provider takes them. */
export type FitHistory = ReturnType<typeof createHistoryFit>;

export function requestOf(
  view: View,
  parkedAt: readonly number[],
  { maxOutputTokens, policy, profiles, fitHistory, stableTtl }: RequestFacts,
): Request {
  const { head: logged } = view as View & Required<Pick<View, 'head'>>;
  const head = legalHead(logged);
  const isThinking = isThinkingOn(head.params, head.model);
  const edits = view.server && withLegalEdits(view.server, { isThinking });
  const server = edits && Object.keys(edits).length > 0 ? edits : undefined;
  const messages = fitHistory(view.messages, profiles);
  const request = { head, messages, markers: [], maxOutputTokens, ...(server && { server }) };
  return placeMarkers(request, { policy, parkedAt, stableTtl });
}

/** A head whose thinking is cleared only where there is any; the same object for the same head. */
function legalHead(head: Head): Head {
  const found = legalHeads.get(head);
  if (found) return found;
  const params = withLegalEdits(head.params, { isThinking: isThinkingOn(head.params, head.model) });
  const legal = params === head.params ? head : { ...head, params };
  legalHeads.set(head, legal);
  return legal;
}

// Memory of a pure function: dropping it changes nothing but time.
const legalHeads = new WeakMap<Head, Head>();

/**
 * Older models refuse a prompt and a reply that do not fit the window together. Where a prompt leaves no room for thinking
 * and reply, the provider refuses the request, and that is recovered from.
 */
export function outputTokens({ head }: View, promptTokens: number, facts: OutputBounds): number {
  const { maxOutputTokens, askedOutputTokens: requestedTokens, knownWindowTokens } = facts;
  const { budget_tokens: budget } = Object(head?.params.thinking) as { budget_tokens?: unknown };
  const thinkingTokens = typeof budget === 'number' && budget > 0 ? budget : 0;
  const wanted = { maxOutputTokens, requestedTokens, thinkingTokens };
  const fit = fitOutput({ ...wanted, promptTokens, windowTokens: knownWindowTokens });
  if (fit.kind !== 'prompt-too-large') return fit.outputTokens;
  const alone = fitOutput({ ...wanted, promptTokens: 0, windowTokens: knownWindowTokens });
  return alone.kind === 'prompt-too-large' ? thinkingTokens + 1 : alone.outputTokens;
}

type OutputBounds = Pick<ModelFacts, 'maxOutputTokens' | 'askedOutputTokens' | 'knownWindowTokens'>;

/** Thinking that is bound to messages which are gone would have every later request refused; another head is dealt with later. */
function refuseStale(
  { request, stamp }: { readonly request: Request; readonly stamp: RequestStamp },
  { messages }: View,
): void {
  if (stampHolds({ head: request.head, messages }, stamp)) return;
  const text = 'The conversation was edited since this request. Make the next one and send that.';
  throw new ContextError('stale-reply', text);
}

/** What a request and a reply both need: no call that waits for its result, and at the end something for the model to answer. */
function refuseUnanswerable({ messages, open }: View): void {
  if (open) {
    const text = `Tool calls wait for their results: ${open.waiting.join(', ')}. Add them with \`results\`, or end them with \`closeRound\`.`;
    throw new ContextError('open-round', text);
  }
  const last = messages.findLast(({ role }) => role !== 'system');
  if (last?.role !== 'user' && !(last && isPaused(last))) {
    throw new ContextError('nothing-to-send', NOTHING_TO_SEND);
  }
}

const NOTHING_TO_SEND =
  'The conversation does not end with a message for the model to answer. Add one with `user`.';
