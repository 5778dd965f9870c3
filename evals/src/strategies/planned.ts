import type { Layer } from '@varve/context';
import type { StrategyContext, StrategyRun } from '../strategy.ts';
import { createPlannedLog } from './planned-log.ts';

/**
 * A run of the layers of `@varve/context` over a log of its own: what is added is logged, before each request every layer
 * is asked in turn, and the view is what is sent. A layer that gives way fails the run.
 */
export function createPlanned(context: StrategyContext, layers: readonly Layer[]): StrategyRun {
  const log = createPlannedLog(context, { layers });
  return {
    add: log.add,
    request() {
      log.edit();
      return log.request();
    },
    announced: log.announced,
  };
}
