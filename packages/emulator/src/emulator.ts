import { MODELS, type ModelInfo } from '@varve/tokens';
import { findModel } from '@varve/tokens/models';
import { createAccounts } from './cache/accounts.ts';
import { createHandler } from './core/handle.ts';
import type { HttpReply, HttpRequest } from './core/http.ts';
import { createNewId } from './core/ids.ts';
import { createMemory, type EmulatorState } from './core/state.ts';
import { createRequestLog, type RecordedRequest } from './log/exchange.ts';
import { createReport, type EmulatorReport, requireHitRate } from './log/report.ts';
import { checkOptions, type EmulatorOptions } from './options.ts';
import { extractiveSummary } from './replies/extractive-summary.ts';
import { script } from './replies/script.ts';

/** A provider without a socket. */
export interface Emulator {
  /** Answers one request. What a reply function throws is an answer of status 500; rejects only where a fault's matcher throws. */
  handle(request: HttpRequest): Promise<HttpReply>;
  /** The latest requests with their exact bytes, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Hit rate, dollars and breaks of everything so far. */
  report(): EmulatorReport;
  /**
   * The gate for CI. Throws `hit-rate-too-low` where less of all prompt tokens was read from the cache than this share,
   * and says what was lost to what.
   */
  expectHitRate(atLeast: number): void;
}

/** Creates a provider as a function from request to response; `startEmulator` puts it behind a port. */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  checkOptions(options);
  const { faults = [], keepRequests = 10_000, keepBytes = 256 * 2 ** 20 } = options;
  const state = createState(options);
  const log = createRequestLog(keepRequests, keepBytes);
  const report = createReport(() => state.accounts.resets);
  const handle = createHandler({
    state,
    faults,
    apiKeys: options.apiKeys,
    rateLimits: options.rateLimits,
    onRequest(request) {
      log.add(request);
      report.add(request);
      options.onRequest?.(request);
    },
  });
  return {
    handle,
    requests: log.kept,
    report: report.read,
    expectHitRate: (atLeast) => requireHitRate(report.read(), atLeast),
  };
}

/** Responses that later requests can name. */
const MOST_REMEMBERED = 10_000;

function createState(options: EmulatorOptions): EmulatorState {
  const { replies = () => 'OK.', summarize = extractiveSummary(), models = [] } = options;
  const { now = Date.now, maxPromptCharacters = 256 * 2 ** 20 } = options;
  let replyIndex = 0;
  let summaryIndex = 0;
  return {
    accounts: createAccounts(maxPromptCharacters),
    findModel: (id) => ownModel(models, id) ?? findModel(id),
    models: [...models, ...MODELS],
    replies: typeof replies === 'function' ? replies : script(replies),
    summarize,
    newId: createNewId(),
    now,
    firstTokenDelayMs: options.firstTokenDelayMs ?? 0,
    deltaCharacters: options.deltaCharacters ?? 64,
    thinkingBinding: options.thinkingBinding ?? 'enforced',
    foreignThinking: options.foreignThinking ?? 'refused',
    remember: createMemory(MOST_REMEMBERED),
    nextReplyIndex: () => replyIndex++,
    nextSummaryIndex: () => summaryIndex++,
  };
}

const ownModel = (models: readonly ModelInfo[], id: string): ModelInfo | undefined =>
  models.find((model) => model.id === id || model.aliases.includes(id));
