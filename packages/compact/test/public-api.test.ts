import type Anthropic from '@anthropic-ai/sdk';
import type { Planner } from '@varve/messages';
import { type ModelClient, send } from '@varve/models';
import { expect, expectTypeOf, test } from 'vitest';
import * as fold from '../src/fold.ts';
import type { CompactFailure } from '../src/full/failure.ts';
import * as entry from '../src/index.ts';
import * as pipeline from '../src/pipeline.ts';
import * as recovery from '../src/recovery.ts';

test('the entry exports these names and no others', () => {
  expect(Object.keys(entry).sort()).toEqual([
    'CompactError',
    'SUMMARY_PROMPT_VERSION',
    'assignmentOf',
    'compact',
    'createCollapse',
    'createCompaction',
    'createProviderCompaction',
    'createSnip',
    'createThresholdCompaction',
    'restore',
  ]);
});

test('the values of ./fold, ./pipeline and ./recovery are these', () => {
  expect(Object.keys(fold)).toEqual(['createFold']);
  expect(Object.keys(pipeline).sort()).toEqual([
    'checkPipeline',
    'cleanUpAfter',
    'compactionChain',
    'createCompactionPipeline',
    'isStillCurrent',
    'settleAttempts',
    'soundAttachments',
  ]);
  expect(Object.keys(recovery).sort()).toEqual([
    'NEW_RECOVERY',
    'mediaEdit',
    'mediaReceipt',
    'recover',
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
  expectTypeOf<CompactFailure>().toEqualTypeOf<Reasons>();
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
