import { expect, test } from 'vitest';
import * as anthropic from '../src/anthropic.ts';
import * as models from '../src/index.ts';
import { ModelError } from '../src/index.ts';
import * as node from '../src/node/index.ts';
import * as openai from '../src/openai.ts';

test('the public names are these', () => {
  expect(Object.keys(models).sort()).toEqual([
    'MOST_UNSTREAMED_TOKENS',
    'ModelError',
    'createModelStream',
    'findOverflow',
    'fitCall',
    'memoryRecordStore',
    'recordClient',
    'replayClient',
    'send',
    'thinkingBudget',
    'toModelError',
    'withReminder',
  ]);
  expect(Object.keys(anthropic).sort()).toEqual(['createAnthropicClient']);
  expect(Object.keys(openai).sort()).toEqual([
    'createOpenAIChatClient',
    'createOpenAICompact',
    'createOpenAIResponsesClient',
  ]);
  expect(Object.keys(node)).toEqual(['fileRecordStore']);
});

test('the error codes are these', () => {
  const codes: Record<ModelError['code'], true> = {
    auth: true,
    'bad-recording': true,
    billing: true,
    conflict: true,
    connection: true,
    'invalid-request': true,
    'media-too-large': true,
    'no-recording': true,
    'not-found': true,
    'out-of-order': true,
    overloaded: true,
    'prompt-too-long': true,
    'rate-limited': true,
    'recording-failed': true,
    refused: true,
    'request-too-large': true,
    'server-error': true,
    'silent-overflow': true,
    'stream-broken': true,
    timeout: true,
    'unused-recording': true,
  };
  expect(Object.keys(codes)).toHaveLength(21);
});

test('the error is known by its mark and keeps its cause', () => {
  const cause = new Error('inner');
  const error = new ModelError('timeout', 'message', { cause, retryable: true, retryAfterMs: 5 });
  expect([ModelError.is(error), ModelError.is(cause), ModelError.is(null)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(error).toMatchObject({
    name: 'ModelError',
    code: 'timeout',
    cause,
    retryable: true,
    retryAfterMs: 5,
  });
  expect(error).not.toHaveProperty('actualTokens');
});
