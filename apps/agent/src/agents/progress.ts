import { createProgress } from '@varve/fork-agent/progress';
import type { Message, Request, Usage } from '@varve/messages';
import type { ModelClient } from '@varve/models';
import { MODELS, resolveModel } from '@varve/tokens';

export interface WatchProgressOptions {
  readonly model: string;
  readonly connect: (model: string) => { readonly client: ModelClient };
  readonly everyMs: number;
  /** The agent as it stands; undefined before its first request. */
  readonly state: () =>
    | { readonly sent: Request; readonly sentMs: number; readonly since: readonly Message[] }
    | undefined;
  readonly onText: (text: string) => void;
  readonly onUsage: (model: string, usage: Usage) => void;
}

/** Asks from time to time for a few words about what an agent does (F8). The result ends it. */
export function watchProgress(options: WatchProgressOptions): () => void {
  const { model, connect, everyMs, state, onText, onUsage } = options;
  const cheap = cheapestOf(model);
  const stop = new AbortController();
  const progress = createProgress({
    client: connect(model).client,
    cheap: { model: cheap, client: connect(cheap).client },
    now: Date.now,
    intervalMs: everyMs / 2, // the timer keeps the pace
  });
  const ask = async () => {
    const now = state();
    if (now === undefined) return;
    const result = await progress.summarize(now, { signal: stop.signal });
    if (result.kind !== 'summary') return;
    onUsage(result.via === 'fork' ? model : cheap, result.usage);
    onText(result.text);
  };
  const timer = setInterval(() => void ask().catch(() => undefined), everyMs); // it ended meanwhile
  timer.unref();
  return () => {
    clearInterval(timer);
    stop.abort();
  };
}

/** The cheapest model of the same provider; the model itself where no price is known. */
function cheapestOf(id: string): string {
  const { provider } = resolveModel(id).model;
  const price = (model: (typeof MODELS)[number]) =>
    (model.prices[0]?.input ?? Number.POSITIVE_INFINITY) + (model.prices[0]?.output ?? 0);
  const known = MODELS.filter((each) => each.provider === provider && each.prices.length > 0);
  const [cheapest] = known.sort((one, other) => price(one) - price(other));
  return cheapest?.id ?? id;
}
