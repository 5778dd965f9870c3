import { createEstimator, type ModelInfo } from '@varve/tokens';
import type { Report } from './report-schema.ts';

type TokenizerFamily = ModelInfo['tokenizer'];

/**
 * Which estimator counted, and by how much its families differ: tokens of a reference message, by content class, over
 * those of the same in o200k.
 */
export function estimatorInfo(): Report['estimator'] {
  const reference = createEstimator({ family: 'o200k' });
  const tokens = reference.classes(SAMPLE);
  const classes = Object.keys(tokens) as (keyof typeof tokens)[];
  const factorsOf = (family: TokenizerFamily): Record<string, number> => {
    const counted = createEstimator({ family }).classes(SAMPLE);
    return Object.fromEntries(classes.map((each) => [each, rounded(counted[each] / tokens[each])]));
  };
  return {
    name: 'varve',
    version: reference.version,
    familyFactors: Object.fromEntries(FAMILIES.map((family) => [family, factorsOf(family)])),
  };
}

const FAMILIES: readonly TokenizerFamily[] = [
  'claude-old',
  'claude-new',
  'o200k',
  'gemini',
  'deepseek',
  'unknown',
];

/** Holds something of every content class. */
const SAMPLE = {
  role: 'user',
  content: [
    {
      type: 'text',
      text: 'Read the file, then run the tests; commit 9f8e7d6c5b4a39281706 of 2026.',
    },
    { type: 'text', text: '文件已经读完，接着运行测试。 Файл прочитан, запускаю тесты.' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } },
  ],
} as const;

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
