import { recordOf } from '@varve/guards';
import type { JsonObject } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import type { FieldRule } from '../anthropic/fields.ts';
import { type Call, type Refusal, Refused } from '../core/endpoint.ts';
import { badRequest } from './error-body.ts';
import { malformed } from './shapes.ts';

/** Throws `Refused` for a field that is unknown, missing, or not offered here. */
export function checkFields(body: JsonObject, fields: Readonly<Record<string, FieldRule>>): void {
  for (const [name, value] of Object.entries(body)) {
    const rule = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!rule) throw refused(`Unknown parameter: '${name}'.`, name, 'unknown_parameter');
    if (rule.use === 'refused' && value != null) {
      throw refused(`'${name}' is not supported by this emulator.`, name, 'unsupported_parameter');
    }
  }
  for (const [name, rule] of Object.entries(fields)) {
    if (!rule.required || body[name] != null) continue;
    throw refused(`Missing required parameter: '${name}'.`, name, 'missing_required_parameter');
  }
  checkCacheOptions(body);
}

/** Throws `Refused` for a value of another shape than the API's. */
export function checkShape(body: JsonObject, api: 'chat' | 'responses'): void {
  const refusal = malformed(body, api);
  if (refusal) throw new Refused(refusal);
}

function checkCacheOptions({ prompt_cache_options: options }: JsonObject): void {
  const { mode, ttl } = recordOf(options);
  if (mode != null && mode !== 'implicit' && mode !== 'explicit') {
    throw invalidValue('prompt_cache_options.mode', "'implicit' and 'explicit'");
  }
  if (ttl != null && ttl !== '30m' && ttl !== '12h') {
    throw invalidValue('prompt_cache_options.ttl', "'30m' and '12h'");
  }
}

const invalidValue = (param: string, values: string) =>
  refused(`Invalid value for '${param}'. Supported values are: ${values}.`, param, 'invalid_value');

/** An output limit, which has to be a positive whole number where it is given. */
export function outputLimit(body: JsonObject, names: readonly string[], model: ModelInfo): number {
  const most = model.maxOutputTokens ?? model.windowTokens;
  for (const name of names) {
    const value = body[name];
    if (value == null) continue;
    if (typeof value === 'number' && Number.isInteger(value) && value > 0) {
      if (value <= most) return value;
      const text = `'${name}' is too large: ${value}. This model supports at most ${most} output tokens.`;
      throw refused(text, name, 'invalid_value');
    }
    throw refused(`Invalid '${name}': a positive integer is expected.`, name, 'invalid_type');
  }
  return most;
}

export function modelOf({ body, state }: Call): ModelInfo {
  const model = state.findModel(String(body.model));
  if (model && model.provider !== 'anthropic') return model;
  throw new Refused({
    status: 404,
    type: 'invalid_request_error',
    message: `The model '${String(body.model)}' does not exist or you do not have access to it.`,
    code: 'model_not_found',
  });
}

const refused = (message: string, param: string, code: string): Refused =>
  new Refused(badRequest(message, param, code) satisfies Refusal);
