import { isToolResult, type Message, type Request } from '@varve/messages';
import { BASELINE } from '../src/built-in-strategies.ts';
import type { ReportRow, Strategy } from '../src/index.ts';
import { rowOf } from '../src/replay/metrics.ts';
import { type Replay, replay, replayAndWait } from '../src/replay/replay.ts';
import {
  type PlanSessionOptions,
  planSession,
  type SessionPlan,
} from '../src/replay/session-plan.ts';
import { type PricingOptions, resolvePricing } from '../src/resolve-pricing.ts';
import { type Step, type ThreadOptions, threadOf } from './sessions.ts';

export interface PlanOptions extends PlanSessionOptions, ThreadOptions {
  readonly pricing?: Partial<PricingOptions>;
}

/** A hand-made session, priced as Claude Opus 4.8 with a cache that never expires unless said otherwise. */
export function planOf(steps: readonly Step[], options: PlanOptions = {}): SessionPlan {
  const pricing = resolvePricing({ ttl: 'none', ...options.pricing });
  return planSession(threadOf(steps, options), pricing, options);
}

const baselines = new WeakMap<SessionPlan, Replay>();

/** The report row of a strategy on a plan. */
export function rowFor(plan: SessionPlan, strategy: Strategy): ReportRow {
  const baseline = baselines.get(plan) ?? replay(plan, BASELINE);
  baselines.set(plan, baseline);
  const names = { session: 'test', strategy: strategy.name };
  return rowOf(names, plan, { replay: replay(plan, strategy), baseline });
}

/** The same for a strategy that may have to be waited for. */
export async function rowAfterWaiting(plan: SessionPlan, strategy: Strategy): Promise<ReportRow> {
  const names = { session: 'test', strategy: strategy.name };
  const baseline = replay(plan, BASELINE);
  return rowOf(names, plan, { replay: await replayAndWait(plan, strategy), baseline });
}

/** A strategy that sends what `choose` makes of the past. */
export function choosing(
  name: string,
  choose: (messages: readonly Message[]) => readonly Message[],
  change: (request: Request) => Request = (request) => request,
): Strategy {
  return {
    name,
    create({ head }) {
      const messages: Message[] = [];
      return {
        add: (message) => void messages.push(message),
        request: () =>
          change({ head, messages: choose([...messages]), markers: [], maxOutputTokens: 8_000 }),
      };
    },
  };
}

const emptied = new WeakMap<Message, Message>();

/** The message without the contents of its results; the same one if it has none. Always the same one, so that it is read once. */
export function cleared(message: Message): Message {
  if (!message.content.some(isToolResult)) return message;
  const content = message.content.map((block) =>
    isToolResult(block) ? { ...block, content: '-' } : block,
  );
  const found = emptied.get(message) ?? { ...message, content };
  emptied.set(message, found);
  return found;
}

/** Counts a token for each character of text and nothing for framing, so that prices can be worked out by hand. */
export const characters = {
  block: (block: { readonly type: string }): number => {
    const { text, content, input } = block as unknown as Readonly<Record<string, unknown>>;
    const value = text ?? content ?? (input === undefined ? '' : JSON.stringify(input));
    return String(value).length;
  },
  message: ({ content }: { readonly content: string | readonly { readonly type: string }[] }) =>
    typeof content === 'string'
      ? content.length
      : content.reduce((sum, block) => sum + characters.block(block), 0),
  head: () => 0,
};
