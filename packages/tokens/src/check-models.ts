import { checkOptions, expected, number, required } from '@varve/guards';
import type { ModelInfo, TokenizerFamily } from './model-info.ts';

/**
 * Refuses entries of one's own for the model table that a look-up would fail on later.
 *
 * @throws TypeError, RangeError ``Expected `models[0].windowTokens` to be a positive number, got `undefined` ``
 */
export function checkModels(models: readonly ModelInfo[] | undefined, name = 'models'): void {
  if (models === undefined) return;
  if (!Array.isArray(models)) throw expected(name, 'a list', models);
  for (const [index, model] of models.entries()) {
    checkOptions<ModelInfo>(model, A_MODEL, `${name}[${index}]`);
  }
}

const FAMILIES: readonly TokenizerFamily[] = [
  ...(['claude-old', 'claude-new', 'o200k', 'gemini', 'deepseek', 'unknown'] as const),
];

const A_MODEL = {
  id: required('a text that is not blank'),
  aliases: required('a list'),
  provider: required('a text that is not blank'),
  windowTokens: required(number({ above: 0 })),
  maxOutputTokens: number({ above: 0 }),
  prices: required('a list'),
  cache: required('an object'),
  tokenizer: required(FAMILIES),
  thinking: required(['free', 'latest-turn', 'prefix-bound']),
} as const;
