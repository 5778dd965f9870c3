import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { formatGrid } from '../src/grid/grid-text.ts';
import { runGrid } from '../src/grid/run-grid.ts';
import { type Report, runEval, runValidation } from '../src/index.ts';
import { main } from '../src/main.ts';
import { formatFirstScreen } from '../src/report/first-screen.ts';
import { formatReport } from '../src/report/report-text.ts';
import { formatValidation } from '../src/validate/validation-text.ts';
import { claudeLines } from './claude-files.ts';
import { temporaryFolder } from './files.ts';
import { generatedSteps } from './sessions.ts';

const whole = (seed: number, calls = 12): string[] =>
  claudeLines(generatedSteps({ seed, calls, lines: 4, project: `Dune${seed}` }), {
    sessionId: `s${seed}`,
    replyIds: (at) => `msg_${seed}_${at}`,
  });

const withoutResults = (lines: readonly string[], every: number): string[] => {
  let results = 0;
  return lines.filter((line) => !line.includes('"tool_result"') || results++ % every > 0);
};

const run = (folder: string): Promise<Report> =>
  runEval({ sessions: [folder], strategies: ['sliding-clear'] });

const texts = (report: Report): string[] =>
  [formatFirstScreen(report), formatReport(report)].map((text) => text.replaceAll(/\s+/g, ' '));

describe('what was lost in reading is said (P365)', () => {
  test('invented results stand beside the figures; a session of which most is invented is in no mean', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a.jsonl'), whole(1).join('\n'));
    writeFileSync(join(folder, 'b.jsonl'), whole(2).join('\n'));
    const before = await run(folder);
    writeFileSync(join(folder, 'lossy.jsonl'), withoutResults(whole(3), 2).join('\n'));
    const after = await run(folder);
    expect(after.totals).toEqual(before.totals);
    const { losses } = after.read.find(({ file }) => file === 'lossy.jsonl') ?? {};
    expect(losses).toMatchObject({ results: 12, inventedResults: 6 });
    expect(after.leftOut).toMatchObject([{ session: 'lossy.jsonl', why: 'lossy', of: null }]);
    for (const text of texts(after)) {
      expect(text).toContain('6 of 36 results of calls not in the file; in lossy.jsonl');
      expect(text).toContain(
        'too much missing: lossy.jsonl (6 of 12 results of calls not in the file',
      );
    }
  });

  test('a result or two that an interruption left out is said and counts', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a.jsonl'), withoutResults(whole(4), 6).join('\n'));
    const report = await run(folder);
    expect(report.leftOut).toEqual([]);
    expect(report.sessions[0]?.losses).toMatchObject({ results: 12, inventedResults: 2 });
    for (const text of texts(report)) expect(text).toContain('Lost in reading: 2 of 12 results');
  });

  test('blocks of an unknown kind, in replies and beside them', async () => {
    const folder = temporaryFolder();
    const strange = whole(5).map((line) =>
      line
        .replaceAll('"type":"text"', '"type":"hologram"')
        .replaceAll('"type":"tool_use"', '"type":"beam"'),
    );
    writeFileSync(join(folder, 'a.jsonl'), whole(6).join('\n'));
    writeFileSync(join(folder, 'strange.jsonl'), strange.join('\n'));
    const report = await run(folder);
    expect(report.leftOut).toMatchObject([{ session: 'strange.jsonl', why: 'lossy' }]);
    for (const text of texts(report)) expect(text).toMatch(/\d+ of \d+ blocks of no known kind/);
  });

  test('an unused bill', async () => {
    const folder = temporaryFolder();
    const formats = join(import.meta.dirname, '../../fixtures/formats');
    const codex = readFileSync(join(formats, 'codex/session.jsonl'), 'utf8');
    const count = (total: number) => ({
      timestamp: '2026-05-01T09:00:00.000Z',
      type: 'event_msg',
      payload: {
        type: 'token_count',
        info: {
          total_token_usage: { input_tokens: total, output_tokens: 1, total_tokens: total + 1 },
          last_token_usage: { input_tokens: total, output_tokens: 1, total_tokens: total + 1 },
        },
      },
    });
    const [meta = '', ...rest] = codex.trimEnd().split('\n');
    const early = [JSON.stringify(count(5_000)), JSON.stringify(count(9_000))];
    writeFileSync(join(folder, 'a.jsonl'), [meta, ...early, ...rest].join('\n'));
    const report = await run(folder);
    expect(report.read[0]?.losses.unusedBills).toBeGreaterThan(0);
    for (const text of texts(report)) expect(text).toMatch(/\d+ of \d+ bills of no reply/);
  });

  test.each([
    ['is no object', (line: string) => line.replace(/"usage":\{[^}]*\}+/, '"usage":"none"')],
    [
      'holds a count that is text',
      (line: string) => line.replace(/"input_tokens":(\d+)/, '"input_tokens":"$1"'),
    ],
    [
      'holds a count below 0',
      (line: string) => line.replace(/"output_tokens":(\d+)/, '"output_tokens":-$1'),
    ],
    [
      'has a count under another name',
      (line: string) => line.replace('"input_tokens"', '"tokens_in"'),
    ],
  ])('a bill that %s, in eval and validate', async (_what, damage) => {
    const folder = temporaryFolder();
    const lines = whole(14);
    const at = lines.findIndex((line) => line.includes('"usage"'));
    const line = damage(lines[at] ?? '');
    expect(JSON.parse(line)).not.toEqual(JSON.parse(lines[at] ?? ''));
    writeFileSync(join(folder, 'a.jsonl'), lines.with(at, line).join('\n'));
    const report = await run(folder);
    const validation = await runValidation({ sessions: [folder] });
    for (const { read } of [report, validation])
      expect(read[0]?.losses).toMatchObject({ bills: 13, unusedBills: 1 });
    const validated = formatValidation(validation).replaceAll(/\s+/g, ' ');
    for (const text of [...texts(report), validated])
      expect(text).toContain('Lost in reading: 1 of 13 bills of no reply or not read whole');
    expect(report.bills).toMatchObject({ requests: 13, billedRequests: 12 });
  });

  test('a record that is cut in the middle (P366), and a file that is passed over', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a.jsonl'), whole(7).join('\n'));
    appendFileSync(join(folder, 'a.jsonl'), '\n{"type":"assistant","uuid":"x","mess');
    writeFileSync(join(folder, 'notes.json'), '{"about":"nothing"}');
    const report = await run(folder);
    expect(report.read[0]?.losses.droppedRecords).toBe(1);
    for (const text of texts(report)) {
      expect(text).toMatch(/1 of \d+ damaged records/);
      expect(text).toContain('Not read: notes.json (');
    }
    const validation = await runValidation({ sessions: [folder] });
    expect(validation.read[0]?.losses.droppedRecords).toBe(1);
    const text = formatValidation(validation).replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/1 of \d+ damaged records/);
    expect(text).toContain('notes.json');
  });

  test('a beginning that is not in the file', async () => {
    const folder = temporaryFolder();
    const lines = whole(14);
    const first = lines.findIndex((line) => line.includes('"type":"assistant"'));
    writeFileSync(join(folder, 'a.jsonl'), lines.slice(first).join('\n'));
    const report = await run(folder);
    expect(report.read[0]?.losses).toMatchObject({ threads: 1, missingStarts: 1 });
    for (const text of texts(report))
      expect(text).toContain('1 of 1 beginnings not in the file; in a.jsonl');
  });

  test('a session that nothing is missing of says nothing', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a.jsonl'), whole(8).join('\n'));
    const [screen = ''] = texts(await run(folder));
    expect(screen).not.toContain('Lost in reading');
    expect(screen).toMatch(/Read: 1 file \(Claude Code 1\)\. Billed \$\d/);
  });
});

test('P362: lines of bookkeeping before a session, and messages that only the queue holds, lose nothing', async () => {
  const folder = temporaryFolder();
  const snapshot = JSON.stringify({ type: 'file-history-snapshot', messageId: 'x', snapshot: {} });
  const lines = whole(9);
  writeFileSync(
    join(folder, 'a.jsonl'),
    [...Array.from({ length: 1_500 }, () => snapshot), ...lines].join('\n'),
  );
  const report = await run(folder);
  expect(report.skipped).toEqual([]);
  expect(report.read).toMatchObject([{ file: 'a.jsonl', requests: 13 }]);
  expect(report.bills.billedRequests).toBe(13);
});

test('P363: a session of an agent that cannot be read is named, with what can be', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.jsonl'), whole(10).join('\n'));
  const droid = [
    { type: 'session_start', id: 'd', title: 'Bees', cwd: '/home/dev' },
    { type: 'message', id: 'm', message: { role: 'user', content: [] } },
  ];
  writeFileSync(join(folder, 'd.jsonl'), droid.map((line) => JSON.stringify(line)).join('\n'));
  const report = await run(folder);
  for (const text of [
    ...texts(report),
    formatValidation(await runValidation({ sessions: [folder] })).replaceAll(/\s+/g, ' '),
  ]) {
    expect(text).toMatch(/d\.jsonl \([^)]*this is from Droid; it cannot be imported/);
    expect(text).toMatch(/read are sessions of Claude Code, Codex/i);
  }
});

describe('every command that takes sessions says what it left out (P365)', () => {
  const setUp = (): { readonly folder: string; readonly out: string } => {
    const folder = temporaryFolder();
    for (const seed of [11, 12])
      writeFileSync(join(folder, `${seed}.jsonl`), whole(seed, 90).join('\n'));
    writeFileSync(join(folder, 'lossy.jsonl'), withoutResults(whole(13, 90), 2).join('\n'));
    writeFileSync(join(folder, 'notes.json'), '{"about":"nothing"}');
    return { folder, out: temporaryFolder() };
  };

  const expectSaid = (text: string, report: object): void => {
    const flowing = text.replaceAll(/\s+/g, ' ');
    expect(flowing).toContain('Read: 3 files (Claude Code 3)');
    expect(flowing).toContain('45 of 270 results of calls not in the file; in lossy.jsonl');
    expect(flowing).toContain('too much missing: lossy.jsonl (45 of 90 results');
    expect(flowing).toContain('notes.json');
    expect(report).toMatchObject({
      read: [{}, {}, { file: 'lossy.jsonl', losses: { inventedResults: 45 } }],
      leftOut: [{ session: 'lossy.jsonl', why: 'lossy' }],
      skipped: [{ file: 'notes.json' }],
    });
  };

  test.each([
    ['validate'],
    ['fidelity', '--strategy', 'drop-oldest', '--jobs', '1'],
    ['summaries'],
  ])('%s', async (...command) => {
    const { folder, out } = setUp();
    const args = [...command, '--sessions', folder, '--out', out];
    expectSaid(await typed(...args), JSON.parse(await typed(...args, '--json')));
  });

  test('grid', async () => {
    const { folder, out } = setUp();
    const cells = ['batched-t500-n3-f0+parked'];
    const options = { sessions: [folder], strategies: ['sliding-clear'], cacheFolder: out, cells };
    const report = await runGrid(options);
    expectSaid(formatGrid(report), report);
  });
});

async function typed(...args: string[]): Promise<string> {
  let said = '';
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      if (stream === 'stdout') said += text;
      return true;
    }),
  );
  await main(args);
  for (const spy of spies) spy.mockRestore();
  return said;
}
