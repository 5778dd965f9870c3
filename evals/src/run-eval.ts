import type { ThinkingRule } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import { BUILT_IN_STRATEGIES } from './built-in-strategies.ts';
import { EvalsError } from './error.ts';
import { loadStrategies, type StrategySource } from './load-strategies.ts';
import { peerNames } from './peers/peers.ts';
import type { Provider, Ttl, Window } from './providers.ts';
import type { Rereads } from './replay/ranges.ts';
import { checksOf } from './report/checks.ts';
import { estimatorInfo } from './report/estimator-info.ts';
import { packageVersion } from './report/package-version.ts';
import { verdictOf } from './report/pick.ts';
import { priceAge } from './report/price-age.ts';
import type { Report } from './report/report-schema.ts';
import { totalsOf } from './report/totals.ts';
import { checkWindow, type PricingOptions, resolvePricing } from './resolve-pricing.ts';
import { type ReplaySettings, replayAll, surveyAll } from './run-phases.ts';
import { readPart } from './session/describe-read.ts';
import { lookForSessions } from './session/session-files.ts';
import { createTaskRunner } from './task-runner.ts';
import { RECORDED_MODEL } from './thread-pricing.ts';

/** One piece of work is done: a file was read, or replayed. */
export interface ProgressStep {
  readonly file: string;
  readonly done: number;
  readonly total: number;
}

export interface RunEvalOptions {
  /** Session files, and folders to search for some. */
  readonly sessions: readonly string[];
  /**
   * Names, paths or strategies. What is no name or path cannot be sent to worker threads: it needs `jobs: 1`.
   * @default all built-in ones
   */
  readonly strategies?: readonly StrategySource[] | undefined;
  /**
   * Adds the strategies of other projects; these run from their own packages, which have to be installed.
   * @default false
   */
  readonly peers?: boolean | undefined;
  /**
   * Id of the model that prices and rules are taken from; `recorded`: each session's own. Sessions whose model has no known
   * price are then left out, and listed.
   * @default a current model of the provider
   */
  readonly model?: string | undefined;
  /** @default the model's; without a model `anthropic` */
  readonly provider?: Provider | undefined;
  /** @default '5m'; where each session is priced as its own model, as its bills tell */
  readonly ttl?: Ttl | undefined;
  /**
   * Context window in tokens. Larger requests are refused, and before one grows so large the agent has to compact;
   * `none`: requests of every size are priced as if accepted, and strategies are told the model's. @default the model's
   */
  readonly window?: Window | undefined;
  /** Windows in tokens to replay everything in once more, or in a session's own where that is smaller. @default none */
  readonly otherWindows?: readonly number[] | undefined;
  /** Price of a token read from the cache as a share of a plain one. @default the model's */
  readonly readPrice?: number | undefined;
  /** What re-reads cost, as a multiple of their price. @default 1 */
  readonly rereadFactor?: number | undefined;
  /** Whether lost results come back whole, or by the lines that are needed. @default 'whole' */
  readonly rereads?: Rereads | undefined;
  /** How thinking is bound to what stands before it. @default as the model does */
  readonly thinking?: ThinkingRule | undefined;
  /** Threads to work in. The report does not depend on it. @default 1 */
  readonly jobs?: number | undefined;
  /** Stands in the report. @default 'runEval()' */
  readonly command?: string | undefined;
  /** Entries of one's own for models; they win over the table. @default none */
  readonly models?: readonly ModelInfo[] | undefined;
  /** Decides whether prices are called old. @default now */
  readonly today?: Date | undefined;
  /** Called after each piece of work. */
  readonly onProgress?: ((step: ProgressStep) => void) | undefined;
}

/**
 * Replays recorded sessions under strategies and reports what each costs and loses. No model is called, nothing is written,
 * and the same files give the same report. Throws an `EvalsError` where it cannot start, where no session can be
 * replayed, and where a strategy fails.
 */
export async function runEval(options: RunEvalOptions): Promise<Report> {
  const { jobs = 1, model, provider, ttl, window, otherWindows = [] } = options;
  const wanted = wantedStrategies(options);
  const { readPrice, rereadFactor = 1, rereads, thinking } = options;
  const { models = [] } = options;
  const pricing = {
    model,
    provider,
    ttl,
    window,
    readPrice,
    rereadFactor,
    rereads,
    thinking,
    models,
  };
  for (const each of [window, ...otherWindows]) checkWindow(each);
  resolvePricing(model === RECORDED_MODEL ? { ...pricing, model: undefined } : pricing);
  const strategies = await loadStrategies(wanted);
  if (jobs > 1 && wanted.some((each) => typeof each !== 'string')) throw needsOneJob();
  const looked = await lookForSessions(options.sessions);
  const task = { strategies: wanted, pricing, otherWindows };
  const surveyed = await work(looked, { task, jobs, options });
  const { replayed, read, counted } = surveyed;
  const rows = replayed.flatMap((file) => file.rows);
  const unpriced = replayed.flatMap((file) => file.unpriced);
  if (rows.length === 0 && unpriced.length > 0) throw nonePriced(unpriced);
  const threads = replayed.flatMap(({ session }) => session.replayed);
  const figures = (found: Report['rows']) => {
    const totals = totalsOf(found, threads);
    return { rows: found, totals, verdict: verdictOf({ rows: found, totals }, threads) };
  };
  return {
    version: packageVersion(),
    command: options.command ?? 'runEval()',
    estimator: estimatorInfo(),
    settings: settingsOf(pricing),
    ...readPart(surveyed),
    bills: counted.bills,
    prices: priceAge(
      [
        ...threads.map(({ pricedAs }) => pricedAs),
        ...read.flatMap(({ facts }) =>
          facts.mains.flatMap(({ replies }) => replies.map(({ model }) => model)),
        ),
      ],
      { today: options.today, models },
    ),
    sessions: replayed.map((file) => file.session),
    unpriced,
    strategies: strategies.map(({ name }) => ({ name })),
    ...figures(rows),
    checks: checksOf(rows),
    otherWindows: otherWindows.map((windowTokens, at) => ({
      windowTokens,
      ...figures(replayed.flatMap((file) => file.otherRows[at] ?? [])),
    })),
  };
}

function wantedStrategies({ strategies = [], peers = false }: RunEvalOptions) {
  if (!peers) return strategies;
  const named = strategies.length > 0 ? strategies : BUILT_IN_STRATEGIES.map(({ name }) => name);
  return [...new Set([...named, ...peerNames()])];
}

const settingsOf = (pricing: PricingOptions): Report['settings'] => ({
  model: pricing.model ?? null,
  provider: pricing.provider ?? null,
  ttl: pricing.ttl ?? (pricing.model === RECORDED_MODEL ? 'recorded' : '5m'),
  window: pricing.window ?? null,
  readPrice: pricing.readPrice ?? null,
  rereadFactor: pricing.rereadFactor ?? 1,
  rereads: pricing.rereads ?? 'whole',
  thinking: pricing.thinking ?? null,
});

interface WorkOptions {
  readonly task: ReplaySettings;
  readonly jobs: number;
  readonly options: Pick<RunEvalOptions, 'onProgress'>;
}

/** Reads all files, then replays those that hold sessions. */
async function work(
  { files, passedOver }: Awaited<ReturnType<typeof lookForSessions>>,
  { task, jobs, options }: WorkOptions,
) {
  const runner = createTaskRunner(jobs);
  const total = files.length * 2;
  let done = 0;
  const onDone = (file: string): void => options.onProgress?.({ file, done: ++done, total });
  try {
    const surveyed = await surveyAll(files, {
      runner,
      onDone,
      passedOver,
      models: task.pricing.models,
    });
    done = total - surveyed.usable.length;
    return { ...surveyed, replayed: await replayAll(surveyed.usable, { runner, onDone, task }) };
  } finally {
    await runner.close();
  }
}

const nonePriced = (unpriced: Report['unpriced']): EvalsError => {
  const models = new Set(unpriced.map(({ recordedModel }) => recordedModel ?? 'none recorded'));
  const text = `No session was recorded with a model whose price is known (${[...models].join(', ')}). Choose one with --model <id>.`;
  return new EvalsError('no-sessions', text);
};

const needsOneJob = (): EvalsError =>
  new EvalsError(
    'bad-arguments',
    'A strategy that is no name or path cannot be sent to worker threads. Run it with one job, or pass its file.',
  );
