import type { Strategy, StrategyContext, StrategyRun } from '../strategy.ts';
import type { SessionPlan } from './session-plan.ts';

/** A row of the table that is no strategy, because it knows the recorded session: what was sent, or what comes. */
export interface Reference extends Strategy {
  readonly [KNOWING]: Knowing;
}

export interface Knowing {
  create(context: StrategyContext, plan: SessionPlan, variant: number): StrategyRun;
  /** It is replayed so many times, each a little different, and the cheapest counts. @default 1 */
  readonly variants?: number | undefined;
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

/** A reference in each of its variants; any other strategy as it is. */
export function variantsOf(strategy: Strategy): readonly Strategy[] {
  const { variants = 1, ...knowing } = knowingOf(strategy) ?? {};
  if (variants === 1) return [strategy];
  return Array.from({ length: variants }, (_, variant) =>
    createReference(strategy.name, {
      ...knowing,
      create: (context, plan) => (knowing as Knowing).create(context, plan, variant),
    }),
  );
}

/** The strategy as it is replayed: a reference is told the session. */
export function toldOf(strategy: Strategy, plan: SessionPlan): Strategy {
  const knowing = knowingOf(strategy);
  if (knowing === undefined) return strategy;
  return { name: strategy.name, create: (context) => knowing.create(context, plan, 0) };
}
