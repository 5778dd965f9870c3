import {
  createProjection,
  type Entry,
  type Plan,
  type PlanContext,
  type View,
} from '@varve/messages';
import { logOf, writtenForm } from '@varve/messages/log';
import type { Layer, LayerEvent, LayerPlanner } from './layer.ts';
import { createWatch, type Watch } from './watch.ts';

/** A log and the layers that edit it. Nothing here is asynchronous, and the caller keeps the entries. */
export interface LayeredLog {
  /**
   * Takes the next entry, shows it to every layer and returns the view after it. Throws a `MessagesError` for an entry
   * that may not come next; nothing has changed then. A layer that throws is left out from then on.
   */
  append(entry: Entry): View;
  view(): View;
  /** An id that neither an entry nor a message has yet; the same log gives the same one. */
  nextId(kind: string): string;
  /** Lets each layer without work look at the view the ones before it left, and appends their edits. A layer that throws gives way. */
  edit(context: EditContext): Edited;
  /** Appends the edits of a plan that was made elsewhere, in the name of a layer. */
  commit(plan: Plan, context: { readonly layer: string; readonly at: string }): Edited;
  /** Layers with work, in order. */
  readonly workers: readonly LayerWithWork[];
  /**
   * Message indices at which markers are worth parking, the most important first: where the newest edit began, where the
   * next one can begin, and where the one before the newest began.
   */
  parkedAt(): readonly number[];
}

/** A layer some of whose plans are work. */
export interface LayerWithWork {
  readonly name: string;
  /** The same as `edit` of the log for this layer; `work` is what has to be run before it can edit. */
  edit(context: EditContext): Edited & { readonly work?: PlannedWork };
  run(work: PlannedWork, options: { readonly signal?: AbortSignal | undefined }): LayerRun;
}

type LayerRun = ReturnType<NonNullable<LayerPlanner['run']>>;

export interface PlannedWork {
  readonly work: unknown;
  readonly reason: string;
}

export interface EditContext {
  /** What a layer is told; asked once for each layer, with the view it finds. */
  readonly plan: (view: View) => PlanContext;
  /** ISO 8601, UTC: when the edits are made. */
  readonly at: string;
}

export interface Edited {
  /** The edits that were appended, in order. */
  readonly entries: readonly Entry[];
  readonly events: readonly LayerEvent[];
}

export interface LayeredLogOptions {
  /** In the order in which they run. */
  readonly layers: readonly Layer[];
  /** Called with each entry that was appended and the view after it, before any layer sees it. It must not throw. */
  readonly onEntry?: ((entry: Entry, view: View) => void) | undefined;
  /**
   * What becomes of an edit of a layer before it is appended. What it throws refuses the edit.
   * @default its written form: later changes to the layer's objects do not reach the log
   */
  readonly enter?: (<E extends Entry>(entry: E) => E) | undefined;
}

/** Creates an empty log with layers on it. */
export function createLayeredLog({
  layers,
  onEntry,
  enter = writtenForm,
}: LayeredLogOptions): LayeredLog {
  const projection = createProjection();
  const watches = layers.map(createWatch);
  let view: View = { messages: [], changedFrom: 0 };
  let count = 0;
  let places: readonly number[] = [];

  function append(entry: Entry): View {
    view = projection.append(entry);
    count += 1;
    if (entry.type === 'edit') places = [view.changedFrom, ...places].slice(0, 2);
    onEntry?.(entry, view);
    for (const watch of watches) watch.observe(entry, view);
    return view;
  }

  /** `<kind>-<number of entries so far>`, or the next that is free. */
  function nextId(kind: string): string {
    const { has } = logOf(view);
    let number = count + 1;
    while (has(`${kind}-${number}`)) number += 1;
    return `${kind}-${number}`;
  }

  const log = { append, view: () => view, nextId };
  const open: OpenLog = { ...log, enter };
  return {
    ...log,
    commit: (plan, { layer, at }) => commitPlan(plan, open, { layer, at }),
    workers: watches.flatMap((watch) => withWork(watch, open) ?? []),
    edit(context) {
      const plain = watches.filter(({ run }) => run === undefined);
      const done = plain.map((watch) => editBy(watch, open, context));
      return {
        entries: done.flatMap(({ entries }) => entries),
        events: done.flatMap(({ events }) => events),
      };
    },
    parkedAt() {
      const [newest, before] = places;
      const frontiers = watches.flatMap((watch) => watch.frontier() ?? []);
      const next = frontiers.length > 0 ? Math.min(...frontiers) : undefined;
      return [newest, next, before].filter((place) => place !== undefined);
    },
  };
}

interface OpenLog extends Pick<LayeredLog, 'append' | 'view' | 'nextId'> {
  readonly enter: NonNullable<LayeredLogOptions['enter']>;
}

function withWork(watch: Watch, log: OpenLog): LayerWithWork | undefined {
  const { name, run } = watch;
  if (run === undefined) return undefined;
  return {
    name,
    edit: (context) => editBy(watch, log, context),
    run: ({ work }, options) => run(work as never, options),
  };
}

function editBy(
  watch: Watch,
  log: OpenLog,
  { plan, at }: EditContext,
): Edited & { readonly work?: PlannedWork } {
  const { name } = watch;
  const planned = watch.plan(() => plan(log.view()));
  if (planned.kind === 'failed') return { entries: [], events: [{ layer: name, ...planned }] };
  if (planned.kind === 'work') return { entries: [], events: [], work: planned };
  return commitPlan(planned, log, { layer: name, at });
}

function commitPlan(
  plan: Plan,
  log: OpenLog,
  { layer, at }: { readonly layer: string; readonly at: string },
): Edited {
  const { reason } = plan;
  const edits = plan.kind === 'edit' ? editEntries(plan, layer, at) : [];
  if (edits.length === 0) return { entries: [], events: [{ layer, kind: 'idle', reason }] };
  return commit(edits, log, { layer, reason });
}

type Unnamed = Omit<Entry & { readonly type: 'edit' }, 'id'>;

function editEntries(
  { edits, reason, receipt }: Plan & { readonly kind: 'edit' },
  by: string,
  at: string,
): Unnamed[] {
  const facts = {
    type: 'edit',
    at,
    by,
    reason,
    ...(receipt !== undefined && { receipt }),
  } as const;
  return edits.map((edit) => ({ ...facts, edit }));
}

/** Appends edits up to the first that is refused. */
function commit(
  edits: readonly Unnamed[],
  { append, nextId, enter }: OpenLog,
  { layer, reason }: { readonly layer: string; readonly reason: string },
): Edited {
  const entries: Entry[] = [];
  const events: LayerEvent[] = [];
  let changedFrom = Number.POSITIVE_INFINITY;
  try {
    for (const edit of edits) {
      const entry: Entry = enter({ id: nextId(layer), ...edit });
      changedFrom = Math.min(changedFrom, append(entry).changedFrom);
      entries.push(entry);
    }
  } catch (cause) {
    events.push({ layer, kind: 'failed', reason: 'edit-refused', cause });
  }
  const entryIds = entries.map(({ id }) => id);
  if (entries.length > 0) {
    events.unshift({ layer, kind: 'edited', reason, entryIds, changedFrom });
  }
  return { entries, events };
}
