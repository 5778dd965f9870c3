import { z } from 'zod';
import { REREADS } from '../replay/ranges.ts';

const count = z.number().int().nonnegative();
const dollars = z.number().nonnegative();
const share = z.number().nonnegative().nullable();
const counts = z.record(z.string(), count);

const threadCounts = { messages: count, toolCalls: count, toolResults: count };

/** A thread of a session that was replayed. */
const replayedSchema = z.object({
  /** Its name in `rows`: the file, with the thread behind a `#` where a file holds several main threads. */
  session: z.string(),
  requests: count,
  /** Tokens of the raw history; the head is not among them. */
  tokens: count,
  headTokens: count,
  headSource: z.enum(['first-prompt', 'recorded-text', 'assumed']),
  clock: z.enum(['recorded', 'assumed']),
  recordedModel: z.string().nullable(),
  /** The model that prices and rules are taken from, and the cache policy. */
  pricedAs: z.string(),
  policy: z.string(),
  windowTokens: count,
  /** Billed output tokens of the replies, estimated where the file has none, and their price: the same for every strategy. */
  outputTokens: count,
  outputDollars: dollars,
  /** What had to be mended in the raw history so that a provider would accept it. */
  repairs: counts,
  /** Recorded compactions and prunings that were left out. */
  removedEdits: count,
  /** Sessions of other projects in this run: what they also hold is not counted as demand. */
  foreignSessions: count,
  /** Sessions of one project, told by the paths they show, have one number; it means nothing in another run. */
  project: count,
  /** Uses of what was seen before, by calls and by words. */
  hindsightUses: count,
  namedUses: count,
});

/** What could not be read as it was: of each kind how many there are, and how many were lost. */
const lossesSchema = z.object({
  results: count,
  inventedResults: count,
  blocks: count,
  unknownBlocks: count,
  bills: count,
  unusedBills: count,
  records: count,
  droppedRecords: count,
  threads: count,
  missingStarts: count,
});

const sessionSchema = z.object({
  file: z.string(),
  format: z.string(),
  /** Of all threads together, without results that the import made up. */
  ...threadCounts,
  /** The part of these that belongs to sub-agents; their threads are not replayed. */
  subAgents: z.object({ threads: count, ...threadCounts }),
  /** Estimated tokens of all messages of all threads. */
  tokens: count,
  /** Records, fields and blocks that the import has no use for, by kind. */
  unused: counts,
  problems: z.array(z.object({ line: count, kind: z.string(), text: z.string() })),
  losses: lossesSchema,
  replayed: z.array(replayedSchema),
});

/** Bills beside what the same requests cost in the replay; the two are never added. */
const billedSchema = z.object({
  requests: count,
  /** Basis: billed tokens at the list prices of the row's model. */
  dollars,
  /** Basis: replayed. */
  replayedDollars: dollars,
  /** Requests before which the provider lost the cache without a reason: every row loses it there. */
  losses: count,
  /** More than one: all are priced as the row's. */
  models: z.array(z.string()),
  /** `lacks-most`: the file does not hold what was sent; in no sum. */
  doubt: z.enum(['lacks-most']).nullable(),
});

/** One strategy on one session. */
export const rowSchema = z.object({
  session: z.string(),
  strategy: z.string(),
  /** The model that the row is priced as. */
  model: z.string(),
  /** Requests of recorded replies. */
  requests: count,
  /** Requests that fetch a lost result again, and those of them whose call would not give the same. */
  rereads: count,
  irreproducible: count,
  /** Demanded units that were missing even after the re-reads. */
  unmetUnits: count,
  promptTokens: count,
  readTokens: count,
  writtenTokens: count,
  /** Read tokens of all prompt tokens; null without any. */
  hitRate: share,
  /** Input side of all valid requests, and the calls of re-reads. */
  dollars,
  /** Null where this row or the baseline has invalid requests, which have no price. */
  relativeToKeepAll: share,
  /** The same against what the recorded agent sent; null where that was not replayed. */
  relativeToAsItWas: share,
  rereadDollars: dollars,
  irreproducibleDollars: dollars,
  rereadShare: share,
  /**
   * Of what the next 24 calls use and was seen before, summed over every request and weighted by rarity: the share that is at hand,
   * and that with what one call would bring (a stored result, a file that is as it was). Null without demand.
   */
  hindsightRecall: share,
  hindsightReach: share,
  /** Uses of such units. */
  hindsightUnits: count,
  /** The same of what the assistant's words name again. */
  namedRecall: share,
  namedReach: share,
  namedUnits: count,
  evictedResults: count,
  faultedResults: count,
  /** Evicted results that were needed later, of all evicted ones. */
  faultRate: share,
  /** Requests that do not continue the one before as the provider sees it, server-side edits included. */
  breaks: count,
  /**
   * Requests that were not sent as a continuation of the one before, block by block over tools, system prompt and
   * messages: at a place that the strategy announced, and others.
   */
  breaksAnnounced: count,
  breaksUnannounced: count,
  breakMassTokens: count,
  expiries: count,
  peakTokens: count,
  /** Larger than the window and priced as if accepted, where the window is `none`; else they are refused as `over-window`. */
  overWindowRequests: count,
  /** Summaries an agent had to have written because the next request would have been refused; in `dollars` too. */
  forcedCompactions: count,
  compactionDollars: dollars,
  /** Compactions by the strategy. */
  compactions: count,
  /** Requests that the strategy sent for itself, those of them whose reply something stands for; in `dollars` too. */
  ownCalls: count,
  standInCalls: count,
  ownCallDollars: dollars,
  invalidRequests: count,
  /** Requests by the rule they break. */
  violations: counts,
  systemChangedRequests: count,
  personLostRequests: count,
  /** A second run on the same input gave the same bytes. */
  repeatable: z.boolean(),
  /**
   * Whether the strategy did anything that keep-all does not: false where its counts are the same, and its cost is but for a
   * thousandth.
   */
  acted: z.boolean(),
  /** Whether it took nothing out and asked for nothing: what it costs beside keep-all is for its tools. */
  idle: z.boolean(),
  /** Modelled: while summaries and notes are written, at a speed that recorded sessions had. */
  waitSeconds: z.number().nonnegative(),
  /** Of `as-it-was`, priced as the recorded model: what was billed for the prompts. Null elsewhere. */
  billed: billedSchema.nullable(),
  unpricedTokens: count,
  /** Lower bounds in dollars, and as shares of `dollars`. */
  writeOnceDollars: dollars,
  perObjectDollars: dollars,
  writeOnceShare: share,
  perObjectShare: share,
  /** What the cheaper of the legal oracles that were replayed pays, as a share of `dollars`; null without one. */
  oracleShare: share,
});

const totalSchema = z.object({
  strategy: z.string(),
  /** Replayed sessions, and those of them without an invalid request, over which everything below is taken. */
  sessions: count,
  comparable: count,
  /** Of every figure in dollars: what a replay of recorded requests costs, or what no strategy can know to do. */
  basis: z.enum(['replayed', 'at-most']),
  /** Mean over sessions, and of the sums of dollars. */
  relativeToKeepAll: share,
  dollarsRelative: share,
  dollars,
  /** 1 - cost / cost of what the recorded agent sent, both summed; with a 95 % interval over projects. */
  savedOfAsItWas: z.number().nullable(),
  savedOfAsItWasLow: z.number().nullable(),
  savedOfAsItWasHigh: z.number().nullable(),
  /** Sessions of 60 requests and more that cost more than as they were, of those. */
  dearerThanAsItWas: z.object({ sessions: count, of: count }).nullable(),
  /** Sums over sessions with bills that are in no doubt; null without any. */
  billed: z.object({ sessions: count, dollars, replayedDollars: dollars }).nullable(),
  /** Modelled, mean over sessions. */
  waitSeconds: z.number().nonnegative(),
  overWindowRequests: count,
  oracleShare: share,
  hitRate: share,
  /** Means over sessions. */
  breaks: z.number().nonnegative(),
  rereads: z.number().nonnegative(),
  irreproducible: z.number().nonnegative(),
  rereadShare: share,
  /** Means over the sessions with 10 uses and more; with a 95 % interval, by a bootstrap over projects. */
  hindsightRecall: share,
  hindsightLow: share,
  hindsightHigh: share,
  hindsightReach: share,
  hindsightReachLow: share,
  hindsightReachHigh: share,
  namedRecall: share,
  namedReach: share,
  faultRate: share,
  writeOnceShare: share,
  perObjectShare: share,
  peakTokens: z.number().nonnegative(),
  /** Sums over all sessions. */
  breaksAnnounced: count,
  breaksUnannounced: count,
  invalidRequests: count,
  systemChangedRequests: count,
  personLostRequests: count,
  unmetUnits: count,
  unrepeatable: count,
  /** Sessions in which the strategy acted. */
  actedSessions: count,
  /** Mean over sessions. */
  forcedCompactions: z.number().nonnegative(),
  compactions: z.number().nonnegative(),
  ownCalls: z.number().nonnegative(),
  /** Of all calls of its own; null without any. */
  standInShare: share,
  /** What they cost, of everything. */
  ownCallShare: share,
});

const keptSchema = z.object({ share, low: share, high: share }).nullable();

const verdictSchema = z.object({
  /** The share of what is needed next that has to stay at hand: as much as keep-all keeps, where that is less. */
  floor: z.number(),
  /** The same of what is at hand or one call away. */
  reachFloor: z.number(),
  /** The strategy that costs least of those that hold it; null where none is cheaper than keep-all. */
  cheapest: z.string().nullable(),
  /** What `saved` is a share of: what was sent, or keep-all where that was not replayed or does not fit the window. */
  reference: z.string(),
  /** What it saves of the reference's cost; with its 95 % interval over projects where there are five and more. */
  saved: z.number().nullable(),
  interval: z.object({ low: z.number(), high: z.number() }).nullable(),
  /** What it keeps of both, with their 95 % intervals over projects where there are five and more. */
  atHand: keptSchema,
  reach: keptSchema,
});

const checkSchema = z.object({
  name: z.string(),
  text: z.string(),
  holds: z.boolean(),
  /** Rows that were looked at. */
  of: count,
  /** Those beyond the limit, the furthest first. */
  exceptions: z.array(
    z.object({ session: z.string(), strategy: z.string(), value: z.number(), why: z.string() }),
  ),
});

/** The document that `--json` prints and `report.json` holds. */
export const reportSchema = z.object({
  /** Of this package. */
  version: z.string(),
  /** The command line, or what the caller of `runEval` named it. */
  command: z.string(),
  estimator: z.object({
    name: z.string(),
    version: z.string(),
    /** Tokens per o200k token of the same text, by tokenizer family and content class. */
    familyFactors: z.record(z.string(), z.record(z.string(), z.number())),
  }),
  settings: z.object({
    model: z.string().nullable(),
    provider: z.string().nullable(),
    /** `recorded`: of each session's own bills. */
    ttl: z.enum(['5m', '1h', 'none', 'recorded']),
    /** Larger requests are refused; null: the model's; none: nothing is refused. */
    window: z.union([count, z.literal('none')]).nullable(),
    /** Price of a read token as a share of a plain one; null: the model's. */
    readPrice: z.number().nullable(),
    /** What re-reads cost, as a multiple of their price. */
    rereadFactor: z.number(),
    /** Whether lost results came back whole, or by the lines that were needed. */
    rereads: z.enum(REREADS),
    /** How thinking is bound to what stands before it; null: as the model does. */
    thinking: z.enum(['free', 'latest-turn', 'prefix-bound']).nullable(),
  }),
  /** Every file that holds a session, whether it counts or not. */
  read: z.array(
    z.object({ file: z.string(), format: z.string(), requests: count, losses: lossesSchema }),
  ),
  /**
   * Main threads that are in no row and no mean. A copy holds nothing that another does not, a fork begins as another does; one
   * is `short` with fewer than three requests, and `lossy` where more than a quarter of something is missing.
   */
  leftOut: z.array(
    z.object({
      session: z.string(),
      why: z.enum(['copy', 'fork', 'sub-agent', 'short', 'lossy']),
      /** The session that stands for it. */
      of: z.string().nullable(),
      requests: count,
      /** Those that no other session holds. */
      ownRequests: count,
      text: z.string(),
      /** Replayed and counted all the same, because nothing else is there. */
      counted: z.boolean(),
    }),
  ),
  /** What all files were billed, each reply once, sub-agents among them, at list prices. */
  bills: z.object({
    requests: count,
    billedRequests: count,
    promptTokens: count,
    outputTokens: count,
    dollars,
    unpricedTokens: count,
    unpricedModels: counts,
    subAgents: z.object({ threads: count, requests: count, dollars }),
    /** Replies that stand in several files, as often as they were not counted. */
    sharedRequests: count,
  }),
  /** The day on which the oldest of the prices used was compared with its source; old from 90 days on. */
  prices: z.object({ checkedOn: z.string().nullable(), isOld: z.boolean() }),
  sessions: z.array(sessionSchema),
  /** Files in a folder that hold no session, and files that could not be imported. */
  skipped: z.array(z.object({ file: z.string(), reason: z.string() })),
  refused: z.array(z.object({ file: z.string(), line: count.nullable(), reason: z.string() })),
  /** Threads that were to be priced as the model they were recorded with, which has no known price; they are in no row. */
  unpriced: z.array(z.object({ session: z.string(), recordedModel: z.string().nullable() })),
  strategies: z.array(z.object({ name: z.string() })),
  rows: z.array(rowSchema),
  totals: z.array(totalSchema),
  verdict: verdictSchema,
  /** What has to hold, in the first window. */
  checks: z.array(checkSchema),
  /** The same in other windows, which are enforced. */
  otherWindows: z.array(
    z.object({
      windowTokens: count,
      rows: z.array(rowSchema),
      totals: z.array(totalSchema),
      verdict: verdictSchema,
    }),
  ),
});

/** A whole report. */
export type Report = z.infer<typeof reportSchema>;
/** One strategy on one session. */
export type ReportRow = z.infer<typeof rowSchema>;
/** One strategy over all sessions. */
export type ReportTotal = z.infer<typeof totalSchema>;
/** Which strategy a report names. */
export type Verdict = z.infer<typeof verdictSchema>;
/** One session file. */
export type ReportSession = z.infer<typeof sessionSchema>;
/** One replayed thread. */
export type ReplayedThread = z.infer<typeof replayedSchema>;
