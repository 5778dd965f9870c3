import type { JsonObject } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import type { Refusal } from '../core/endpoint.ts';
import type { FieldRule } from './fields.ts';

/** What a rule looks at. */
export interface RuleInput {
  readonly body: JsonObject;
  readonly version: string;
  readonly betas: readonly string[];
  readonly model: ModelInfo;
  readonly fields: Readonly<Record<string, FieldRule>>;
}

/** One rule of the API beyond the history itself: a refusal, or its message, or nothing. */
export type Rule = (input: RuleInput) => Refusal | string | undefined;
