import { ModelError, type ModelErrorCode, type ModelErrorFacts } from '../error.ts';
import { type ErrorFacts, readErrorFacts } from './error-facts.ts';
import { findOverflow } from './overflow-wordings.ts';
import { readRetryAfter } from './retry-after.ts';
import { findPlace, findSizeProblem, isUnreadableMedia } from './size-wordings.ts';

export interface ToModelErrorOptions {
  /** @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Whether the answer had begun: what breaks then broke the stream. @default false */
  readonly hasBegun?: boolean | undefined;
}

/**
 * Any error of a provider's SDK as a `ModelError`: by the provider's words first, then by status, because gateways change
 * the status more often than the words. An error that is one already comes back as it is.
 */
export function toModelError(error: unknown, options: ToModelErrorOptions = {}): ModelError {
  if (ModelError.is(error)) return error;
  const { now = Date.now, hasBegun = false } = options;
  const facts = readErrorFacts(error);
  const found = classify(facts, hasBegun);
  const retryAfterMs = readRetryAfter(facts.headers, facts.text, now);
  const place = findPlace(facts.text);
  const providerCode = facts.codes.at(-1);
  return new ModelError(found.code, messageOf(found.code, facts), {
    retryable: RETRYABLE.has(found.code),
    ...(facts.status !== undefined && { status: facts.status }),
    ...(facts.requestId !== undefined && { requestId: facts.requestId }),
    ...(providerCode !== undefined && { providerCode }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(place && { place }),
    ...found.facts,
    cause: error,
  });
}

interface Found {
  readonly code: ModelErrorCode;
  readonly facts?: ModelErrorFacts;
}

const RETRYABLE: ReadonlySet<ModelErrorCode> = new Set<ModelErrorCode>([
  'conflict',
  'connection',
  'overloaded',
  'rate-limited',
  'server-error',
  'stream-broken',
  'timeout',
]);

function classify(facts: ErrorFacts, hasBegun: boolean): Found {
  return (
    bySize(facts) ??
    byWords(facts) ??
    byStatus(facts.status) ??
    byConnection(facts, hasBegun) ?? { code: 'invalid-request' }
  );
}

function bySize(facts: ErrorFacts): Found | undefined {
  const { codes, text, status } = facts;
  const overflow = findOverflow(text);
  if (overflow || codes.some((code) => OVERFLOW_CODES.has(code))) {
    const { actualTokens = overflow?.actualTokens, limitTokens = overflow?.limitTokens } = facts;
    const numbers = {
      ...(actualTokens !== undefined && { actualTokens }),
      ...(limitTokens !== undefined && { limitTokens }),
    };
    return { code: 'prompt-too-long', facts: numbers };
  }
  if (status === 429) return undefined;
  const words = [text, ...codes].join('\n');
  const size = findSizeProblem(words);
  if (size) return { code: size.code, facts: size };
  // a server that fails may read it the next time
  if ((status ?? 0) < 500 && isUnreadableMedia(words)) return { code: 'media-unreadable' };
  return status === 413 && !TOKENS_PER_MINUTE.test(text)
    ? { code: 'request-too-large' }
    : undefined;
}

const OVERFLOW_CODES = new Set([
  'context_length_exceeded',
  'exceed_context_size_error',
  'model_context_window_exceeded',
  'model_max_prompt_tokens_exceeded',
]);

function byWords({ codes, text, status }: ErrorFacts): Found | undefined {
  const asked = TOKENS_PER_MINUTE.exec(text)?.groups;
  if (asked) {
    const actualTokens = Number(asked.actual);
    const limitTokens = Number(asked.limit);
    return {
      code: 'rate-limited',
      facts: { actualTokens, limitTokens, retryable: actualTokens <= limitTokens },
    };
  }
  const words = codes.join(' ');
  const [code] =
    WORDS.find(([, inCodes, inText]) => inCodes.test(words) || inText?.test(text)) ?? [];
  if (code === undefined) return undefined;
  // gateways keep the word of the server behind them and answer with a status of their own
  if (code === 'not-found' && status !== undefined && status >= 500) return undefined;
  return code === 'server-error' && status !== undefined && status < 500 ? undefined : { code };
}

// OpenAI: a request that alone is above the allowance of a minute never passes
const TOKENS_PER_MINUTE =
  /tokens per (?:min|day).{0,80}?Limit:? (?<limit>\d+).{0,60}?Requested:? (?<actual>\d+)/is;

/**
 * By the provider's code, then by its text. Billing stands before the rest: OpenAI reports it as a rate limit, Anthropic
 * as a bad request; Gemini names billing in every rate limit.
 */
const WORDS: readonly (readonly [ModelErrorCode, RegExp, RegExp?])[] = [
  ['rate-limited', /\bRESOURCE_EXHAUSTED\b/],
  [
    'billing',
    /billing|insufficient_quota|payment_required|insufficient_balance|credit/i,
    /credit balance is too low|exceeded your current quota|insufficient (?:balance|credits|quota|funds)|requires more credits/i,
  ],
  [
    'overloaded',
    /overloaded|slow_down|compaction_unavailable|[Ss]ervice_?[Uu]navailable|\bUNAVAILABLE\b/,
    /\boverloaded\b|currently (?:experiencing )?high (?:demand|load)|at capacity/i,
  ],
  [
    'rate-limited',
    /rate_?limit|too_many_requests|throttl/i,
    /rate limit|too many requests|too many tokens, please wait|throttl/i,
  ],
  ['auth', /authentication|permission|invalid_api_key|unauthorized|UNAUTHENTICATED/i],
  [
    'refused',
    /content_policy|content_filter|invalid_prompt|policy_violation|bio_policy|responsible_ai/i,
    /content management policy|violat\w+ (?:our |the )?(?:usage |content )?polic/i,
  ],
  ['not-found', /\bnot_found(?:_error)?\b|model_not_found/i],
  ['timeout', /\btimeout(?:_error)?\b|DEADLINE_EXCEEDED/i],
  ['server-error', /\b(?:api_error|server_error|internal_server_error|internal_error|INTERNAL)\b/i],
];

function byStatus(status: number | undefined): Found | undefined {
  if (status === undefined) return undefined;
  const code = STATUS.get(status);
  if (code !== undefined) return { code };
  return { code: status >= 500 ? 'server-error' : 'invalid-request' };
}

const STATUS = new Map<number, ModelErrorCode>([
  [401, 'auth'],
  [402, 'billing'],
  [403, 'auth'],
  [404, 'not-found'],
  [408, 'timeout'],
  [409, 'conflict'],
  [429, 'rate-limited'],
  [499, 'connection'],
  [503, 'overloaded'],
  [504, 'timeout'],
  [529, 'overloaded'],
]);

function byConnection({ names, text }: ErrorFacts, hasBegun: boolean): Found | undefined {
  if (hasBegun || names.includes('SyntaxError')) return { code: 'stream-broken' };
  if (names.some((name) => /Timeout/i.test(name)) || /timed? ?out/i.test(text))
    return { code: 'timeout' };
  return names.some((name) => CONNECTION.test(name)) ? { code: 'connection' } : undefined;
}

const CONNECTION = /APIConnection|^E[A-Z]{4,}$|SocketError|^UND_ERR|FetchError/;

function messageOf(code: ModelErrorCode, { status, requestId }: ErrorFacts): string {
  const facts = [status && `status ${status}`, requestId && `request ${requestId}`].filter(Boolean);
  return `${SENTENCES[code]}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
}

const SENTENCES: Readonly<Record<ModelErrorCode, string>> = {
  auth: 'The provider refused the key or its permissions; check the credentials of the client.',
  'bad-recording': 'The recording cannot be read; record it again.',
  billing: 'The account has no credit or quota left; nothing succeeds until that changes.',
  conflict: 'The provider is working on something that excludes this request; try again.',
  connection: 'The provider could not be reached; try again.',
  'invalid-request': 'The request was refused; the reason is in the cause.',
  'media-too-large':
    'An image or a document is too large, or there are too many; replace it and send again.',
  'media-unreadable': 'The provider cannot read an image or a document; replace it and send again.',
  'no-recording': 'Nothing is recorded for this request.',
  'not-found': 'The provider does not know the model or the address; check both.',
  'out-of-order': 'The requests come in another order than they were recorded in.',
  overloaded: 'The provider is overloaded; try again later.',
  'prompt-too-long': 'The prompt does not fit the context window; shorten it and send again.',
  'rate-limited': 'The provider limits the rate; wait and send again.',
  'recording-failed':
    'A line of the recording could not be written; make room and record the request again.',
  refused: 'The provider refused the content; sending it again changes nothing.',
  'request-too-large': 'The request has too many bytes; take media out and send again.',
  'server-error': 'The provider failed; try again.',
  'silent-overflow':
    'The answer is only an error text about the context window; shorten the prompt.',
  'stream-broken': 'The answer broke off; what had arrived is not whole. Send the request again.',
  timeout: 'The provider did not answer in time; try again.',
  'unused-recording': 'Recorded answers were not asked for.',
};
