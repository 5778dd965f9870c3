import { setTimeout as wait } from 'node:timers/promises';
import type Anthropic from '@anthropic-ai/sdk';
import type { CallModel } from '@varve/context';
import { codeOf, recordOf } from '@varve/guards';
import type { JsonObject, Request, Usage } from '@varve/messages';
import {
  createModelStream,
  type ModelClient,
  ModelError,
  type ModelEvent,
  type ModelResponse,
} from '@varve/models';
import { createAnthropicClient } from '@varve/models/anthropic';
import { createOpenAIChatClient, createOpenAIResponsesClient } from '@varve/models/openai';
import { createEstimator, type ModelInfo, resolveModel } from '@varve/tokens';
import type OpenAI from 'openai';
import type { Emit } from './events.ts';

export interface ModelOptions {
  readonly model: string;
  readonly anthropicKey?: string | undefined;
  readonly openaiKey?: string | undefined;
  /** Another server that speaks the wire format of the model's provider. @default what the SDK reads of the environment */
  readonly baseUrl?: string | undefined;
}

/** A client, and the parameters that its requests need. */
export interface ConnectedModel {
  readonly client: AddressedClient;
  readonly params: JsonObject;
}

/** A client that says where its requests go, for the words of a failure. */
interface AddressedClient extends ModelClient {
  readonly address?: string;
}

/**
 * The client of a model by its id: Messages for those of Anthropic, Responses for those of OpenAI, Chat Completions for all
 * others. Failed requests are sent again by `createCall`, where they are shown, and not by the SDK. An SDK is loaded with the first
 * request, so that the program is there before.
 */
export function connect({ model, anthropicKey, openaiKey, baseUrl }: ModelOptions): ConnectedModel {
  const { provider } = resolveModel(model).model;
  const url = baseUrl === undefined ? {} : { baseURL: baseUrl };
  if (provider === 'anthropic' || model.startsWith('claude-')) {
    let loaded: Promise<Anthropic> | undefined;
    const sdk = () => (loaded ??= loadAnthropic({ apiKey: anthropicKey ?? 'none', ...url }));
    const client = createAnthropicClient({ sdk, maxRetries: 0 });
    return { client: { ...client, address: baseUrl ?? 'https://api.anthropic.com' }, params: {} };
  }
  const address = baseUrl ?? 'https://api.openai.com';
  let loaded: Promise<OpenAI> | undefined;
  const sdk = () => (loaded ??= loadOpenAI({ apiKey: openaiKey ?? 'none', ...url }));
  if (provider !== 'openai')
    return { client: { ...createOpenAIChatClient({ sdk, maxRetries: 0 }), address }, params: {} };
  return {
    client: { ...createOpenAIResponsesClient({ sdk, maxRetries: 0 }), address },
    params: { store: false, include: ['reasoning.encrypted_content'] },
  };
}

export const EFFORTS = ['low', 'medium', 'high'] as const;
/** How much a model thinks before it answers. */
export type Effort = (typeof EFFORTS)[number];

export const isEffort = (word: string | undefined): word is Effort =>
  EFFORTS.some((each) => each === word);

/** Models that came before the parameter. */
const WITHOUT_EFFORT = /^claude-(?:haiku-4|sonnet-4(?:$|-5)|opus-4(?:$|-1))/;

/** Whether it can be said of a model how much it thinks. */
export const takesEffort = (model: string): boolean => effortParams(model, 'low') !== undefined;

/** The parameters that say so; undefined where there are none. */
export function effortParams(model: string, effort: Effort | undefined): JsonObject | undefined {
  const { provider } = resolveModel(model).model;
  if (effort === undefined || WITHOUT_EFFORT.test(model)) return undefined;
  if (provider === 'anthropic') return { output_config: { effort } };
  return provider === 'openai' ? { reasoning: { effort } } : undefined;
}

/** What parameters say of it. */
export const effortOf = ({ output_config, reasoning }: JsonObject): Effort | undefined => {
  const said = recordOf(output_config).effort ?? recordOf(reasoning).effort;
  return EFFORTS.find((each) => each === said);
};

const loadAnthropic = async (options: ClientOptions): Promise<Anthropic> =>
  new (await import('@anthropic-ai/sdk')).default(options);

const loadOpenAI = async (options: ClientOptions): Promise<OpenAI> =>
  new (await import('openai')).default(options);

type ClientOptions = { readonly apiKey: string; readonly baseURL?: string };

/** How long an answer may be, in tokens: a long file that the model writes fits, and in a small window the prompt still does. */
export function answerTokens(model: string, windowTokens?: number): number {
  const window = windowTokens ?? resolveModel(model).model.windowTokens;
  return Math.min(MOST_ANSWER_TOKENS, Math.max(1, Math.floor(window * ANSWER_SHARE)));
}

/** The entry of a model whose window was said to be another, e.g. to compact earlier. */
export function modelsOf(
  model: string,
  windowTokens: number | undefined,
): readonly ModelInfo[] | undefined {
  if (windowTokens === undefined) return undefined;
  return [{ ...resolveModel(model).model, id: model, aliases: [], windowTokens }];
}

const MOST_ANSWER_TOKENS = 64_000;
const ANSWER_SHARE = 0.16;

export interface CallOptions {
  /** Asked before each call: the model may be another one by then. */
  readonly client: () => AddressedClient;
  readonly emit: Emit;
  /** Told what an answer was billed that came to no end. @default nobody is */
  readonly onLost?: OnLost | undefined;
  /** Whether what arrives is shown; not of a summary. @default true */
  readonly isShown?: boolean | undefined;
  /**
   * The answer before, by the provider's id, for its own diagnosis of the cache; null where there is none. It is given the last
   * answer of these calls, if there was one. @default not asked
   */
  readonly compareWith?: ((last: ModelResponse | undefined) => string | null) | undefined;
}

/** Who called, in the bill of answers that came to no end. */
export const INTERRUPTED = 'interrupted';

/** The prompt as the provider said or as an estimate, and what had arrived as an estimate; `isTold` where the error that is thrown says the same. */
export type OnLost = (model: string, usage: Usage, how: { readonly isTold: boolean }) => void;

/** Attempts at one request. */
const MOST_ATTEMPTS = 10;
/** The same where nobody answers at the address, or there is none of the name. */
const MOST_ATTEMPTS_ABSENT = 4;
const ABSENT = new Set(['ECONNREFUSED', 'ENOTFOUND']);
const isAbsent = (error: unknown): boolean =>
  ABSENT.has(reasonOf(error) ?? '') || causesOf(error).some(({ message }) => message === BAD_PORT);
/** What `fetch` says, without a code, of a port that it never asks, such as 1 or 9. */
const BAD_PORT = 'bad port';

/**
 * A client that sends again what may pass (network, rate, overload), unchanged and after the pause that the provider asks for; a
 * request that is too long is the business of the context. Events of an attempt that failed are void.
 */
export function retrying({ client, emit, onLost }: CallOptions): ModelClient {
  return {
    provider: client().provider,
    stream: (request, options) =>
      createModelStream(async function* (signal) {
        for (let attempt = 1; ; attempt++) {
          const { model } = request.head;
          const arrived = countArrived(request);
          try {
            for await (const event of client().stream(request, { ...options, signal })) {
              arrived.add(event);
              yield event;
            }
            return;
          } catch (cause) {
            const error = named(cause, client().address);
            const most = isAbsent(cause) ? MOST_ATTEMPTS_ABSENT : MOST_ATTEMPTS;
            const isAgain = ModelError.is(error) && error.retryable && attempt < most;
            const usage = arrived.usage();
            if (usage !== undefined)
              onLost?.(model, usage, { isTold: !isAgain && ModelError.is(error) });
            if (!isAgain) throw error;
            const waitMs = error.retryAfterMs ?? Math.min(500 * 2 ** (attempt - 1), 30_000);
            emit({ kind: 'retry', attempt, most, waitMs, reason: error.message });
            await wait(waitMs, undefined, { signal }).catch((cause: unknown) => {
              throw signal.aborted ? signal.reason : cause;
            });
          }
        }
      }, options?.signal),
  };
}

/** What an answer costs that is not whole; undefined where it has not begun. */
function countArrived(request: Request) {
  let start: Usage | undefined;
  let text = '';
  return {
    add(event: ModelEvent): void {
      if (event.type === 'response-start') start = event.usage ?? promptEstimate(request);
      if (event.type === 'text-delta' || event.type === 'thinking-delta') text += event.text;
      if (event.type === 'input-delta') text += event.json;
    },
    usage(): Usage | undefined {
      if (start === undefined) return undefined;
      const estimator = estimatorOf(request.head.model);
      const output_tokens = Math.max(start.output_tokens, Math.ceil(estimator.text(text)));
      return { ...start, output_tokens };
    },
  };
}

/** What a prompt costs of which the provider tells nothing before the end: what the last answer had read and seen is in the cache. */
function promptEstimate({ head, messages }: Request): Usage {
  const estimator = estimatorOf(head.model);
  const prompt = messages.reduce(
    (sum, message) => sum + estimator.message(message),
    estimator.head(head),
  );
  const last = messages.findLast(({ response }) => response?.usage !== undefined)?.response;
  const seen = last && idOf(last.model) === idOf(head.model) ? last.usage : undefined;
  const cached = (seen?.cache_read_input_tokens ?? 0) + (seen?.cache_creation_input_tokens ?? 0);
  const before = Math.min(prompt, (seen?.input_tokens ?? 0) + cached);
  return {
    input_tokens: prompt - before,
    ...(before > 0 && { cache_read_input_tokens: before }),
    output_tokens: 0,
  };
}

const idOf = (model: string): string => resolveModel(model).model.id;
const estimatorOf = (model: string) =>
  createEstimator({ family: resolveModel(model).model.tokenizer });

/** An error of the connection with the address in its words, and what to look at. */
function named(error: unknown, address: string | undefined): unknown {
  if (!ModelError.is(error) || error.code !== 'connection' || address === undefined) return error;
  const code = reasonOf(error);
  const place = address.replace(/\/\/[^/]*@/, '//'); // a name and a password may stand there
  const said = `${place} could not be reached${code === undefined ? '' : ` (${code})`}: look at the network, a proxy, and the address (--base-url, ANTHROPIC_BASE_URL, OPENAI_BASE_URL).`;
  return new ModelError('connection', said, { retryable: error.retryable, cause: error.cause });
}

/** The first code of the system in an error and what it came from, such as ECONNREFUSED. */
function reasonOf(error: unknown): string | undefined {
  return causesOf(error)
    .map(codeOf)
    .find((code) => /^E[A-Z_]+$/.test(code ?? ''));
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/** Calls a model as `retrying` does, and shows its answer while it arrives. */
export function createCall(options: CallOptions): CallModel {
  const { emit, isShown = true, compareWith } = options;
  let takesComparison = compareWith !== undefined;
  let last: ModelResponse | undefined;
  return async (request, { signal }) => {
    for (;;) {
      const asked = takesComparison ? compareWith?.(last) : undefined;
      const stream = retrying(options).stream(request, { signal, compareWith: asked });
      try {
        for await (const event of stream) {
          if (!isShown) continue;
          if (event.type === 'text-delta') emit({ kind: 'text-delta', text: event.text });
          if (event.type === 'thinking-delta') emit({ kind: 'thinking-delta', text: event.text });
        }
        last = checked(await stream.response());
        return last;
      } catch (error) {
        if (!takesComparison || !refusesComparison(error)) throw error;
        takesComparison = false; // a server that does not know the field answers without it
      }
    }
  };
}

const refusesComparison = (error: unknown): boolean =>
  ModelError.is(error) &&
  error.code === 'invalid-request' &&
  /diagnostics|comparison_response_id|prompt_cache_options/.test(saidBy(error.cause));

/** The words of the provider, which the error itself does not repeat. */
const saidBy = (cause: unknown): string => (cause instanceof Error ? cause.message : '');

/** An answer that ended before it began for want of room would pass for one that says nothing. */
function checked(response: ModelResponse): ModelResponse {
  const { content, stopReason, cutCall } = response;
  if (content.length > 0 || cutCall !== undefined) return response;
  if (stopReason !== 'max_tokens' && stopReason !== 'model_context_window_exceeded')
    return response;
  throw new Error('The window of the model is full: there is no room for an answer.');
}
