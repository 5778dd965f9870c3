import type Anthropic from '@anthropic-ai/sdk';
import type { Planner } from '@varve/messages';
import { type ModelClient, send } from '@varve/models';
import { expect, expectTypeOf, test } from 'vitest';
import * as entry from '../src/index.ts';

test('the entry exports these names and no others', () => {
  expect(Object.keys(entry).sort()).toEqual([
    'CompactError',
    'NEW_RECOVERY',
    'SUMMARY_PROMPT_VERSION',
    'assignmentOf',
    'checkPipeline',
    'cleanUpAfter',
    'compact',
    'compactionChain',
    'createCollapse',
    'createCompaction',
    'createCompactionPipeline',
    'createProviderCompaction',
    'createSnip',
    'createThresholdCompaction',
    'isStillCurrent',
    'mediaEdit',
    'mediaReceipt',
    'recover',
    'restore',
    'settleAttempts',
    'soundAttachments',
  ]);
});

test('every reason why nothing was compacted is one of these', () => {
  type Reasons =
    | 'cut-summary'
    | 'empty-summary'
    | 'error-reply'
    | 'lost-earlier'
    | 'model-failed'
    | 'no-structure'
    | 'not-smaller'
    | 'nothing-to-compact'
    | 'over-bound'
    | 'prompt-too-long'
    | 'refused'
    | 'round-open'
    | 'still-too-large'
    | 'thinking-bound'
    | 'tool-call';
  expectTypeOf<entry.CompactFailure>().toEqualTypeOf<Reasons>();
});

test('messages of the Anthropic SDK go in and come out', () => {
  type History = readonly Anthropic.MessageParam[];
  const compacting = (history: History, summarize: entry.Summarize) =>
    entry.compact(history, { head: { model: 'test-model' }, summarize });
  expectTypeOf(compacting).returns.resolves.toHaveProperty('messages').toEqualTypeOf<History>();
});

test('a client of the models package summarises', () => {
  const summarizing =
    (client: ModelClient): entry.Summarize =>
    (request, options) =>
      send(client, request, options);
  expectTypeOf(summarizing).toBeFunction();
});

test('compaction and snip are planners', () => {
  expectTypeOf<entry.Compactor>().toExtend<Planner<entry.CompactionWork>>();
  expectTypeOf(entry.createSnip).returns.toExtend<Planner>();
});
