import { availableParallelism } from 'node:os';
import { beforeAll, describe, expect, test } from 'vitest';
import { isWhole, oneIn } from '../../internal/src/share.ts';
import {
  BUILT_IN_STRATEGIES,
  type Report,
  type ReportRow,
  reportSchema,
  runEval,
  runValidation,
  type Validation,
} from '../src/index.ts';
import { median } from '../src/validate/statistics.ts';
import { type ValidatedSession, validationSchema } from '../src/validate/validation-schema.ts';
import { everyNth } from './files.ts';

const { VARVE_SESSIONS: SESSIONS = '', VARVE_SOAK } = process.env;
/** Every third session is replayed, which takes in each large format; all of them take minutes, and come with `pnpm soak`. */
const SHARE = VARVE_SOAK ? 1 : 3;

/** Promised where the provider bills directly and publishes its rules. */
const isPromised = ({ doubts }: ValidatedSession): boolean =>
  !doubts.includes('rules-not-published') && !doubts.includes('gateway-hides-writes');

const absolute = (values: readonly (number | null)[]): number[] =>
  values.flatMap((value) => (value === null ? [] : [Math.abs(value)]));

describe.skipIf(SESSIONS === '')('validate on real sessions (V1)', validateCorpus);
describe.skipIf(SESSIONS === '')('replay of real sessions (V1)', replayCorpus);

function validateCorpus(): void {
  let validation: Validation;
  beforeAll(async () => {
    validation = await runValidation({ sessions: [SESSIONS] });
  }, 120_000);
  const sessionsOf = (...formats: string[]) =>
    validation.sessions.filter(({ format }) => formats.includes(format));
  const rowOf = (format: string) => {
    const row = validation.formats.find((each) => each.format === format);
    if (row === undefined) throw new Error(`no session of ${format} was validated`);
    return row;
  };

  test('the report is what its schema describes', () => {
    expect(validationSchema.parse(validation)).toEqual(validation);
  });

  test('Claude Code: cached share, cost and breaks', () => {
    const row = rowOf('claude-code');
    expect(row.shareErrorMedian).toBeLessThanOrEqual(0.6);
    expect(row.shareErrorP90).toBeLessThanOrEqual(2.5);
    expect(row.costErrorMedian).toBeLessThanOrEqual(0.04);
    expect(row.breakPrecision).toBeGreaterThanOrEqual(0.8);
    expect(row.breakRecall).toBeGreaterThanOrEqual(0.65);
  });

  test('Codex: cached share and cost', () => {
    expect(rowOf('codex').shareErrorMedian).toBeLessThanOrEqual(1);
    expect(rowOf('codex').costErrorMedian).toBeLessThanOrEqual(0.05);
  });

  test('pi and OpenCode on direct providers: cached share', () => {
    const direct = sessionsOf('pi', 'opencode').filter(isPromised);
    expect(direct.length).toBeGreaterThan(0);
    const errors = absolute(direct.map(({ shareErrorPoints }) => shareErrorPoints));
    expect(median(errors)).toBeLessThanOrEqual(2);
  });

  test.each(['claude-code', 'codex', 'pi', 'opencode'])(
    '%s: a smaller cost error than either guess',
    (format) => {
      const { costErrorMedian, costErrorAlwaysWarm, costErrorConstant } = rowOf(format);
      expect(costErrorMedian).toBeLessThan(costErrorAlwaysWarm as number);
      expect(costErrorMedian).toBeLessThan(costErrorConstant as number);
    },
  );

  test.each(['claude-code', 'codex', 'pi', 'opencode'])('%s: sizes of the context', (format) => {
    const row = rowOf(format);
    expect(row.contextSizeErrorMedian).toBeLessThanOrEqual(0.001);
    expect(row.contextSizeErrorP95).toBeLessThanOrEqual(0.015);
    expect(row.contextSizeErrorAfter50).toBeLessThanOrEqual(0.025);
  });

  test('sizes of the context over all promised sessions', () => {
    const promised = validation.sessions.filter(isPromised);
    const of = (pick: (session: ValidatedSession) => number | null) =>
      median(absolute(promised.map(pick)));
    expect(of(({ contextSizeErrorMedian }) => contextSizeErrorMedian)).toBeLessThanOrEqual(0.001);
    expect(of(({ contextSizeErrorP95 }) => contextSizeErrorP95)).toBeLessThanOrEqual(0.015);
    expect(of(({ contextSizeErrorAfter50 }) => contextSizeErrorAfter50)).toBeLessThanOrEqual(0.025);
  });

  test('the first request after a compaction is never anchored', () => {
    const compacted = validation.sessions.filter(({ afterCompaction }) => afterCompaction.requests);
    expect(compacted.length).toBeGreaterThan(0);
    for (const { afterCompaction } of compacted) {
      expect(afterCompaction.unanchored).toBe(afterCompaction.requests);
    }
  });

  test('every unexplained break is listed', () => {
    for (const {
      unexplained,
      unexplainedBreaks,
      billedBreaks,
      foundBreaks,
    } of validation.sessions) {
      expect(unexplained).toHaveLength(unexplainedBreaks);
      expect(unexplainedBreaks).toBe(billedBreaks - foundBreaks);
    }
  });
}

/** Compaction waits for a full window, which these sessions do not reach here; it is tested in a small one elsewhere. */
const WAITING = [
  ...['ledger-compact', 'full-compact', 'provider-compact', 'session-memory', 'collapse'],
  'layers+ledger',
];

/** Those that differ in more than their markers. */
const STRATEGIES = BUILT_IN_STRATEGIES.map(({ name }) => name).filter(
  (name) => !name.endsWith('+parked') && name !== 'drop-oldest' && !WAITING.includes(name),
);

/** In a plain run what the tests compare, and a share of the others. */
const COMPARED = ['sliding-clear', 'batched-clear', 'volatile-prefix', 'microcompact-time'];
const SOME_STRATEGIES = isWhole ? STRATEGIES : [...new Set([...COMPARED, ...oneIn(4, STRATEGIES)])];

/** Storing large results before they are shown writes less than everything. */
const sendsAll = ({ strategy }: ReportRow): boolean => !/^(?:offload|layers)/.test(strategy);

function replayCorpus(): void {
  let report: Report;
  beforeAll(async () => {
    report = await runEval({
      sessions: oneIn(12, everyNth(SESSIONS, SHARE)),
      strategies: SOME_STRATEGIES,
      ttl: 'none',
      jobs: isWhole ? availableParallelism() : 1,
    });
  }, 300_000);
  const rowsOf = (session: string): ReadonlyMap<string, ReportRow> =>
    new Map(report.rows.filter((row) => row.session === session).map((row) => [row.strategy, row]));
  const large = (): (readonly [string, ReadonlyMap<string, ReportRow>])[] =>
    report.rows
      .filter(({ strategy, peakTokens }) => strategy === 'keep-all' && peakTokens >= 100_000)
      .map(({ session }) => [session, rowsOf(session)]);
  const dollars = (rows: ReadonlyMap<string, ReportRow>, strategy: string): number =>
    rows.get(strategy)?.dollars as number;

  test('the report is what its schema describes, and no session is refused', () => {
    expect(reportSchema.parse(report)).toEqual(report);
    expect(report.refused).toEqual([]);
  });

  test('every request of every built-in strategy is valid and priced', () => {
    const bad = report.rows.filter((row) => row.invalidRequests + row.unpricedTokens > 0);
    expect(bad.map(({ session, strategy, violations }) => [session, strategy, violations])).toEqual(
      [],
    );
    expect(report.rows.filter(({ repeatable }) => !repeatable)).toEqual([]);
  });

  test('every break of the prefix is announced', () => {
    // as-it-was replays what the recorded agent sent: its breaks nobody announced
    const unannounced = ['volatile-prefix', 'as-it-was'];
    const found = report.rows.filter(
      ({ strategy, breaksUnannounced }) => !unannounced.includes(strategy) && breaksUnannounced > 0,
    );
    expect(found.map(({ session, strategy }) => [session, strategy])).toEqual([]);
  });

  test('a volatile prefix costs more than five times as much as keeping everything', () => {
    const found = large().filter(
      ([, rows]) => dollars(rows, 'volatile-prefix') <= 5 * dollars(rows, 'keep-all'),
    );
    if (isWhole) expect(large().length).toBeGreaterThan(0);
    expect(found.map(([session]) => session)).toEqual([]);
  });

  test('clearing a bit every turn costs more than clearing in batches', () => {
    const found = large().filter(
      ([, rows]) => dollars(rows, 'sliding-clear') <= dollars(rows, 'batched-clear'),
    );
    expect(found.map(([session]) => session)).toEqual([]);
  });

  test('keeping everything has the highest hit rate of what sends every result once', () => {
    const found = large().filter(([, rows]) => {
      const rates = [...rows.values()].filter(sendsAll).map(({ hitRate }) => hitRate as number);
      return rows.get('keep-all')?.hitRate !== Math.max(...rates);
    });
    expect(found.map(([session]) => session)).toEqual([]);
  });

  test('what sends every result once comes not below writing everything once', () => {
    for (const row of report.rows) {
      if (sendsAll(row)) expect(row.writeOnceShare).toBeLessThanOrEqual(1);
      expect(row.hitRate ?? 0).toBeLessThanOrEqual(1);
    }
  });
}
