import { type Fields, recordOf } from '@varve/guards';
import type { Request } from '@varve/messages';
import { type CacheBreak, explainBreak } from '@varve/prompt-cache';
import type { Call } from '../core/endpoint.ts';
import type { Prepared } from './prepare.ts';

interface Sent {
  readonly request: Request;
  readonly startMs: number;
}

/** The other provider remembers its answers beside these, and neither knows those of the other. */
const ownKey = (id: string): string => `messages ${id}`;

/** Lets a later request name this one in `diagnostics.previous_message_id`. */
export function rememberMessage(call: Call, id: string, { request }: Prepared): void {
  const { state, startMs, organisation } = call;
  state.remember.set(organisation, ownKey(id), { request, startMs } satisfies Sent);
}

/** What the request could not read of what the one it names had left, in the provider's words; null where nothing. */
export function diagnose(call: Call, { account, request }: Prepared): Fields {
  const { body, state, startMs, organisation } = call;
  const { previous_message_id: id } = recordOf(body.diagnostics);
  if (typeof id !== 'string') return { cache_miss_reason: null };
  const previous = state.remember.get(organisation, ownKey(id)) as Sent | undefined;
  if (previous === undefined) {
    return { cache_miss_reason: { type: 'previous_message_not_found' } };
  }
  const { policy, sizeOf } = account;
  const { breaks } = explainBreak(previous, { request, startMs }, { policy, sizeOf });
  const [first] = breaks;
  return { cache_miss_reason: first ? inWords(first) : null };
}

/** It has no word for parameters, which lose the messages, nor for time and look-back: those are `unavailable`. */
function inWords({ cause, lostTokens }: CacheBreak): Fields {
  const type = WORDS.get(cause);
  if (type !== undefined) return { type, cache_missed_input_tokens: lostTokens };
  return { type: cause === 'first-request' ? 'previous_message_not_found' : 'unavailable' };
}

const WORDS: ReadonlyMap<CacheBreak['cause'], string> = new Map([
  ['model-changed', 'model_changed'],
  ['tools-changed', 'tools_changed'],
  ['system-changed', 'system_changed'],
  ['messages-changed', 'messages_changed'],
  ['params-changed', 'messages_changed'],
  ['images-changed', 'messages_changed'],
  ['citations-changed', 'system_changed'],
]);
