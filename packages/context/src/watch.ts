import type { Entry, Plan, PlanContext, View } from '@varve/messages';
import type { Layer, LayerPlanner } from './layer.ts';

/** Why a layer gives way. */
export interface LayerFailure {
  readonly kind: 'failed';
  readonly reason: 'plan-threw' | 'observe-threw' | 'frontier-threw';
  readonly cause: unknown;
}

/** A layer that cannot throw. */
export interface Watch {
  readonly name: string;
  observe(entry: Entry, view: View): void;
  plan(context: () => PlanContext): Plan<unknown> | LayerFailure;
  /** Does the work of a plan; left out where no plan is work. It may throw. */
  readonly run: LayerPlanner['run'];
  frontier(): number | undefined;
}

/** Keeps what a layer throws from the log. One that missed an entry has a wrong fold and is never asked again. */
export function createWatch({ name, planner }: Layer): Watch {
  let broken: LayerFailure | undefined;
  const breakBy = (reason: LayerFailure['reason'], cause: unknown): undefined => {
    broken = { kind: 'failed', reason, cause };
  };
  return {
    name,
    run: planner.run?.bind(planner),
    observe(entry, view) {
      if (broken) return;
      try {
        planner.observe(entry, view);
      } catch (cause) {
        breakBy('observe-threw', cause);
      }
    },
    plan(context) {
      if (broken) return broken;
      try {
        return checkPlan(planner.plan(context()), planner);
      } catch (cause) {
        return { kind: 'failed', reason: 'plan-threw', cause };
      }
    },
    frontier() {
      if (broken) return undefined;
      try {
        return planner.frontier?.();
      } catch (cause) {
        return breakBy('frontier-threw', cause);
      }
    },
  };
}

/** A plan made without types may be anything. */
function checkPlan(plan: Plan<unknown>, { run }: LayerPlanner): Plan<unknown> {
  const isPlan = typeof plan?.reason === 'string' && (plan.kind !== 'edit' || isList(plan.edits));
  if (isPlan && plan.kind === 'work' && run === undefined) {
    throw new TypeError('Expected a planner that plans work to have `run`.');
  }
  if (isPlan) return plan;
  throw new TypeError('Expected a plan with a `kind`, a `reason` and, to edit, `edits`.');
}

const isList = (value: unknown): boolean => Array.isArray(value);
