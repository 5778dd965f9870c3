import { defaultLayers } from '@varve/context';
import { createLedger, renderLedger } from '@varve/ledger';
import type { Edit, Plan, PlanContext, Planner, View } from '@varve/messages';
import { createEstimator } from '@varve/tokens';
import type { Strategy, StrategyContext } from '../../strategy.ts';
import { contextStrategy } from '../context-strategy.ts';
import { createStorage } from '../layers.ts';
import { type Stretch, spentStretches } from './spent-stretches.ts';

/** The newest rounds stay, as in `layers+ledger`. */
const KEEP_TOKENS = 20_000;
/** Results up to this size are never cleared by the layers, so that one that is there says nothing. */
const LIVE_TOKENS = 200;
const MIN_TOKENS = 3_000;
/** For so much the cache is broken, and for so much where it is cold or was just broken by a layer. */
const WORTH_A_BREAK = 20_000;
const WORTH_A_FOLD = 4_000;
/** The part of a stretch that its facts may take. */
const SHARE = 0.1;

/**
 * The layers, and behind them a fold of what they leave: where all results of old rounds are gone, a ledger of these rounds
 * stands for the words the agent wrote in them. It needs no model, and nothing that a person said or a result still shows
 * goes. Reasons and conclusions that are no facts are lost, which the replay cannot see.
 */
export const layersFold: Strategy = contextStrategy('layers+fold', (input) => {
  const storage = createStorage();
  return {
    storage,
    layers: [...defaultLayers(input.model, { storage }), { name: BY, planner: createFold(input) }],
  };
});

/** The layer behind the others; it keeps what it knows of one session. */
export function createFold({ model }: Pick<StrategyContext, 'model'>): Planner {
  const { text: sizeOf } = createEstimator({ family: model.tokenizer });
  let view: View = { messages: [], changedFrom: 0 };
  let isBroken = false;
  return {
    observe(entry, next) {
      view = next;
      if (entry.type === 'edit') isBroken = entry.by !== BY;
    },
    plan(context: PlanContext): Plan {
      const worth = isBroken || !context.cache.warm ? WORTH_A_FOLD : WORTH_A_BREAK;
      isBroken = false;
      const limits = { keepTokens: KEEP_TOKENS, liveTokens: LIVE_TOKENS, minTokens: MIN_TOKENS };
      const stretches = spentStretches(view.messages, { ...context, ...limits });
      const tokens = stretches.reduce((sum, stretch) => sum + stretch.tokens, 0);
      if (tokens < worth) return { kind: 'none', reason: 'too-little' };
      const edits = stretches.map((stretch) => foldOf(stretch, sizeOf));
      return { kind: 'edit', reason: 'results-gone', edits };
    },
  };
}

const BY = 'collapse';

function foldOf({ messages, tokens }: Stretch, sizeOf: (text: string) => number): Edit {
  const ledger = createLedger();
  for (const message of messages) ledger.add(message);
  const { text } = renderLedger(ledger, { budgetTokens: Math.floor(tokens * SHARE), sizeOf });
  const fromId = messages[0]?.sources[0] as string;
  const toId = messages.at(-1)?.sources.at(-1) as string;
  const summary = {
    id: `fold-${fromId}`,
    role: 'user',
    content: [{ type: 'text', text: `${LEAD}\n\n${text}`.trimEnd() }],
    origin: { kind: 'summary', by: BY },
  } as const;
  return { kind: 'replace-span', fromId, toId, with: [summary], then: [] };
}

const LEAD =
  'A stretch of work whose results are gone was folded into what is known of it; the messages around it are unchanged.';
