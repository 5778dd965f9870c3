import type { ContextCompaction } from './compaction/context-compaction.ts';
import { isBlocks } from './is-block.ts';
import type { ContextOptions } from './options.ts';

/**
 * Refuses options with which a later call would fail without saying why.
 *
 * @throws TypeError for what is of the wrong kind; RangeError for a number that makes no sense.
 */
export function checkOptions(options: ContextOptions): void {
  if (typeof options !== 'object' || options === null) {
    throw expected('options', 'an object with `model`', options);
  }
  const { model, system, layers, entries, log, models, storage, compaction } = options;
  if (typeof model !== 'string' || model.trim() === '') {
    throw expected('model', 'the id of a model', model);
  }
  if (!isOptional(system, (it) => typeof it === 'string' || isBlocks(it))) {
    throw expected('system', 'a text or text blocks', system);
  }
  if (!isOptional(layers, isLayers)) throw expected('layers', 'a list of layers', layers);
  if (!isOptional(models, Array.isArray)) throw expected('models', 'a list of models', models);
  if (!isOptional(entries, isIterable)) throw expected('entries', 'the entries of a log', entries);
  if (!isOptional(log, has('append'))) throw expected('log', 'a log with `append`', log);
  if (!isOptional(storage, has('observe'))) throw expected('storage', 'a ToolStorage', storage);
  checkFunctions(options);
  checkNumbers(options, compaction);
}

function checkFunctions(options: ContextOptions): void {
  for (const name of ['call', 'onEvent', 'now'] as const) {
    if (!isOptional(options[name], isFunction)) throw expected(name, 'a function', options[name]);
  }
}

function checkNumbers({ maxOutputTokens }: ContextOptions, compaction?: ContextCompaction): void {
  if (!isOptional(maxOutputTokens, (it) => Number.isInteger(it) && Number(it) > 0)) {
    throw outOfRange('maxOutputTokens', 'a whole number from 1 up', maxOutputTokens);
  }
  const { percent, hookTimeoutMs } = compaction ?? {};
  if (!isOptional(percent, (it) => Number(it) > 0 && Number(it) <= 100)) {
    throw outOfRange('compaction.percent', 'above 0 and up to 100', percent);
  }
  if (!isOptional(hookTimeoutMs, (it) => Number(it) >= 0)) {
    throw outOfRange('compaction.hookTimeoutMs', 'a number from 0 up', hookTimeoutMs);
  }
}

const isOptional = (value: unknown, isFit: (value: unknown) => boolean): boolean =>
  value === undefined || isFit(value);

const isFunction = (value: unknown): boolean => typeof value === 'function';

const has =
  (method: string) =>
  (value: unknown): boolean =>
    isFunction((value as Record<string, unknown> | null)?.[method]);

const isIterable = (value: unknown): boolean =>
  isFunction((value as Iterable<unknown> | null)?.[Symbol.iterator]);

const isLayers = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((layer) => typeof layer?.name === 'string' && has('plan')(layer.planner));

const expected = (name: string, what: string, got: unknown): TypeError =>
  new TypeError(`Expected \`${name}\` to be ${what}, got \`${kindOf(got)}\`.`);

const outOfRange = (name: string, what: string, got: unknown): RangeError =>
  new RangeError(`Expected \`${name}\` to be ${what}, got \`${kindOf(got)}\`.`);

/** Only what kind it is: a text may be private. */
function kindOf(value: unknown): string {
  if (value === null || value === '' || typeof value === 'number') return JSON.stringify(value);
  return typeof value;
}
