import {
  anthropicProfile,
  createProjection,
  type Entry,
  type Head,
  type Message,
  openaiChatProfile,
  openaiResponsesProfile,
  type PlanContext,
  type Planner,
  type ProviderProfile,
  type ThinkingRule,
  type View,
} from '@varve/messages';
import { createRequestStamp } from '@varve/messages/stamps';
import { contextLimits, createEstimator, resolveModel } from '@varve/tokens';

export interface Thread {
  readonly view: View;
  readonly entries: readonly Entry[];
  append(entry: Entry): void;
  /** Appends a message; a reply carries the stamp of the view it answered. */
  say(message: Message): void;
}

const AT = '2026-02-01T00:00:00.000Z';

/** A log in memory that planners watch. */
export function threadOf(head: Head, ...planners: readonly Pick<Planner, 'observe'>[]): Thread {
  const projection = createProjection();
  const entries: Entry[] = [];
  let view: View = { messages: [], changedFrom: 0 };
  const append = (entry: Entry) => {
    view = projection.append(entry);
    entries.push(entry);
    for (const planner of planners) planner.observe(entry, view);
  };
  append({ id: 'head-entry', at: AT, type: 'head', head });
  return {
    get view() {
      return view;
    },
    entries,
    append,
    say(message) {
      const response = message.response && {
        ...message.response,
        request: createRequestStamp(view, 0),
      };
      const stamped = response ? { ...message, response } : message;
      append({ id: `entry-${entries.length}`, at: AT, type: 'message', message: stamped });
    },
  };
}

export const editEntry = (id: string, edit: (Entry & { type: 'edit' })['edit']) =>
  ({ id, at: AT, type: 'edit', by: 'compact', reason: 'test', edit }) as const;

export interface ContextOptions {
  readonly head: Head;
  readonly windowTokens: number;
  readonly thinking: ThinkingRule;
}

/** What a planner is told of a view, sizes by estimate. */
export function contextOf(view: View, { head, windowTokens, thinking }: ContextOptions) {
  const sizeOf = sizesOf(head);
  const limits = limitsOf(head, windowTokens);
  const context: PlanContext = {
    nowMs: 0,
    atUserTurn: view.messages.at(-1)?.role === 'user',
    contextTokens: view.messages.reduce((sum, message) => sum + sizeOf(message), headTokens(head)),
    limits,
    sizeOf,
    cache: { warm: true, markers: [] },
    prices: { read: 0.1, write: 1.25, output: 5 },
    thinking,
  };
  return context;
}

export function limitsOf({ model }: Head, windowTokens: number) {
  const { maxOutputTokens } = resolveModel(model).model;
  const limits = contextLimits({ windowTokens, maxOutputTokens });
  const { effectiveTokens, autocompactTokens = effectiveTokens } = limits;
  return { windowTokens, effectiveTokens, autocompactTokens };
}

export const profilesFor = (thinking: ThinkingRule): readonly ProviderProfile[] => [
  anthropicProfile({ thinking }),
  openaiChatProfile(),
  openaiResponsesProfile(),
];

/** Tokens of a message, by the estimator of the head's model; remembered. */
export function sizesOf({ model }: Pick<Head, 'model'>): (message: Message) => number {
  const { tokenizer } = resolveModel(model).model;
  let found = sizers.get(tokenizer);
  if (!found) {
    const sizes = new WeakMap<object, number>();
    const estimator = createEstimator({ family: tokenizer });
    found = (message) => {
      const known = sizes.get(message.content);
      if (known !== undefined) return known;
      const size = estimator.message(message);
      sizes.set(message.content, size);
      return size;
    };
    sizers.set(tokenizer, found);
  }
  return found;
}

const sizers = new Map<string, (message: Message) => number>();

export const headTokens = (head: Head): number =>
  createEstimator({ family: resolveModel(head.model).model.tokenizer }).head(head);
