import { PromptCacheError } from '@varve/prompt-cache';
import { EmulatorError } from '../error.ts';
import { damageEvents } from '../faults/damage-events.ts';
import { createFaultPicker, type Fault, isWireFault } from '../faults/fault.ts';
import { type RecordedRequest, recordRequest } from '../log/exchange.ts';
import { type Dialect, dialectOf } from './dialect.ts';
import { type Answer, type Refusal, Refused } from './endpoint.ts';
import type { HttpReply, HttpRequest } from './http.ts';
import { isNestedTooDeeply, parseBody } from './json.ts';
import { createRateLimitHeaders, type RateLimits } from './rate-limits.ts';
import { findRoute, providerOf } from './routes.ts';
import type { EmulatorState } from './state.ts';

export interface HandlerOptions {
  readonly state: EmulatorState;
  readonly faults: readonly Fault[];
  readonly apiKeys: readonly string[] | undefined;
  readonly rateLimits: RateLimits | undefined;
  readonly onRequest: (request: RecordedRequest) => void;
}

const LIMITS: RateLimits = {
  requestsPerMinute: 4_000,
  inputTokensPerMinute: 2_000_000,
  outputTokensPerMinute: 400_000,
};

/** From request to response: the fault if there is one, else the endpoint; everything that was done is recorded. */
export function createHandler(options: HandlerOptions): (http: HttpRequest) => Promise<HttpReply> {
  const { state, rateLimits = LIMITS, onRequest } = options;
  const pickFault = createFaultPicker(options.faults);
  const limitHeaders = createRateLimitHeaders(rateLimits);
  let count = 0;
  return async (http) => {
    const index = count++;
    const provider = providerOf(http);
    const dialect = dialectOf(provider);
    const startMs = state.now();
    const context = { index, startMs, dialect, requestId: state.newId('req'), options };
    const fault = pickFault({ index, method: http.method, path: http.path, headers: http.headers });
    const settled = (fault && failed(fault, context)) ?? (await settle(http, context));
    const { organisation, answer } = settled;
    const { model, billed = [], outputTokens = 0 } = answer;
    const inputTokens = billed.reduce((sum, { tokens }) => sum + tokens.total, 0);
    const limits = limitHeaders(organisation, provider, startMs, { inputTokens, outputTokens });
    const named = { ...limits, [dialect.requestIdHeader]: context.requestId };
    const whole = { ...answer.reply, headers: { ...named, ...answer.reply.headers } };
    const reply = fault ? withFault(whole, fault, dialect) : whole;
    const record = { index, provider, startMs, reply, model, billed, outputTokens };
    onRequest(recordRequest(http, { ...record, fault: fault?.kind }));
    return reply;
  };
}

/** What a fault answers in place of the endpoint; undefined for one that only acts on the reply. */
function failed(fault: Fault, { dialect, requestId }: SettleContext): Settled | undefined {
  const refusal = refusalOfFault(fault, dialect);
  if (refusal === undefined) return undefined;
  const reply = dialect.errorReply(refusal, requestId, retryHeaders(fault));
  return { answer: { reply }, organisation: '' };
}

function refusalOfFault(fault: Fault, dialect: Dialect): Refusal | undefined {
  if (fault.kind === 'status') return dialect.refusal(fault.status, fault.message);
  if (fault.kind !== 'prompt-too-long') return undefined;
  const { limitTokens = 200_000, actualTokens = limitTokens + 1 } = fault;
  return dialect.tooLong(actualTokens, limitTokens);
}

function retryHeaders(fault: Fault): Record<string, string> {
  if (fault.kind !== 'status' || fault.retryAfterMs === undefined) return {};
  return {
    'retry-after': String(Math.ceil(fault.retryAfterMs / 1_000)),
    'retry-after-ms': String(fault.retryAfterMs),
  };
}

function withFault(reply: HttpReply, fault: Fault, dialect: Dialect): HttpReply {
  const damaged = damageEvents(reply, fault, dialect.errorEvent);
  return isWireFault(fault) ? { ...damaged, wire: fault } : damaged;
}

interface SettleContext {
  readonly index: number;
  readonly startMs: number;
  readonly dialect: Dialect;
  readonly requestId: string;
  readonly options: HandlerOptions;
}

interface Settled {
  readonly answer: Answer;
  readonly organisation: string;
}

async function settle(http: HttpRequest, context: SettleContext): Promise<Settled> {
  const { dialect, requestId } = context;
  const refuse = (refusal: Refusal, headers = {}): Answer => ({
    reply: dialect.errorReply(refusal, requestId, headers),
  });
  const account = dialect.authorise(http);
  if (!('key' in account)) return { answer: refuse(account), organisation: '' };
  const organisation = account.key;
  try {
    return { answer: await answerOf(http, organisation, context), organisation };
  } catch (error) {
    const refusal = refusalOfFailure(error, http, dialect);
    if (refusal) return { answer: refuse(refusal), organisation };
    // whoever writes the replies has failed: a retry would only fail again
    const message = EmulatorError.is(error) ? error.message : `The reply failed: ${String(error)}`;
    const headers = { 'x-should-retry': 'false' };
    return { answer: refuse(dialect.refusal(500, message), headers), organisation };
  }
}

/** What was thrown because of the request; undefined for what it is not to blame for. */
function refusalOfFailure(
  error: unknown,
  { body }: HttpRequest,
  dialect: Dialect,
): Refusal | undefined {
  if (Refused.is(error)) return error.refusal;
  if (PromptCacheError.is(error)) return dialect.refusal(400, error.message);
  return ranOutOfStack(error) && isNestedTooDeeply(body)
    ? dialect.refusal(400, 'The request body is nested too deeply')
    : undefined;
}

/** All that depth can cause, as it is thrown or as the cause of what a package made of it: any other failure is not the body's. */
function ranOutOfStack(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && ranOutOfStack(error.cause));
}

function answerOf(http: HttpRequest, organisation: string, context: SettleContext) {
  const { dialect, options, index, startMs } = context;
  const { apiKeys, state } = options;
  if (apiKeys && !apiKeys.includes(organisation)) throw new Refused(dialect.refusal(401));
  const routed = findRoute(http);
  if (routed === undefined) throw new Refused(dialect.refusal(404));
  if (http.body.byteLength > dialect.maxBodyBytes) throw new Refused(dialect.refusal(413));
  const body = http.method === 'POST' ? parseBody(http.body) : {};
  if (body === undefined) throw new Refused(dialect.refusal(400, notJson(http)));
  const { route, name } = routed;
  return route.endpoint({ http, index, name, organisation, body, startMs, state });
}

function notJson({ headers }: HttpRequest): string {
  const encoding = headers['content-encoding'] ?? 'identity';
  return encoding === 'identity'
    ? 'The request body is not valid JSON: an object is expected'
    : `The request body is encoded as ${encoding}, which this emulator does not read`;
}
