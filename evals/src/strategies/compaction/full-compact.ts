import type { Summarize } from '@varve/compact';
import { createEstimator } from '@varve/tokens';
import { SUMMARY_TOKENS } from '../../replay/forced-compaction.ts';
import type { Strategy } from '../../strategy.ts';
import { contextStrategy, type SettingInput } from '../context-strategy.ts';

/**
 * Compaction as it comes, at the threshold of the window, without layers. No model is there to answer: a reply of the usual
 * length that says nothing stands in, priced as one of a model, so that what is left is the least a checked summary holds.
 */
const fullCompact: Strategy = contextStrategy('full-compact', (input) => ({
  layers: [],
  compaction: { summarize: standIn(input) },
}));

export default fullCompact;

/** Stands for the model that is asked for a summary. */
function standIn({ model, onCall }: Pick<SettingInput, 'model' | 'onCall'>): Summarize {
  const { text: sizeOf } = createEstimator({ family: model.tokenizer });
  const text = emptySummary(sizeOf);
  return async (request) => {
    onCall({ request, outputTokens: sizeOf(text), isStandIn: true });
    return { content: [{ type: 'text', text }], stopReason: 'end_turn' };
  };
}

/** A heading, and words that nothing can be found in. */
const emptySummary = (sizeOf: (text: string) => number): string =>
  `<summary>\n## Summary\n${'word '.repeat(summaryWords(sizeOf) - 3)}</summary>`;

/** Of how many words `word` a text has as many tokens as a summary. */
export const summaryWords = (sizeOf: (text: string) => number): number =>
  Math.round((SUMMARY_TOKENS / sizeOf('word '.repeat(SAMPLE))) * SAMPLE);

const SAMPLE = 1_000;
