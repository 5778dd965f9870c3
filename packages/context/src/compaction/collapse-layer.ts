import { type AutoSwitches, createCollapse, type Summarize } from '@varve/compact';
import type { Plan, Request } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import type { LayerPlanner } from '../layer.ts';
import type { Enter } from '../redact-entry.ts';
import { type AddedUsage, isUsage } from '../usage.ts';
import type { ContextCompaction } from './context-compaction.ts';

type CollapseOptions = Parameters<typeof createCollapse>[0];

/** Folding, as an option of a context: what `createCollapse` takes, but for what the context knows. */
export type ContextCollapse = Omit<
  CollapseOptions,
  'summarize' | 'sizeOfText' | 'isMainThread' | 'mark' | 'models' | 'originals' | 'redact'
> & {
  /** Writes the summaries of what is folded. @default that of the compaction, which must not be `'ledger'` then */
  readonly summarize?: CollapseOptions['summarize'] | undefined;
};

export interface CollapseLayerOptions {
  readonly compaction: ContextCompaction;
  readonly mark: (request: Request) => Request;
  /** Entries of one's own for the model table. */
  readonly models: readonly ModelInfo[] | undefined;
  /** Tokens of a text. */
  readonly textSize: (text: string) => number;
  readonly redact: boolean;
  readonly enter: Enter;
  /** Notes what a summary was billed, whether it is used or not. */
  readonly addBill: (bill: AddedUsage) => void;
}

/** A layer that folds old stretches of work before a compaction has to replace all of them. */
export interface CollapseLayer {
  readonly name: 'collapse';
  readonly planner: LayerPlanner;
  /** Commits what is staged, whatever the size. */
  readonly recover: ReturnType<typeof createCollapse>['recover'];
}

export function createCollapseLayer(options: CollapseLayerOptions): CollapseLayer | undefined {
  const { compaction, mark, models, textSize, redact, enter, addBill } = options;
  const { collapse: given, originals, switches } = compaction;
  if (given === undefined) return undefined;
  // a compaction that no model writes comes with a function here, or is refused before
  const { summarize = compaction.summarize as Summarize, ...rest } = given;
  const collapse = createCollapse({
    ...{ ...rest, models, originals, redact, sizeOfText: textSize },
    mark: compaction.mark ?? mark,
    async summarize(request, calling) {
      const reply = await summarize(enter(request), calling);
      const { usage } = reply ?? {};
      if (isUsage(usage)) addBill({ by: 'collapse', model: request.head.model, usage });
      return reply;
    },
  });
  return {
    name: 'collapse',
    recover: collapse.recover,
    planner: {
      ...collapse,
      plan: (context) => switchedOff(switches?.()) ?? collapse.plan(context),
    },
  };
}

/** The switches of automatic compaction hold for folding, too; a sub-agent's conversation is not folded. */
function switchedOff({
  source = 'main',
  enabled = true,
  auto = true,
  reactiveOnly = false,
}: AutoSwitches = {}): Plan | undefined {
  if (source !== 'main') return { kind: 'none', reason: 'not-main-thread' };
  if (!enabled) return { kind: 'none', reason: 'disabled' };
  if (!auto) return { kind: 'none', reason: 'auto-disabled' };
  return reactiveOnly ? { kind: 'none', reason: 'reactive-only' } : undefined;
}
