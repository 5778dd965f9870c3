import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EvalsError, runEval, runValidation } from '../src/index.ts';
import { modelOverrides } from '../src/model-overrides.ts';
import { formatFirstScreen } from '../src/report/first-screen.ts';
import { priceAge } from '../src/report/price-age.ts';
import { claudeLines } from './claude-files.ts';
import { temporaryFolder } from './files.ts';
import { generatedSteps } from './sessions.ts';

function folderOf(model: string): string {
  const folder = temporaryFolder();
  const steps = generatedSteps({ seed: 3, calls: 8, lines: 4, project: 'Fjord' });
  writeFileSync(join(folder, 'a.jsonl'), claudeLines(steps, { model }).join('\n'));
  return folder;
}

const run = (folder: string, overrides: readonly string[] = []) =>
  runEval({
    ...{ sessions: [folder], strategies: ['keep-all'], model: 'recorded' },
    models: modelOverrides(overrides),
  });

describe('P368: models of gateways, and one option that overrides', () => {
  test('a session through Bedrock is priced as the model it is', async () => {
    const direct = await run(folderOf('claude-opus-4-8'));
    const cloud = await run(folderOf('us.anthropic.claude-opus-4-8-v1:0'));
    expect(cloud.unpriced).toEqual([]);
    expect(cloud.bills.dollars).toBeCloseTo(direct.bills.dollars, 9);
    expect(cloud.totals[0]?.dollars).toBeCloseTo(direct.totals[0]?.dollars ?? 0, 9);
  });

  test('the unpriced share stands on the first screen, and --override ends it', async () => {
    const folder = folderOf('my-proxy/large');
    const report = await runEval({ sessions: [folder], strategies: ['keep-all'] });
    expect(report.bills).toMatchObject({
      dollars: 0,
      unpricedModels: { 'my-proxy/large': report.bills.unpricedTokens },
    });
    const screen = formatFirstScreen(report).replaceAll(/\s+/g, ' ');
    expect(screen).toContain('Without a price: 100 % of the billed tokens');
    expect(screen).toContain('my-proxy/large');
    expect(screen).toContain('--override');
    const named = await run(folder, ['my-proxy/large=claude-opus-4-8']);
    expect(named.bills.unpricedTokens).toBe(0);
    expect(named.sessions[0]?.replayed[0]?.pricedAs).toBe('claude-opus-4-8');
    const { sessions } = await runValidation({
      sessions: [folder],
      models: modelOverrides(['my-proxy/large=claude-opus-4-8']),
    });
    expect(sessions[0]?.policy).toBe('anthropic-5m');
  });

  test('prices and the window can be given', async () => {
    const folder = folderOf('claude-opus-4-8');
    const own = await run(folder);
    const half = await run(folder, ['claude-opus-4-8=input:2.5,output:12.5,window:150000']);
    expect(half.bills.dollars).toBeCloseTo(own.bills.dollars / 2, 9);
    expect(half.sessions[0]?.replayed[0]?.windowTokens).toBe(150_000);
  });

  test.each(['', 'x', '=y', 'x=', 'x=no-such-model', 'gpt-5.5=input:-1', 'gpt-5.5=input', 'a=b:3'])(
    '`%s` is refused with how to write it',
    (text) => {
      const act = () => modelOverrides([text]);
      expect(act).toThrow(EvalsError);
      expect(act).toThrow('--override <id>=<known id>');
    },
  );

  test('prices that were compared more than 90 days ago say so', async () => {
    const folder = folderOf('claude-opus-4-8');
    const later = new Date('2028-01-01');
    const report = await runEval({ sessions: [folder], strategies: ['keep-all'], today: later });
    expect(report.prices.isOld).toBe(true);
    expect(formatFirstScreen(report).replaceAll(/\s+/g, ' ')).toContain(
      `Prices and windows were last compared with their sources on ${report.prices.checkedOn}`,
    );
    const day = Date.parse(report.prices.checkedOn ?? '');
    const oldAfter = (days: number) =>
      priceAge(['claude-opus-4-8'], { today: new Date(day + days * 86_400_000) }).isOld;
    expect([oldAfter(0), oldAfter(90), oldAfter(91)]).toEqual([false, false, true]);
    expect(priceAge(['nobody-knows']).checkedOn).toBeNull();
  });
});

test('P364: the totals of Copilot CLI are in the bills, and validate names them', async () => {
  const folder = temporaryFolder();
  const path = join(import.meta.dirname, '../../fixtures/formats/copilot-cli/session.jsonl');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const kept = lines.filter((line) => !line.includes('"session.shutdown"'));
  const usage = {
    inputTokens: 9_000,
    outputTokens: 300,
    cacheReadTokens: 6_000,
    cacheWriteTokens: 0,
  };
  const shutdown = {
    ...{ type: 'session.shutdown', id: 'end', timestamp: '2026-06-10T09:00:00.000Z' },
    data: { modelMetrics: { 'claude-sonnet-4.6': { requests: { count: 4, cost: 1 }, usage } } },
  };
  writeFileSync(join(folder, 'a.jsonl'), [...kept, JSON.stringify(shutdown)].join('\n'));
  const report = await runEval({ sessions: [folder], strategies: ['keep-all'] });
  expect(report.bills).toMatchObject({
    ...{ billedRequests: 4, promptTokens: 9_000, outputTokens: 300 },
    dollars: expect.closeTo((3_000 * 3 + 6_000 * 0.3 + 300 * 15) / 1e6, 9),
  });
  const error = await runValidation({ sessions: [folder] }).catch((thrown) => thrown);
  expect(error.message).toContain('no billed prompts, but a total of 9000 prompt tokens, $0.02');
});
