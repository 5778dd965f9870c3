import {
  createProjection,
  type Edit,
  type Entry,
  type JsonObject,
  type PlanContext,
  type View,
} from '@varve/messages';
import type { Layer, LayerEvent } from './layer.ts';

/** A log and the layers that edit it. Nothing here is asynchronous, and the caller keeps the entries. */
export interface LayeredLog {
  /**
   * Takes the next entry, shows it to every layer and returns the view after it. Throws a `MessagesError` for an entry
   * that may not come next; nothing has changed then.
   */
  append(entry: Entry): View;
  view(): View;
  /** Lets each layer look at the view the ones before it left, and appends their edits. Never throws. */
  edit(context: EditContext): Edited;
  /**
   * Message indices at which markers are worth parking, the most important first: where the newest edit began, the one
   * before it, and where the next one can begin.
   */
  parkedAt(): readonly number[];
}

export interface EditContext {
  /** What the layers are told; it is asked for again after each edit. */
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
  /** Called with each entry that was appended and the view after it. */
  readonly onEntry?: ((entry: Entry, view: View) => void) | undefined;
}

/** Creates an empty log with layers on it. */
export function createLayeredLog({ layers, onEntry }: LayeredLogOptions): LayeredLog {
  const projection = createProjection();
  let view: View = { messages: [], changedFrom: 0 };
  let count = 0;
  let places: readonly number[] = [];

  function append(entry: Entry): View {
    view = projection.append(entry);
    count += 1;
    if (entry.type === 'edit') places = [view.changedFrom, ...places].slice(0, 2);
    for (const { planner } of layers) planner.observe(entry, view);
    onEntry?.(entry, view);
    return view;
  }

  function editBy(layer: Layer, { plan, at }: EditContext): Edited {
    const made: Entry[] = [];
    let changedFrom = Number.POSITIVE_INFINITY;
    try {
      const planned = layer.planner.plan(plan(view));
      if (planned.kind !== 'edit') return idle(layer, planned.reason);
      const { edits, reason, receipt } = planned;
      for (const edit of edits) {
        const id = `${layer.name}:${count}`;
        const entry = editEntry({ id, at }, { by: layer.name, reason, receipt, edit });
        changedFrom = Math.min(changedFrom, append(entry).changedFrom);
        made.push(entry);
      }
      const entryIds = made.map(({ id }) => id);
      const event = { layer: layer.name, kind: 'edited', reason, entryIds, changedFrom } as const;
      return { entries: made, events: [event] };
    } catch (cause) {
      return { entries: made, events: [{ layer: layer.name, kind: 'failed', cause }] };
    }
  }

  return {
    append,
    view: () => view,
    edit(context) {
      const done = layers.map((layer) => editBy(layer, context));
      return {
        entries: done.flatMap(({ entries }) => entries),
        events: done.flatMap(({ events }) => events),
      };
    },
    parkedAt() {
      const [newest, before] = places;
      const frontiers = layers.flatMap(({ planner }) => planner.frontier?.() ?? []);
      const next = frontiers.length > 0 ? [Math.min(...frontiers)] : [];
      return [newest, ...next, before].filter((place) => place !== undefined);
    },
  };
}

interface EditFacts {
  readonly by: string;
  readonly reason: string;
  readonly receipt: JsonObject | undefined;
  readonly edit: Edit;
}

function editEntry(head: Pick<Entry, 'id' | 'at'>, facts: EditFacts): Entry {
  const { receipt, ...rest } = facts;
  return { ...head, type: 'edit', ...rest, ...(receipt !== undefined && { receipt }) };
}

const idle = (layer: Layer, reason: string): Edited => ({
  entries: [],
  events: [{ layer: layer.name, kind: 'idle', reason }],
});
