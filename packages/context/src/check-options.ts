import { checkPipeline } from '@varve/compact/pipeline';
import {
  checkOptions as check,
  type Expectation,
  expected,
  integer,
  isRecord,
  number,
  required,
  textOf,
} from '@varve/guards';
import type { Head } from '@varve/messages';
import { LEAST_THINKING_TOKENS, paramFaults } from '@varve/messages/thinking';
import { checkToolNames } from '@varve/messages/tools';
import { definePolicy } from '@varve/prompt-cache';
import { checkModels } from '@varve/tokens/models';
import type { ContextCompaction, ContextNotes } from './compaction/context-compaction.ts';
import type { HeadChange } from './head.ts';
import { isBlocks } from './is-block.ts';
import type { ContextMemory } from './memory.ts';
import type { ModelFacts } from './model-facts.ts';
import type { CallOptions, ContextOptions } from './options.ts';
import { type AddedUsage, isUsage } from './usage.ts';

/**
 * Refuses options with which a later call would fail without saying why.
 *
 * @throws TypeError for what is of the wrong kind; RangeError for a number that makes no sense.
 */
export function checkOptions(options: ContextOptions): void {
  check(options, {
    model: required(A_MODEL),
    layers: { what: 'a list of layers', fits: isLayers },
    entries: { what: 'the entries of a log', fits: isIterable },
    cleanUp: { what: 'a list of functions', fits: isFunctions },
    log: { what: 'a log with `append`', fits: has('append') },
    storage: { what: 'a ToolStorage, as `createToolStorage` makes it', fits: isStorage },
    call: 'a function',
    onEvent: 'a function',
    now: 'a function',
    maxOutputTokens: integer(1),
    clearBy: ['age', 'need'],
    snip: 'an object',
    fold: 'an object',
    compaction: 'an object',
    memory: { what: 'an object with a `memory`, as `createMemdir` makes it', fits: isMemory },
    policy: 'an object',
    stableTtl: ['1h'],
    redact: { what: "'derived', 'on-entry' or false", fits: isRedaction, quotes: true },
  });
  checkModels(options.models);
  if (options.policy) definePolicy(options.policy);
  checkHeadChange(options);
  if (options.compaction) checkCompaction(options.compaction);
  if (options.memory) checkMemory(options.memory);
}

function checkMemory(option: ContextMemory): void {
  check<ContextMemory>(
    option,
    {
      isOn: 'true or false',
      hasIndex: 'true or false',
      agent: 'an object',
      recall: { what: 'an object, or false', fits: (each) => each === false || isRecord(each) },
      extraction: 'an object',
    },
    'memory',
  );
  const { extraction } = option;
  if (extraction === undefined) return;
  check(
    extraction,
    { client: A_CLIENT, model: A_MODEL, runFork: 'a function' },
    'memory.extraction',
  );
  const { client, model, runFork } = extraction;
  if (runFork !== undefined) return;
  if (client === undefined) throw expected('memory.extraction.client', BESIDE_MODEL, client);
  if (model === undefined) throw expected('memory.extraction.model', BESIDE_CLIENT, model);
}

const A_CLIENT: Expectation = {
  what: 'a ModelClient, as `createAnthropicClient` of @varve/models makes it',
  fits: (value) => has('stream')(value),
};
const BESIDE_MODEL = { what: 'a ModelClient beside `model`, or left out beside `runFork`' };
const BESIDE_CLIENT = { what: 'the id of a model beside `client`' };

/**
 * Refuses what a call could not be aborted with.
 *
 * @throws TypeError
 */
export function checkCall(options: CallOptions): void {
  check<CallOptions>(options, { signal: 'an AbortSignal' });
}

function checkCompaction(compaction: ContextCompaction): void {
  check<ContextCompaction>(
    compaction,
    {
      summarize: required({
        what: "a function, or 'ledger'",
        fits: (each) => typeof each === 'function' || each === 'ledger',
      }),
      percent: number({ above: 0, max: 100 }),
      pins: {
        what: 'a function that returns a list of texts',
        fits: (each: unknown) => typeof each === 'function',
      },
      switches: {
        what: 'a function that returns switches',
        fits: (each: unknown) => typeof each === 'function',
      },
      restore: 'a function',
      reactive: 'true or false',
      cleanUp: { what: 'an object of functions', fits: isObjectOfFunctions },
      threadId: 'a text that is not blank',
      notes: 'an object',
      collapse: 'an object',
      byProvider: 'an object',
    },
    'compaction',
  );
  checkPipeline(compaction, 'compaction');
  const { notes, collapse, summarize } = compaction;
  const writer = summarize === 'ledger' ? required('a function') : 'a function';
  if (collapse) check(collapse, { summarize: writer }, 'compaction.collapse');
  if (notes) check<ContextNotes>(notes, { memory: required(A_MEMORY) }, 'compaction.notes');
}

const A_MEMORY: Expectation = {
  what: 'a SessionMemory, as `createSessionMemory` makes it',
  fits: (value) => ['observe', 'snapshot', 'afterResponse'].every((name) => has(name)(value)),
};

/**
 * Refuses what no provider takes as part of a head.
 *
 * @throws TypeError
 */
export function checkHeadChange(change: HeadChange): void {
  if (!isRecord(change)) throw expected('change', A_CHANGE, change);
  check(change, {
    model: A_MODEL,
    system: { what: 'a text or text blocks', fits: isSystem },
    params: { what: 'an object that can be written as JSON', fits: isJsonObject },
    tools: 'a list',
  });
  checkToolNames((change as HeadChange).tools ?? []);
}

/**
 * Refuses parameters that a provider refuses beside thinking. Clearing of thinking where there is none is left out of the request
 * instead: another head may think again.
 *
 * @throws RangeError
 */
export function checkThinkingParams({ params, model }: Head): void {
  const fault = paramFaults(params, { model }).find(({ code }) => code !== 'context-edits');
  if (fault === undefined) return;
  throw expected(`params.${fault.param}`, { what: fault.what, error: RangeError }, fault.value);
}

/**
 * Refuses a thinking budget that leaves the longest reply of the model, or its window, no room for an answer: every request
 * would be refused.
 *
 * @throws RangeError
 */
export function checkThinkingBudget({ params }: Head, bounds: ThinkingBounds): void {
  const { budget_tokens: budget } = Object(params.thinking) as { budget_tokens?: unknown };
  if (typeof budget !== 'number') return;
  const { maxOutputTokens: most = Number.POSITIVE_INFINITY, knownWindowTokens: window } = bounds;
  if (budget >= most) {
    refuse(`less than the ${most} tokens that the model can reply, thinking included`);
  }
  if (budget > 0 && bounds.headTokens + budget + LEAST_REPLY_TOKENS > window) {
    refuse(
      `so small that system prompt and tools (about ${bounds.headTokens} tokens), it and a reply of ${LEAST_REPLY_TOKENS} tokens fit the window of ${window} tokens`,
    );
  }

  function refuse(what: string): never {
    throw expected('params.thinking.budget_tokens', { what, error: RangeError }, budget);
  }
}

/** What a thinking budget has to fit, in tokens. */
interface ThinkingBounds extends Pick<ModelFacts, 'maxOutputTokens' | 'knownWindowTokens'> {
  readonly headTokens: number;
}

/** What a request and the answer behind the thinking have at least. */
const LEAST_REPLY_TOKENS = LEAST_THINKING_TOKENS;

const isRedaction = (value: unknown): boolean =>
  value === 'derived' || value === 'on-entry' || value === false;

const A_MODEL = {
  what: 'the id of a model',
  fits: (value: unknown) => textOf(value).trim() !== '',
};
const A_CHANGE = { what: 'an object with parts of a head' };

const isSystem = (value: unknown): boolean =>
  typeof value === 'string' ||
  (isBlocks(value) && value.every((block) => block.type === 'text' && isJsonObject(block)));

function isJsonObject(value: unknown): boolean {
  try {
    return isRecord(value) && JSON.stringify(value) !== undefined;
  } catch {
    return false; // a cycle, a BigInt, a getter that throws, or too deep
  }
}

/** @throws TypeError, RangeError for a bill that could not be priced or said of nobody */
export function checkBill(bill: AddedUsage): void {
  if (!isRecord(bill)) throw expected('bill', 'an object', bill);
  check(bill, {
    by: required('a text that is not blank'),
    model: required(A_MODEL),
    usage: required({ what: 'what a response was billed', fits: isUsage }),
    calls: integer(1),
  });
}

const has =
  (method: string) =>
  (value: unknown): boolean =>
    typeof (value as Record<string, unknown> | null)?.[method] === 'function';

const isStorage = (value: unknown): boolean =>
  ['observe', 'offload', 'offloadRound', 'offloadText', 'takeNote', 'handleOf', 'stored'].every(
    (name) => has(name)(value),
  );

const isMemory = (value: unknown): boolean =>
  isRecord(value) && has('startRecall')(value.memory) && has('loadIndex')(value.memory);

const isObjectOfFunctions = (value: unknown): boolean =>
  isRecord(value) &&
  Object.values(value).every((each) => each === undefined || typeof each === 'function');

const isIterable = (value: unknown): boolean =>
  typeof (value as Iterable<unknown> | null)?.[Symbol.iterator] === 'function';

const isFunctions = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each: unknown) => typeof each === 'function');

const isLayers = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((layer) => typeof layer?.name === 'string' && has('plan')(layer.planner));
