import { describe, expectTypeOf, test } from 'vitest';
import type { Loss } from '../src/convert.ts';
import type { checkHistory, repairHistory } from '../src/index.ts';

describe('the public surface', () => {
  test('has these codes of violations', () => {
    expectTypeOf<ReturnType<typeof checkHistory>[number]['code']>().toEqualTypeOf<
      | 'block-not-allowed'
      | 'call-id'
      | 'call-name'
      | 'context-edits'
      | 'duplicate-id'
      | 'duplicate-marker'
      | 'duplicate-result'
      | 'duplicate-tool'
      | 'empty-content'
      | 'empty-error-result'
      | 'empty-id'
      | 'empty-system-text'
      | 'empty-text'
      | 'error-result-media'
      | 'first-not-user'
      | 'foreign-block'
      | 'half-surrogate'
      | 'last-not-user'
      | 'malformed-block'
      | 'malformed-call'
      | 'malformed-media'
      | 'malformed-message'
      | 'malformed-tool'
      | 'marker-order'
      | 'marker-target'
      | 'max-output-tokens'
      | 'missing-result'
      | 'no-messages'
      | 'open-round'
      | 'orphan-result'
      | 'request-too-large'
      | 'result-after-content'
      | 'role-refused'
      | 'stale-thinking'
      | 'system-placement'
      | 'thinking-budget'
      | 'thinking-config'
      | 'thinking-sampling'
      | 'too-many-markers'
      | 'too-many-media'
      | 'too-many-messages'
      | 'tool-choice'
      | 'trailing-thinking'
      | 'unknown-block'
      | 'unknown-role'
      | 'unsigned-thinking'
    >();
  });

  test('has these kinds of repairs', () => {
    expectTypeOf<ReturnType<typeof repairHistory>['repairs'][number]['kind']>().toEqualTypeOf<
      | 'filled-result'
      | 'added-placeholder'
      | 'added-result'
      | 'dropped-block'
      | 'dropped-call'
      | 'dropped-empty-text'
      | 'dropped-message'
      | 'dropped-result'
      | 'dropped-thinking'
      | 'moved-result'
      | 'moved-text'
      | 'renamed-call'
      | 'renamed-tool'
      | 'replaced-half-surrogates'
      | 'trimmed-result'
      | 'wrapped-input'
    >();
  });

  test('has these kinds of losses', () => {
    expectTypeOf<Loss['kind']>().toEqualTypeOf<
      | 'block'
      | 'block-fields'
      | 'block-order'
      | 'call-id'
      | 'call-input'
      | 'media'
      | 'message'
      | 'message-boundary'
      | 'message-fields'
      | 'refusal'
      | 'result-content'
      | 'result-error'
      | 'result-media'
      | 'thinking'
    >();
  });
});
