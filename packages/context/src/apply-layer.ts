import { untilAborted } from '@varve/guards';
import { createProjection, type Plan, type PlanContext } from '@varve/messages';
import type { Keeper } from './keeper.ts';
import type { Layer } from './layer.ts';

/** What became of a layer that was run by hand. */
export type AppliedLayer =
  | { readonly kind: 'edited'; readonly reason: string }
  | { readonly kind: 'none'; readonly reason: string };

export interface ApplyLayerOptions {
  readonly keeper: Keeper;
  readonly planContext: () => PlanContext;
  readonly at: () => string;
  readonly commit: (layer: string, plan: Plan) => Promise<boolean>;
  readonly signal: AbortSignal | undefined;
}

/** How often the work of a layer is run. */
const MOST_RUNS = 3;

/** Shows a layer the whole log, has it do its work, and puts its plan in force. */
export async function applyLayer(
  { name, planner }: Layer,
  { keeper, planContext, at, commit, signal }: ApplyLayerOptions,
): Promise<AppliedLayer> {
  const projection = createProjection();
  let seen = 0;
  const planNow = (): Plan<unknown> => {
    for (const entry of keeper.entries.slice(seen))
      planner.observe(entry, projection.append(entry));
    seen = keeper.entries.length;
    return planner.plan(planContext());
  };
  for (let count = 0; ; count++) {
    signal?.throwIfAborted();
    const plan = planNow();
    if (plan.kind === 'none') return plan;
    if (plan.kind === 'edit') {
      const isEdited = await commit(name, plan);
      return { kind: isEdited ? 'edited' : 'none', reason: plan.reason };
    }
    const { run } = planner;
    if (run === undefined || count === MOST_RUNS) return { kind: 'none', reason: plan.reason };
    const { notes } = await untilAborted(() => run(plan.work as never, { signal }), signal);
    for (const data of notes) keeper.append({ type: 'note', by: name, data }, at());
    await keeper.write();
  }
}
