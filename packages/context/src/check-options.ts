import type { Tool } from '@varve/messages';
import type { ContextCompaction } from './compaction/context-compaction.ts';
import type { HeadChange } from './head.ts';
import { isBlocks, isObject } from './is-block.ts';
import type { ContextOptions } from './options.ts';
import { type AddedUsage, isUsage } from './usage.ts';

/**
 * Refuses options with which a later call would fail without saying why.
 *
 * @throws TypeError for what is of the wrong kind; RangeError for a number that makes no sense.
 */
export function checkOptions(options: ContextOptions): void {
  if (typeof options !== 'object' || options === null) {
    throw expected('options', 'an object with `model`', options);
  }
  const { layers, entries, log, models, storage, compaction } = options;
  if (options.model === undefined) throw expected('model', 'the id of a model', undefined);
  checkHeadChange(options);
  if (!isOptional(layers, isLayers)) throw expected('layers', 'a list of layers', layers);
  if (!isOptional(models, Array.isArray)) throw expected('models', 'a list of models', models);
  if (!isOptional(entries, isIterable)) throw expected('entries', 'the entries of a log', entries);
  const isFunctions = (it: unknown) => Array.isArray(it) && it.every(isFunction);
  if (!isOptional(options.cleanUp, isFunctions)) {
    throw expected('cleanUp', 'a list of functions', options.cleanUp);
  }
  if (!isOptional(log, has('append'))) throw expected('log', 'a log with `append`', log);
  if (!isOptional(storage, has('observe'))) throw expected('storage', 'a ToolStorage', storage);
  checkFunctions(options);
  checkNumbers(options, compaction);
}

/**
 * Refuses what no provider takes as part of a head.
 *
 * @throws TypeError
 */
export function checkHeadChange(change: HeadChange): void {
  if (!isObject(change)) throw expected('change', 'an object with parts of a head', change);
  const { model, system, tools, params } = change;
  if (!isOptional(model, (it) => typeof it === 'string' && it.trim() !== '')) {
    throw expected('model', 'the id of a model', model);
  }
  if (!isOptional(system, (it) => typeof it === 'string' || isTexts(it))) {
    throw expected('system', 'a text or text blocks', system);
  }
  if (!isOptional(params, isObject)) throw expected('params', 'an object', params);
  if (!isOptional(tools, Array.isArray)) throw expected('tools', 'a list of tools', tools);
  checkToolNames(tools ?? []);
}

/** Every provider refuses two tools of one name, and a tool without one. */
function checkToolNames(tools: readonly Tool[]): void {
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const name: unknown = isObject(tool) ? tool.name : tool;
    if (typeof name !== 'string' || name.trim() === '' || !isObject(tool)) {
      throw expected(`tools[${index}]`, 'a tool with a `name`', name);
    }
    if (names.has(name)) {
      throw new TypeError(`Expected \`tools\` to have different names, got \`${name}\` twice.`);
    }
    names.add(name);
  }
}

const isTexts = (value: unknown): boolean =>
  isBlocks(value) && value.every(({ type }) => type === 'text');

/** @throws TypeError for a bill that could not be priced or said of nobody */
export function checkBill(bill: AddedUsage): void {
  if (!isObject(bill)) throw expected('bill', 'an object with `by`, `model` and `usage`', bill);
  for (const name of ['by', 'model'] as const) {
    if (typeof bill[name] !== 'string' || bill[name] === '') {
      throw expected(name, 'a text', bill[name]);
    }
  }
  if (!isUsage(bill.usage)) throw expected('usage', 'what a response was billed', bill.usage);
  const { calls } = bill;
  if (!isOptional(calls, (it) => Number.isInteger(it) && Number(it) > 0)) {
    throw outOfRange('calls', 'a whole number from 1 up', calls);
  }
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
