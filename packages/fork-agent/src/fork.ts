import { checkOptions, expected, integer, textOf } from '@varve/guards';
import type { Request } from '@varve/messages';
import { checkToolNames } from '@varve/messages/tools';
import type { ModelClient } from '@varve/models';
import { fitCall, thinkingBudget } from '@varve/models/call';
import type { CachePolicy } from '@varve/prompt-cache';
import type { ModelInfo } from '@varve/tokens';
import { checkModels } from '@varve/tokens/models';
import { runChild } from './child-loop.ts';
import { type ChildPrefix, childPrefix, type ParentReply } from './child-prefix.ts';
import { childRequest, firstMarkers, laterMarkers, sharedEnd } from './child-request.ts';
import {
  breaksThinking,
  type HeadOverride,
  headDifferences,
  overrideHead,
  type PrefixDifference,
} from './differences.ts';
import { directiveMessage, forkId } from './directive.ts';
import { ForkError } from './error.ts';
import { type ForkPlan, forkPlan, losing } from './fork-price.ts';
import { knownModel, policyFor } from './known-model.ts';
import type { ForkResult, RunOptions, ToolRunner } from './types.ts';
import { type ChildWindow, childWindow } from './window.ts';

export interface ForkOptions<State = undefined> {
  readonly client: ModelClient;
  /** The parent's latest request, as it was sent. It is read, passed on by reference, and never changed. */
  readonly parent: Request;
  /** What the model answered to it, where it is not yet among its messages. */
  readonly reply?: ParentReply | undefined;
  /**
   * Prompt tokens of all that, as the parent knows them (`size()` of a context): the window's room is reckoned from them, as
   * long as model, system prompt and tools are the parent's. @default its messages are counted, by estimate
   */
  readonly parentTokens?: number | undefined;
  /** Runs the calls of children. @default every call is refused */
  readonly tools?: ToolRunner<State> | undefined;
  /** Names of tools that start forks or agents: they stay in the list, and calling them is refused. @default ['agent'] */
  readonly agentTools?: readonly string[] | undefined;
  /** Asks for another model, system prompt, tool list or parameters. Whatever differs may cost the whole prefix. */
  readonly override?: HeadOverride | undefined;
  /** Sends requests that differ from the parent's prefix all the same, at full price. @default false */
  readonly allowColdPrefix?: boolean | undefined;
  /**
   * Tokens of one reply; no part of the prefix. Where that is less than the thinking budget, the budget comes on top, because
   * a provider refuses a reply that its thinking fills; less where the window has no room for it. @default the parent's
   */
  readonly maxOutputTokens?: number | undefined;
  /** Entries of one's own; they win over the model table, which says how large the window is. @default the table alone */
  readonly models?: readonly ModelInfo[] | undefined;
  /** @default that of the model, none where it is unknown */
  readonly policy?: CachePolicy | undefined;
  /** Each child gets a copy of its own. */
  readonly state?: State | undefined;
  /** @default structuredClone */
  readonly cloneState?: ((state: State) => State) | undefined;
}

/** A parent ready to have children. */
export interface Fork<State = undefined> {
  /**
   * Runs one child to its end. Failures of the model are in the result.
   *
   * @throws ForkError `cold-prefix`, `bound-thinking`, `message-too-large`, before anything is sent
   * @throws RangeError for limits that are no positive integers
   * @throws TypeError for a blank directive
   * @throws the signal's reason, an `AbortError` unless one was given; the parent is as it was
   */
  run(options: RunOptions<State>): Promise<ForkResult<State>>;
  /** What the first request would cost, and in what it differs from the parent's. Sends nothing. */
  price(options: PriceOptions): ForkPlan;
  /** The first request, as `run` would send it. The same directive gives the same bytes. */
  request(options: Pick<RunOptions<State>, 'directive' | 'id'>): Request;
}

export interface PriceOptions {
  readonly directive: string;
  /** Milliseconds since the parent's request; a number below zero counts as zero. @default 0 */
  readonly idleMs?: number | undefined;
}

/**
 * Children that begin with the bytes of their parent: model, parameters, tools, system prompt and messages are passed on by
 * reference, and only what follows them differs.
 *
 * @throws ForkError `empty-parent`, `nested-fork`, `open-round`
 * @throws TypeError for a model without a name, and for tools of an override without a name or with the same one
 * @throws RangeError for `parentTokens` that are no number of tokens
 */
export function createFork<State = undefined>(options: ForkOptions<State>): Fork<State> {
  const setup = setUp(options);
  return {
    async run(given) {
      refuseToDiffer(setup, given);
      const id = given.id ?? forkId(setup.prefix, given.directive);
      return runChild(childOf(setup, given.directive, id), given);
    },
    price: (given) => planOf(setup, given),
    request: ({ directive, id = forkId(setup.prefix, directive) }) =>
      firstRequest(setup, { directive, id, head: setup.head, policy: setup.askedPolicy }),
  };
}

interface Setup<State> {
  readonly options: ForkOptions<State>;
  readonly prefix: ChildPrefix;
  readonly head: Request['head'];
  readonly server: Request['server'];
  readonly policy: CachePolicy;
  readonly askedPolicy: CachePolicy;
  readonly differs: readonly PrefixDifference[];
  readonly maxOutputTokens: number;
  readonly window: ChildWindow;
}

function setUp<State>(options: ForkOptions<State>): Setup<State> {
  const { parent, reply, override = {}, models } = options;
  checkModels(models);
  checkOptions({ parentTokens: options.parentTokens }, { parentTokens: integer(0) });
  checkToolNames(override.tools ?? [], 'override.tools');
  const { policy = policyFor(parent.head.model, models) } = options;
  const { head, server, maxOutputTokens } = fitParentRequest(options, override);
  if (textOf(head.model).trim() === '') throw expected('parent.head.model', A_MODEL, head.model);
  const isSameModel = head.model === parent.head.model;
  return {
    options,
    prefix: childPrefix(parent, reply, models),
    head,
    server,
    policy,
    askedPolicy: isSameModel ? policy : policyFor(head.model, models),
    differs: headDifferences(parent.head, head, policy),
    maxOutputTokens,
    window: childWindow(head, {
      maxOutputTokens,
      models,
      sharedTokens: sharedTokens(options, head),
    }),
  };
}

/** What the parent knows of its size holds for a head that is as long, and counted by the same tokenizer. */
function sharedTokens<State>(
  { parent, parentTokens }: ForkOptions<State>,
  { model, system, tools }: Request['head'],
): number | undefined {
  const { head } = parent;
  const isSame = model === head.model && system === head.system && tools === head.tools;
  return isSame ? parentTokens : undefined;
}

export const A_MODEL = { what: 'the id of the model that requests go to' };

/** What differs from the parent's request, so that the provider takes it: thinking has to fit the reply. */
function fitParentRequest<State>(options: ForkOptions<State>, override: HeadOverride): Request {
  const { parent, models, maxOutputTokens = parent.maxOutputTokens } = options;
  const head = overrideHead(parent.head, override);
  const budget = thinkingBudget(head.params);
  const answerTokens = maxOutputTokens > budget ? maxOutputTokens - budget : maxOutputTokens;
  const known = knownModel(head.model, models)?.maxOutputTokens;
  const mostTokens = known && Math.max(known, parent.maxOutputTokens); // what was sent was taken
  return fitCall({ ...parent, head }, { answer: 'turn', answerTokens, mostTokens });
}

function refuseToDiffer<State>(setup: Setup<State>, { directive }: RunOptions<State>): void {
  const { differs, options, prefix, head } = setup;
  if (losing(differs).length === 0) return;
  const rule = knownModel(head.model, options.models)?.thinking ?? 'free';
  if (breaksThinking(differs, prefix.messages, rule)) {
    throw new ForkError('bound-thinking', BOUND);
  }
  if (options.allowColdPrefix) return;
  const plan = planOf(setup, { directive });
  throw new ForkError('cold-prefix', coldText(plan), { plan });
}

const BOUND =
  'The history holds thinking that is bound to the system prompt and the tools, so neither can differ. Say it in the directive, or start an agent.';

function coldText({ differs, asAsked, asParent, extraDollars }: ForkPlan): string {
  const names = losing(differs).map(({ part, param }) => param ?? part);
  const price = extraDollars === undefined ? '' : `, $${extraDollars.toFixed(4)} more`;
  return `The fork would differ from its parent in ${names.join(', ')} and read ${asAsked.readTokens} tokens from the cache instead of ${asParent.readTokens}${price}. Drop the override, or set allowColdPrefix.`;
}

interface First {
  readonly directive: string;
  readonly id: string;
  readonly head: Request['head'];
  readonly policy: CachePolicy;
}

function firstRequest<State>(setup: Setup<State>, { directive, id, head, policy }: First): Request {
  const { prefix, server, window } = setup;
  const message = directiveMessage(prefix, directive, id);
  const sent = { prefix: prefix.messages, own: [message] };
  const maxOutputTokens = window.outputTokens(sent) ?? setup.maxOutputTokens;
  const parts = { head, server, maxOutputTokens, prefix: prefix.messages };
  const shared = sharedEnd(prefix.messages, message);
  return firstMarkers(childRequest(parts, [message]), { policy, parent: prefix.sent, shared });
}

function planOf<State>(setup: Setup<State>, { directive, idleMs = 0 }: PriceOptions): ForkPlan {
  const { prefix, head, options, policy, askedPolicy, differs } = setup;
  const id = forkId(prefix, directive);
  const asked = firstRequest(setup, { directive, id, head, policy: askedPolicy });
  const shared = firstRequest(setup, { directive, id, head: options.parent.head, policy });
  return forkPlan({ sent: prefix.sent, asked, shared, policy, askedPolicy, differs, idleMs });
}

function childOf<State>(setup: Setup<State>, directive: string, id: string) {
  const { options, prefix, head, server, askedPolicy: policy, window } = setup;
  const { client, tools, models, agentTools = DEFAULT_AGENT_TOOLS } = options;
  const first = directiveMessage(prefix, directive, id);
  const marks = { policy, parent: prefix.sent, shared: sharedEnd(prefix.messages, first) };
  return {
    id,
    client,
    head,
    server,
    models,
    prefix: prefix.messages,
    first,
    window,
    mark: (request: Request, isFirst: boolean) =>
      isFirst ? firstMarkers(request, marks) : laterMarkers(request, marks),
    runTool: tools,
    agentTools,
    state: copyState(options),
  };
}

export const DEFAULT_AGENT_TOOLS: readonly string[] = ['agent'];

export function copyState<State>(options: Pick<ForkOptions<State>, 'state' | 'cloneState'>): State {
  const { state, cloneState = structuredClone } = options;
  return state === undefined ? (state as State) : cloneState(state);
}
