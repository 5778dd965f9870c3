import { readdirSync, readFileSync } from 'node:fs';
import { createEstimator, type ModelInfo } from '@varve/tokens';
import { describe, expect, test } from 'vitest';
import { LEAST_SUMMARY_TOKENS } from '../../src/full/summary-request.ts';

const FOLDER = new URL('../../../../fixtures/summaries/', import.meta.url);
const RECORDED = readdirSync(FOLDER).map(
  (name) => (JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as { text: string }).text,
);

describe('the least output that a summary is asked for with', () => {
  test.each(Object.entries(LEAST_SUMMARY_TOKENS))(
    'of %s is the size of the shortest recorded answer',
    (family, least) => {
      const { text } = createEstimator({ family: family as ModelInfo['tokenizer'] });
      expect(RECORDED.length).toBeGreaterThan(5);
      expect(least).toBe(Math.min(...RECORDED.map(text)));
    },
  );
});
