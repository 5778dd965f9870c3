import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isWhole } from '../../internal/src/share.ts';
import {
  BUILT_IN_STRATEGIES,
  EvalsError,
  formatReport,
  reportSchema,
  runEval,
  type Strategy,
} from '../src/index.ts';
import { sessionFolder, temporaryFolder, writeSession } from './files.ts';
import { choosing, cleared } from './replays.ts';
import { edit, generatedSteps, read } from './sessions.ts';

/** Of tools, in each session. */
const CALLS = isWhole ? 30 : 10;

const failure = async (run: Promise<unknown>): Promise<EvalsError> => {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!EvalsError.is(error)) throw new Error(`expected an EvalsError, got ${error}`);
  return error;
};

describe('runEval (V1)', () => {
  test('gives a report that its schema describes', async () => {
    const report = await runEval({ sessions: [sessionFolder(CALLS)], ttl: 'none' });
    expect(reportSchema.parse(report)).toEqual(report);
    expect(report.sessions.map(({ file }) => file)).toEqual([
      'alpha.jsonl',
      'beta.jsonl',
      'gamma.jsonl',
    ]);
    expect(report.sessions[0]).toMatchObject({
      format: 'varve',
      toolCalls: CALLS,
      toolResults: CALLS,
    });
    expect(report.skipped.map(({ file }) => file)).toEqual(['notes.json']);
    expect(report.rows).toHaveLength(3 * BUILT_IN_STRATEGIES.length);
    expect(report.totals.map(({ strategy }) => strategy)).toEqual(
      report.strategies.map(({ name }) => name),
    );
  });

  test('gives the same report in one thread and in two', async () => {
    const sessions = [sessionFolder(CALLS)];
    const strategies = ['sliding-clear', 'batched-clear+parked'];
    const alone = await runEval({ sessions, strategies, jobs: 1 });
    const together = await runEval({ sessions, strategies, jobs: 2 });
    expect(JSON.stringify(together)).toBe(JSON.stringify(alone));
  });

  test('compares with keep-all even if nobody asked for it', async () => {
    const report = await runEval({ sessions: [sessionFolder()], strategies: ['volatile-prefix'] });
    expect(report.strategies.map(({ name }) => name)).toEqual(['keep-all', 'volatile-prefix']);
    expect(report.totals[0]).toMatchObject({
      relativeToKeepAll: 1,
      dollarsRelative: 1,
      comparable: 3,
    });
  });

  test('says what was done after each piece of work', async () => {
    const steps: string[] = [];
    await runEval({
      sessions: [sessionFolder()],
      strategies: ['keep-all'],
      onProgress: ({ file, done, total }) => steps.push(`${file} ${done}/${total}`),
    });
    expect(steps).toHaveLength(7);
    expect(steps.at(-1)).toMatch(/ 8\/8$/);
  });

  test('takes a strategy as it is, and its failure names it', async () => {
    const breaking: Strategy = {
      name: 'breaking',
      create: () => {
        throw new Error('no such plan');
      },
    };
    const error = await failure(runEval({ sessions: [sessionFolder()], strategies: [breaking] }));
    expect(error.code).toBe('strategy-failed');
    expect(error.message).toMatch(/`breaking` failed in create\(\): no such plan/);
  });

  test('does not count as demand what two sessions of other projects also hold', async () => {
    const folder = temporaryFolder();
    const common = 'import { describe } from "vitest";';
    const own = (project: string) => `const own${project}Total = sumOf${project};`;
    for (const project of ['Alpha', 'Beta', 'Gamma']) {
      const path = `src/${project}/${project}One.ts`;
      const steps = [
        { user: `Look at ${path}.` },
        read(path, `${common}\n${own(project)}`),
        { say: 'Seen.' },
        { user: 'Change it.' },
        edit(path, common),
        edit(path, own(project)),
        { say: 'Done.' },
      ];
      writeSession(folder, `${project}.jsonl`, steps);
    }
    const forgets = choosing('forgets', (messages) =>
      messages.filter(({ role }) => role === 'user').slice(0, 1),
    );
    const rereadsOf = async (sessions: string[]) => {
      const report = await runEval({ sessions, strategies: [forgets] });
      return report.rows
        .filter(({ strategy }) => strategy === 'forgets')
        .map(({ rereads }) => rereads);
    };
    // the path stays; without others both edits need the file again, with them the common line is known
    expect(await rereadsOf([join(folder, 'Alpha.jsonl')])).toEqual([2]);
    expect(await rereadsOf([folder])).toEqual([1, 1, 1]);
    const report = await runEval({ sessions: [folder], strategies: ['keep-all'] });
    expect(report.sessions.map(({ replayed }) => replayed[0]?.foreignSessions)).toEqual([2, 2, 2]);
  });

  test.each<[string, Partial<Parameters<typeof runEval>[0]>, string]>([
    ['an unknown strategy', { strategies: ['sliding'] }, 'unknown-strategy'],
    ['a missing strategy file', { strategies: ['./nowhere.ts'] }, 'not-found'],
    ['an unknown model', { model: 'claude-opus-99' }, 'unknown-model'],
    ['a missing path', { sessions: ['nowhere'] }, 'not-found'],
    [
      'a strategy that cannot be sent',
      { strategies: [choosing('x', (all) => all)], jobs: 2 },
      'bad-arguments',
    ],
    [
      'two strategies of one name',
      { strategies: [choosing('keep-all', (all) => all)] },
      'invalid-strategy',
    ],
    [
      'a strategy without a usable name',
      { strategies: [choosing('no good', (all) => all)] },
      'invalid-strategy',
    ],
  ])('refuses %s', async (_, options, code) => {
    const error = await failure(runEval({ sessions: [sessionFolder()], ...options }));
    expect(error.code).toBe(code);
  });

  test('refuses a folder without sessions', async () => {
    const folder = temporaryFolder();
    expect((await failure(runEval({ sessions: [folder] }))).code).toBe('no-sessions');
    writeFileSync(join(folder, 'empty.jsonl'), '');
    const error = await failure(runEval({ sessions: [folder] }));
    expect(error.code).toBe('no-sessions');
    expect(error.message).toMatch(/empty/);
  });

  test('goes on beside a file that cannot be read, and lists it', async () => {
    const folder = sessionFolder();
    const broken = join(temporaryFolder(), 'broken.jsonl');
    writeFileSync(broken, 'no session');
    const report = await runEval({ sessions: [folder, broken], strategies: ['keep-all'] });
    expect(report.refused.map(({ file }) => file)).toEqual([
      `${basename(dirname(broken))}/broken.jsonl`,
    ]);
    expect(report.sessions).toHaveLength(3);
  });

  test.each(['itself.jsonl', 'gone.jsonl'])('goes on beside a link to %s', async (to) => {
    const folder = sessionFolder();
    symlinkSync(to, join(folder, 'itself.jsonl'));
    const report = await runEval({ sessions: [folder], strategies: ['keep-all'] });
    expect(report.sessions).toHaveLength(3);
    expect(JSON.stringify([report.refused, report.skipped])).toContain('itself.jsonl');
  });

  test('tells files of one name in two folders apart', async () => {
    const folder = temporaryFolder();
    for (const [seed, name] of ['one', 'two'].entries()) {
      mkdirSync(join(folder, name));
      const steps = generatedSteps({ seed, calls: 3, lines: 3, project: name });
      writeSession(join(folder, name), 'same.jsonl', steps);
    }
    const sessions = [join(folder, 'one'), join(folder, 'two')];
    const report = await runEval({ sessions, strategies: ['keep-all'] });
    expect(new Set(report.rows.map(({ session }) => session)).size).toBe(2);
    const whole = await runEval({ sessions: [folder], strategies: ['keep-all'] });
    expect(whole.sessions.map(({ file }) => file)).toEqual(['one/same.jsonl', 'two/same.jsonl']);
  });

  test('prices each session as its own model where that is asked for, and lists what has none', async () => {
    const folder = sessionFolder();
    const unknown = readFileSync(join(folder, 'beta.jsonl'), 'utf8');
    writeFileSync(
      join(folder, 'beta.jsonl'),
      unknown.replaceAll('claude-opus-4-8', 'acme-large-1'),
    );
    const report = await runEval({
      sessions: [folder],
      strategies: ['keep-all'],
      model: 'recorded',
    });
    expect(report.sessions[0]?.replayed[0]).toMatchObject({
      recordedModel: 'claude-opus-4-8',
      pricedAs: 'claude-opus-4-8',
    });
    expect(report.unpriced).toEqual([{ session: 'beta.jsonl', recordedModel: 'acme-large-1' }]);
    expect(report.rows.map(({ session }) => session)).toEqual(['alpha.jsonl', 'gamma.jsonl']);
    expect(formatReport(report)).toMatch(
      /Left out, because their models have no known price: beta\.jsonl \(acme-large-1\)\./,
    );
    const alone = runEval({ sessions: [join(folder, 'beta.jsonl')], model: 'recorded' });
    expect(await failure(alone)).toMatchObject({
      code: 'no-sessions',
      message: expect.stringMatching(/price is known \(acme-large-1\)\. Choose one with --model/),
    });
  });

  test('replays in other windows too, each as if it were the only one', async () => {
    const sessions = [sessionFolder(CALLS)];
    const careful: Strategy = {
      name: 'careful',
      create: (context) =>
        choosing('', (all) => (context.window < 30_000 ? all.map(cleared) : all)).create(context),
    };
    const strategies = ['volatile-prefix', careful];
    const otherWindows = [40_000, 24_000];
    const report = await runEval({ sessions, strategies, otherWindows });
    expect(reportSchema.parse(report)).toEqual(report);
    const acted = [report, ...report.otherWindows].map(({ totals }) =>
      totals.map(({ actedSessions }) => actedSessions),
    );
    expect(acted).toEqual([
      [0, 3, 0],
      [0, 3, 0],
      [0, 3, 3],
    ]);
    for (const [at, window] of otherWindows.entries()) {
      const { rows, totals, verdict } = await runEval({ sessions, strategies, window });
      expect(report.otherWindows[at]).toEqual({ windowTokens: window, rows, totals, verdict });
    }
  });
});
