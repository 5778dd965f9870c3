import type Anthropic from '@anthropic-ai/sdk';
import type { Planner } from '@varve/messages';
import { expect, expectTypeOf, test } from 'vitest';
import * as clearing from '../src/context-management.ts';
import * as entry from '../src/index.ts';

test('the entry exports these names and no others', () => {
  expect(Object.keys(entry).sort()).toEqual([
    'createMicrocompact',
    'explainClearing',
    'microcompact',
  ]);
});

test('the values of ./context-management are these', () => {
  expect(Object.keys(clearing).sort()).toEqual(['appliedEdits', 'contextManagement']);
});

test('messages of the Anthropic SDK go in and come out', () => {
  const history: Anthropic.MessageParam[] = [{ role: 'user', content: 'Hello.' }];
  const { messages } = entry.microcompact(history);
  expectTypeOf(messages).toEqualTypeOf<readonly Anthropic.MessageParam[]>();
  expectTypeOf(entry.explainClearing).toBeCallableWith(history);
  const beta: Anthropic.Beta.BetaMessageParam[] = [{ role: 'user', content: 'Hello.' }];
  expectTypeOf(entry.microcompact(beta).messages).toEqualTypeOf<
    readonly Anthropic.Beta.BetaMessageParam[]
  >();
  expect(messages).toBe(history);
});

test('what is asked of the provider fits the request of the Anthropic SDK', () => {
  type Params = Anthropic.Beta.MessageCreateParams['context_management'];
  const params = clearing.contextManagement({ keepThinking: 'all' }) as {
    context_management: Params;
  };
  expect(params.context_management).toBeDefined();
});

test('the planner is a planner', () => {
  expectTypeOf(entry.createMicrocompact()).toExtend<Planner>();
});
