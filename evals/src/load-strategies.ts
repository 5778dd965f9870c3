import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BASELINE, BUILT_IN_STRATEGIES } from './built-in-strategies.ts';
import { EvalsError } from './error.ts';
import { PEERS } from './peers/peers.ts';
import { idOf } from './report/plain-words.ts';
import { findBatched } from './strategies/batched-clear.ts';
import { findLedger } from './strategies/compaction/ledger-compact.ts';
import type { Strategy } from './strategy.ts';

/** The name of a built-in strategy or of a peer, the path of a file that exports one, or a strategy itself. */
export type StrategySource = string | Strategy;

/**
 * The strategies that are asked for; all built-in ones when none is. The baseline comes first whether asked for or not.
 * Throws `unknown-strategy`, `invalid-strategy`, `missing-peer`, and `not-found` for a missing file.
 */
export async function loadStrategies(
  wanted: readonly StrategySource[],
): Promise<readonly Strategy[]> {
  const loaded = wanted.length > 0 ? await Promise.all(wanted.map(load)) : BUILT_IN_STRATEGIES;
  const strategies = [...new Set([BASELINE, ...loaded])];
  const names = strategies.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return strategies;
  const text = `Two different strategies are called \`${twice}\`. Give one of them another name.`;
  throw new EvalsError('invalid-strategy', text);
}

async function load(source: StrategySource): Promise<Strategy> {
  if (typeof source !== 'string') return checked(source, 'A strategy');
  const wanted = idOf(source);
  const builtIn =
    BUILT_IN_STRATEGIES.find(({ name }) => name === wanted) ??
    findBatched(wanted) ??
    findLedger(wanted);
  if (builtIn !== undefined) return builtIn;
  const peer = PEERS.find(({ name }) => name === wanted);
  if (peer !== undefined) return peer.load();
  if (!FILE.test(wanted)) {
    const names = [...BUILT_IN_STRATEGIES, ...PEERS].map(({ name }) => name).join(', ');
    const text = `There is no strategy \`${wanted}\`. Take one of ${names}, or pass the path of a file that exports one.`;
    throw new EvalsError('unknown-strategy', text);
  }
  return checked((await importFile(wanted)).default, wanted);
}

async function importFile(path: string): Promise<{ readonly default?: unknown }> {
  try {
    return await import(pathToFileURL(resolve(path)).href);
  } catch (cause) {
    if (!existsSync(path))
      throw new EvalsError('not-found', `There is no strategy file ${path}.`, { cause });
    const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/\s+/g, ' ');
    throw new EvalsError('invalid-strategy', `${path} could not be loaded: ${reason}`, { cause });
  }
}

function checked(value: unknown, path: string): Strategy {
  const { name, create } = (value ?? {}) as { readonly name?: unknown; readonly create?: unknown };
  if (typeof name === 'string' && NAME.test(name) && typeof create === 'function') {
    return value as Strategy;
  }
  const text = `${path} holds no strategy. Its default export has to be { name, create(context) }, with a name of letters, digits, "-", "+", "_" and ".".`;
  throw new EvalsError('invalid-strategy', text);
}

const FILE = /[/\\]|\.[cm]?[jt]s$/;
const NAME = /^[\w.+-]{1,40}$/;
