import type { Summarize } from '@varve/compact';
import { createLedger, renderLedger } from '@varve/ledger';
import { createEstimator } from '@varve/tokens';
import type { Strategy } from '../../strategy.ts';
import { contextStrategy, type SettingInput } from '../context-strategy.ts';
import { ledgerAlone } from './ledger-compact.ts';

/**
 * Old stretches of work are folded one by one, the person's words stay. What stands for a stretch is written by a ledger of
 * that stretch; it is priced as the model's call that it stands for. What cannot be folded is compacted as in `ledger-compact`.
 */
const collapse: Strategy = contextStrategy('collapse', (input) => ({
  layers: [],
  compaction: { ...ledgerAlone(input), collapse: { summarize: foldStandIn(input) } },
}));

export default collapse;

/** Stands for the model that is asked for the summary of a stretch. */
function foldStandIn({ model, onCall }: Pick<SettingInput, 'model' | 'onCall'>): Summarize {
  const { text: sizeOf } = createEstimator({ family: model.tokenizer });
  return async (request) => {
    const text = stretchText(request.messages.slice(1, -1), sizeOf);
    onCall({ request, outputTokens: sizeOf(text), isStandIn: true });
    return { content: [{ type: 'text', text }], stopReason: 'end_turn' };
  };
}

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
