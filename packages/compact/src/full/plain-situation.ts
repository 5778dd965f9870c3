import { checkOptions, type Expectation, expected, integer, textOf } from '@varve/guards';
import type { Ledger } from '@varve/ledger';
import { type Head, legalCuts, type Message, type ThinkingRule } from '@varve/messages';
import { isSummary } from '@varve/messages/persons';
import { checkToolNames } from '@varve/messages/tools';
import { contextLimits, createEstimator, resolveModel } from '@varve/tokens';
import { A_LEDGER } from './check-given.ts';
import { discoveredTools } from './discovered-tools.ts';
import { sumOf } from './draft.ts';
import { factsOf } from './facts-of.ts';
import { plainLedger } from './plain-ledger.ts';
import type { Facts, Situation } from './situation.ts';
import { summaryBody } from './summary-text.ts';
import { withEarlier } from './with-earlier.ts';

/** What a plain history does not say by itself. */
export interface SituationOptions {
  /**
   * Model, system prompt, tools and parameters of the conversation's requests; the summary's request has the same. There is
   * no default for the model.
   */
  readonly head: Partial<Head> & Pick<Head, 'model'>;
  /** Tokens. @default that of the model, or 200,000 */
  readonly windowTokens?: number | undefined;
  /** The most the model can reply, in tokens. @default what is known of the model */
  readonly maxOutputTokens?: number | undefined;
  /** @default that of the model; of an unknown one the strictest, `prefix-bound` */
  readonly thinking?: ThinkingRule | undefined;
  /** Size of the next request as it was measured, in tokens. @default an estimate */
  readonly contextTokens?: number | undefined;
  /** Facts of the conversation from its beginning. @default what is in `messages` */
  readonly ledger?: Ledger | undefined;
  /** Texts that stand in the summary word for word. */
  readonly pins?: readonly string[] | undefined;
  /** Takes secrets out of the summary; what is kept stays as it is. A `ledger` that is given decides for itself. @default true */
  readonly redact?: boolean | undefined;
}

/**
 * A plain history and what is known of its model. Looks at every message.
 *
 * @throws RangeError for sizes that are none; TypeError for a head without a model, or with tools that no provider takes.
 */
export function plainSituation(messages: readonly Message[], options: SituationOptions): Situation {
  checkModel(options?.head);
  checkOptions<SituationOptions>(options, {
    windowTokens: integer(1),
    maxOutputTokens: integer(1),
    contextTokens: A_SIZE,
    thinking: ['free', 'latest-turn', 'prefix-bound'],
    ledger: A_LEDGER,
    pins: 'a list of texts',
  });
  const head = headOf(options.head);
  const { model } = resolveModel(head.model);
  const { windowTokens = model.windowTokens, thinking = model.thinking } = options;
  const { maxOutputTokens = model.maxOutputTokens } = options;
  const estimator = createEstimator({ family: model.tokenizer });
  const limits = contextLimits({ windowTokens, maxOutputTokens });
  const sized = sumOf(messages, estimator.message);
  const { contextTokens = estimator.head(head) + sized } = options;
  const facts = plainFacts(messages, { ...options, head }, estimator.text);
  return {
    head,
    messages,
    cuts: legalCuts(messages, { behindSummary: true }),
    windowTokens,
    effectiveTokens: limits.effectiveTokens,
    autocompactTokens: limits.autocompactTokens ?? limits.effectiveTokens,
    maxOutputTokens,
    tokenizer: model.tokenizer,
    tokensBefore: contextTokens,
    overheadTokens: Math.max(0, contextTokens - sized),
    restTokens: 0,
    earlier: earlierOf(messages),
    sizeOf: estimator.message,
    sizeOfText: estimator.text,
    sizeOfHead: estimator.head,
    thinking,
    facts,
    discovered: [...new Set(messages.flatMap(discoveredTools))],
  };
}

const A_SIZE: Expectation = {
  what: 'a non-negative number',
  fits: (value) => Number.isFinite(value) && Number(value) >= 0,
  error: RangeError,
};

/** @throws TypeError for a head without a model, or with tools that no provider takes: the summary's request could go nowhere. */
export function checkModel(head: Partial<Head> | undefined): void {
  const { model }: { readonly model?: unknown } = head ?? {};
  if (textOf(model).trim() === '') throw expected('head.model', A_MODEL, model);
  checkOptions<Partial<Head>>(head as Partial<Head>, A_HEAD, 'head');
  checkToolNames(head?.tools ?? [], 'head.tools');
}

const A_HEAD = { system: 'a list', tools: 'a list', params: 'an object' } as const;
const A_MODEL = {
  what: "the id of the model that the request for the summary goes to, with `head: { model, system, tools, params }` as the conversation's own requests have it",
};

export function headOf(head: Partial<Head> = {}): Head {
  const { id = 'head', model = '', system = [], tools = [], params = {} } = head;
  const complete = [head.id, head.model, head.system, head.tools, head.params];
  return complete.includes(undefined) ? { id, model, system, tools, params } : (head as Head);
}

/** The summary that messages begin with. */
export function earlierOf([first]: readonly Message[]): string | undefined {
  return first && isSummary(first) ? summaryBody(first) : undefined;
}

/** Without a ledger, what is in the messages is all that is known. */
function plainFacts(
  messages: readonly Message[],
  { head, ledger, pins, redact }: Omit<SituationOptions, 'head'> & { readonly head: Head },
  sizeOf: (text: string) => number,
): Facts {
  const known = ledger ?? plainLedger(head, messages, { redact });
  const facts = factsOf(known, { sizeOf, pins });
  return withEarlier(facts, messages[0], sizeOf);
}
