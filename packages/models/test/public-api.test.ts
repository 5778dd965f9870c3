import { expect, test } from 'vitest';
import * as anthropic from '../src/anthropic.ts';
import * as call from '../src/call.ts';
import * as errors from '../src/errors.ts';
import * as models from '../src/index.ts';
import { ModelError } from '../src/index.ts';
import * as node from '../src/node/index.ts';
import * as openai from '../src/openai.ts';
import * as record from '../src/record.ts';

test('the public names are these', () => {
  expect(Object.keys(models).sort()).toEqual([
    'ModelError',
    'createModelStream',
    'send',
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

test('the values of ./call, ./errors and ./record are these', () => {
  expect(Object.keys(call).sort()).toEqual([
    'MOST_UNSTREAMED_TOKENS',
    'callWindow',
    'fitCall',
    'thinkingBudget',
  ]);
  expect(Object.keys(errors).sort()).toEqual(['findOverflow', 'toModelError']);
  expect(Object.keys(record).sort()).toEqual(['memoryRecordStore', 'recordClient', 'replayClient']);
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
    'media-unreadable': true,
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
  expect(Object.keys(codes)).toHaveLength(22);
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
