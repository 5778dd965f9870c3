import asItWas from './strategies/as-it-was.ts';
import batchedClear, { batchedClearParked } from './strategies/batched-clear.ts';
import collapse from './strategies/compaction/collapse.ts';
import fullCompact from './strategies/compaction/full-compact.ts';
import ledgerCompact, { layersLedger } from './strategies/compaction/ledger-compact.ts';
import providerCompact from './strategies/compaction/provider-compact.ts';
import sessionMemory from './strategies/compaction/session-memory.ts';
import dropOldest from './strategies/drop-oldest.ts';
import keepAll from './strategies/keep-all.ts';
import layers, { layersFold, layersLong, layersNeed, layersNeedFold } from './strategies/layers.ts';
import legalOracle, { foldingOracle } from './strategies/legal-oracle.ts';
import {
  microcompactCount,
  microcompactRent,
  microcompactTime,
} from './strategies/microcompact.ts';
import microcompactServer from './strategies/microcompact-server.ts';
import offload from './strategies/offload.ts';
import slidingClear, { slidingClearParked } from './strategies/sliding-clear.ts';
import volatilePrefix from './strategies/volatile-prefix.ts';
import type { Strategy } from './strategy.ts';

/** The strategies that can be asked for by name, in the order of the table. */
export const BUILT_IN_STRATEGIES: readonly Strategy[] = [
  keepAll,
  asItWas,
  dropOldest,
  slidingClear,
  slidingClearParked,
  batchedClear,
  batchedClearParked,
  microcompactTime,
  microcompactCount,
  microcompactServer,
  microcompactRent,
  offload,
  layers,
  layersLong,
  ledgerCompact,
  fullCompact,
  providerCompact,
  sessionMemory,
  collapse,
  layersLedger,
  layersFold,
  layersNeed,
  layersNeedFold,
  volatilePrefix,
  legalOracle,
  foldingOracle,
];

/** The strategy every session is also replayed under, because the others are compared with it. */
export const BASELINE: Strategy = keepAll;
