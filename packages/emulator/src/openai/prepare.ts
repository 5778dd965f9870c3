import { recordOf } from '@varve/guards';
import {
  checkRequest,
  type JsonObject,
  type Marker,
  type Message,
  type ProviderProfile,
  type Request,
  type TextBlock,
  type Tool,
} from '@varve/messages';
import type { fromOpenAIChat } from '@varve/messages/convert';
import type { ModelInfo } from '@varve/tokens';
import type { Account } from '../cache/account.ts';
import { type Call, Refused } from '../core/endpoint.ts';
import { contextTooLong } from './error-body.ts';
import { refusalOf } from './violations.ts';

/** The parts of a request that both APIs have, each under its own names. */
export interface ReadParts {
  readonly model: ModelInfo;
  readonly profile: ProviderProfile;
  readonly messages: readonly ReturnType<typeof fromOpenAIChat>['messages'][number][];
  readonly markers: readonly Marker[];
  readonly system: readonly TextBlock[];
  readonly tools: readonly Tool[];
  /** What the prefix depends on beside its bytes, under the names of the Responses API. */
  readonly params: JsonObject;
  readonly maxOutputTokens: number;
}

export interface Prepared {
  readonly model: ModelInfo;
  readonly account: Account;
  readonly request: Request;
  /** Tokens of the prompt. */
  readonly tokens: number;
}

/** Holds a request against the rules of its API and its model. Throws `Refused`. */
export function prepare(call: Call, parts: ReadParts): Prepared {
  const { model, profile, messages, maxOutputTokens, markers } = parts;
  const account = call.state.accounts.of(call.organisation, model, variantOf(call.body));
  const { system, tools, params } = parts;
  const request = account.intern<Request>({
    head: { id: 'head', model: model.id, system, tools, params },
    messages: messages as readonly Message[],
    // only the latest ones write, and those beyond are ignored: four where only what is marked is written, else three
    markers: account.policy.writes === 'markers' ? markers.slice(-account.policy.maxMarkers) : [],
    maxOutputTokens,
  });
  const [violation] = checkRequest({ ...request, markers: [] }, profile);
  if (violation) throw new Refused(refusalOf(violation, request.messages, profile.name));
  const { billed } = account.measure(request);
  const most = model.windowTokens - (model.maxOutputTokens ?? 0);
  if (billed > most) throw new Refused(contextTooLong(billed, most));
  return { model, account, request, tokens: billed };
}

function variantOf(body: JsonObject) {
  const { mode, ttl } = recordOf(body.prompt_cache_options);
  const isLong = ttl === '12h' || body.prompt_cache_retention === '24h';
  return { explicitOnly: mode === 'explicit', ttl: isLong ? ('1h' as const) : undefined };
}
