import { isRecord } from '@varve/guards';
import { type Head, type JsonObject, stableStringify } from '@varve/messages';
import type { Invalidators, ParamRule, Section } from './policy.ts';

/** The parameters whose change loses the prefix from this section on; those at their neutral value are left out. */
export function paramsOf(head: Head, invalidators: Invalidators, section: Section): JsonObject {
  const values: Record<string, JsonObject[string]> = {};
  for (const rule of invalidators.params) {
    if (rule.loses !== section) continue;
    const value = valueAt(head.params, rule.path);
    if (value !== undefined && !isNeutral(value, rule)) values[rule.path.join('.')] = value;
  }
  return values;
}

type Value = JsonObject[string];

function valueAt(params: JsonObject, path: readonly string[]): Value {
  let value: Value = params;
  for (const key of path) {
    if (!isRecord(value)) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}

function isNeutral(value: Value, rule: ParamRule): boolean {
  return rule.neutral !== undefined && stableStringify(value) === stableStringify(rule.neutral);
}
