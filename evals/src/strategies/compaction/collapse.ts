import { createCollapse, type Summarize } from '@varve/compact';
import { createLedger, renderLedger } from '@varve/ledger';
import type { PlanContext } from '@varve/messages';
import { placeMarkers } from '@varve/prompt-cache';
import { createEstimator } from '@varve/tokens';
import type { Strategy, StrategyContext } from '../../strategy.ts';
import { createGated, type Gate, NO_PASSAGE } from '../gated.ts';
import { createCompactionGate, noModel } from './compaction-gate.ts';
import { createOwnCalls } from './own-calls.ts';

/**
 * `createCollapse` of `@varve/compact`: old stretches of work are folded one by one, the person's words stay. What stands
 * for a stretch is written by a ledger of that stretch; it is priced as the model's call that it stands for. What cannot be
 * folded is compacted as in `ledger-compact`.
 */
const collapse: Strategy = {
  name: 'collapse',
  create: (context) =>
    createGated(context, {
      gates: [createCollapseGate(context), createCompactionGate({ summarize: noModel })],
    }),
};

export default collapse;

function createCollapseGate(context: StrategyContext): Gate {
  const calls = createOwnCalls();
  const { text: sizeOfText } = createEstimator({ family: context.model.tokenizer });
  const summarize: Summarize = async (request) => {
    const text = stretchText(request.messages.slice(1, -1), sizeOfText);
    calls.made({ request, outputTokens: sizeOfText(text), isStandIn: true });
    return { content: [{ type: 'text', text }], stopReason: 'end_turn' };
  };
  const mark = (request: Parameters<Summarize>[0]) =>
    placeMarkers(request, { policy: context.policy });
  const folding = createCollapse({ summarize, sizeOfText, mark });
  return {
    observe: folding.observe,
    calls: calls.take,
    pass: (plan) => passFolding(folding, plan),
  };
}

async function passFolding(folding: ReturnType<typeof createCollapse>, context: PlanContext) {
  const plan = folding.plan(context);
  if (plan.kind === 'none') return NO_PASSAGE;
  if (plan.kind === 'edit') {
    const { reason, receipt } = plan;
    const entries = plan.edits.map((edit) => ({
      type: 'edit' as const,
      by: BY,
      reason,
      ...(receipt && { receipt }),
      edit,
    }));
    return { entries, isCompaction: true, again: false };
  }
  const { notes } = await folding.run(plan.work);
  const entries = notes.map((data) => ({ type: 'note' as const, by: BY, data }));
  return { entries, isCompaction: false, again: plan.work.blocking };
}

const BY = 'collapse';

/** The part of a stretch that stands for it at most. */
const STRETCH_SHARE = 0.2;

/** The facts of a stretch in a fifth of its tokens. */
function stretchText(
  stretch: Parameters<Summarize>[0]['messages'],
  sizeOf: (text: string) => number,
): string {
  const ledger = createLedger();
  for (const message of stretch) ledger.add(message);
  const tokens = sizeOf(JSON.stringify(stretch.map(({ content }) => content)));
  const budgetTokens = Math.floor(tokens * STRETCH_SHARE);
  const { text } = renderLedger(ledger, { budgetTokens, sizeOf });
  return `<summary>\n${text || NOTHING}\n</summary>`;
}

const NOTHING = 'Nothing of this stretch is needed.';
