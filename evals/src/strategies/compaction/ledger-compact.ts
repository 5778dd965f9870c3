import type { ContextCompaction } from '@varve/context';
import { contextLimits } from '@varve/tokens';
import type { Strategy } from '../../strategy.ts';
import { contextStrategy, type SettingInput } from '../context-strategy.ts';
import { createStorage } from '../layers.ts';

/** How a strategy without a model compacts; sizes in tokens. */
interface LedgerSetting {
  /** @default the threshold of the window */
  readonly atTokens?: number | undefined;
  /** About so much of the newest rounds stays. @default 0: nothing beside the ledger */
  readonly keepTokens?: number | undefined;
}

/** The newest rounds that stay beside a summary in `layers+ledger`. */
const KEEP_TOKENS = 20_000;

/** Compacts at the threshold of the window with the ledger alone: a summary that no model writes and that costs nothing. */
const createLedgerCompact = (name: string, setting: LedgerSetting = {}): Strategy =>
  contextStrategy(name, (input) => ({ layers: [], compaction: ledgerAlone(input, setting) }));

/** The same behind the layers that store and clear results. */
const createLayersLedger = (
  name: string,
  { atTokens, keepTokens = KEEP_TOKENS }: LedgerSetting = {},
): Strategy =>
  contextStrategy(name, (input) => ({
    storage: createStorage(),
    compaction: ledgerAlone(input, { atTokens, keepTokens }),
  }));

/** Compaction without a model: the ledger writes each summary. */
export function ledgerAlone(
  { model, window: windowTokens }: Pick<SettingInput, 'model' | 'window'>,
  { atTokens, keepTokens = 0 }: LedgerSetting = {},
): ContextCompaction {
  const { effectiveTokens } = contextLimits({
    windowTokens,
    maxOutputTokens: model.maxOutputTokens,
  });
  const percent = atTokens && Math.min(100, (atTokens / effectiveTokens) * 100);
  return { summarize: 'ledger', keepTokens, percent };
}

/**
 * Either at any threshold by its name: `ledger-t120-k20` compacts from 120,000 tokens on, or where the window makes it, and
 * keeps 20,000 tokens beside the summary; `layers+ledger-t120-k20` the same behind the layers. Undefined for other names.
 */
export function findLedger(name: string): Strategy | undefined {
  const [, layers, at, keep] = NAME.exec(name) ?? [];
  if (at === undefined || keep === undefined) return undefined;
  const setting = { atTokens: Number(at) * 1000, keepTokens: Number(keep) * 1000 };
  return layers === undefined
    ? createLedgerCompact(name, setting)
    : createLayersLedger(name, setting);
}

const NAME = /^(layers\+)?ledger-t(\d{1,4})-k(\d{1,3})$/;

const ledgerCompact: Strategy = createLedgerCompact('ledger-compact');
export const layersLedger: Strategy = createLayersLedger('layers+ledger');
export default ledgerCompact;
