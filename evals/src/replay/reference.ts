import type { Strategy, StrategyContext, StrategyRun } from '../strategy.ts';
import type { SessionPlan } from './session-plan.ts';

/** A row of the table that is no strategy, because it knows the recorded session: what was sent, or what comes. */
export interface Reference extends Strategy {
  readonly [KNOWING]: Knowing;
}

export interface Knowing {
  create(context: StrategyContext, plan: SessionPlan): StrategyRun;
  /** It is each of these, and the cheapest counts; one that several share is replayed once. @default itself */
  readonly variants?: readonly Reference[] | undefined;
  /** It sends what was accepted once: no window is enforced on it, and nothing is fetched again for it. @default false */
  readonly isRecorded?: boolean | undefined;
}

const KNOWING = Symbol('knows the recorded session');

export function createReference(name: string, knowing: Knowing): Reference {
  return {
    name,
    create() {
      throw new TypeError('it is no strategy: it knows the recorded session');
    },
    [KNOWING]: knowing,
  };
}

const knowingOf = (strategy: Strategy): Knowing | undefined =>
  (strategy as Partial<Reference>)[KNOWING];

export const isRecorded = (strategy: Strategy): boolean => knowingOf(strategy)?.isRecorded ?? false;

export const isReference = (strategy: Strategy): boolean => knowingOf(strategy) !== undefined;

/** The cheapest of several references. */
export const cheapestOf = (name: string, variants: readonly Reference[]): Reference =>
  createReference(name, { variants, create: (variants[0] as Reference)[KNOWING].create });

/** A reference in each of its variants; any other strategy as it is. */
export const variantsOf = (strategy: Strategy): readonly Strategy[] =>
  knowingOf(strategy)?.variants ?? [strategy];

/** The strategy as it is replayed: a reference is told the session. */
export function toldOf(strategy: Strategy, plan: SessionPlan): Strategy {
  const knowing = knowingOf(strategy);
  if (knowing === undefined) return strategy;
  return { name: strategy.name, create: (context) => knowing.create(context, plan) };
}
