import { untilAborted } from '@varve/guards';
import type { Keeper } from './keeper.ts';
import type { Edited, LayerWithWork, PlannedWork } from './layered-log.ts';
import type { SendingOptions } from './sending.ts';

export interface WorkingOptions extends Pick<SendingOptions, 'tell'> {
  readonly keeper: Keeper;
  readonly at: () => string;
  /** Lets a layer plan and edit. */
  readonly edit: (layer: LayerWithWork) => ReturnType<LayerWithWork['edit']>;
  /** Runs after the edits of a layer. */
  readonly edited: (edited: Edited, signal: AbortSignal | undefined) => Promise<void>;
}

/** Work that a request does not wait for. */
interface Background {
  readonly done: Promise<void>;
  abort(): void;
}

/**
 * Has layers do their work, and then edit. What a layer writes down is notes, and its edits are planned on the conversation as
 * it is once they are in: so nothing that was worked out for another conversation is ever put in force.
 */
export function createWorking({ keeper, at, tell, edit, edited }: WorkingOptions) {
  const running = new Map<LayerWithWork, Background>();

  async function run(
    layer: LayerWithWork,
    work: PlannedWork,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { name } = layer;
    try {
      const { notes } = await untilAborted(() => layer.run(work, { signal }), signal);
      for (const data of notes) keeper.append({ type: 'note', by: name, data }, at());
    } catch (cause) {
      signal?.throwIfAborted();
      tell({ layer: name, kind: 'failed', reason: 'run-threw', cause });
    }
  }

  function runBehind(layer: LayerWithWork, work: PlannedWork): void {
    const stop = new AbortController();
    const done = run(layer, work, stop.signal)
      .then(keeper.write)
      .catch(() => undefined) // it is written with what comes next
      .finally(() => running.delete(layer));
    running.set(layer, { done, abort: () => stop.abort() });
  }

  /** The work that is under way; where it is not waited for any more, it ends, so that the next request can begin anew. */
  async function settled(layer: LayerWithWork, signal: AbortSignal | undefined): Promise<void> {
    const behind = running.get(layer);
    try {
      await untilAborted(() => behind?.done ?? Promise.resolve(), signal);
    } catch (cause) {
      behind?.abort();
      throw cause;
    }
  }

  /** @throws the signal's reason; the layer has then edited, or left no trace */
  return async function work(signal: AbortSignal | undefined): Promise<void> {
    for (const layer of keeper.layered.workers) {
      for (let count = 0; ; count++) {
        const planned = edit(layer);
        await edited(planned, signal);
        if (planned.work === undefined) break;
        const { reason } = planned.work;
        if (count === MOST_RUNS) {
          tell({ layer: layer.name, kind: 'idle', reason });
          break;
        }
        if (isBehind(planned.work)) {
          tell({ layer: layer.name, kind: 'idle', reason });
          if (!running.has(layer)) runBehind(layer, planned.work);
          break;
        }
        if (running.has(layer)) await settled(layer, signal);
        else await run(layer, planned.work, signal);
      }
    }
  };
}

/** How often the work of a layer is run before one request. */
const MOST_RUNS = 3;

const isBehind = ({ work }: PlannedWork): boolean =>
  (work as { readonly blocking?: unknown } | null)?.blocking === false;
