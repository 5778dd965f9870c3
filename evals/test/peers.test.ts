import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isToolResult, type Message, toolResults, toolUses } from '@varve/messages';
import { beforeAll, describe, expect, test } from 'vitest';
import { isWhole } from '../../internal/src/share.ts';
import { EvalsError, type ReportRow, runEval, type Strategy } from '../src/index.ts';
import { loadStrategies } from '../src/load-strategies.ts';
import { loadAIPrune } from '../src/peers/ai-prune.ts';
import { loadDeepAgentsEvict } from '../src/peers/deepagents-evict.ts';
import { hasGeminiMasking, loadGeminiMasking } from '../src/peers/gemini-masking.ts';
import { loadLangChainClear } from '../src/peers/langchain-clear.ts';
import { importPeer } from '../src/peers/peer-module.ts';
import { PEERS, peerNames } from '../src/peers/peers.ts';
import { rowOf } from '../src/replay/metrics.ts';
import { replayAndWait } from '../src/replay/replay.ts';
import type { SessionPlan } from '../src/replay/session-plan.ts';
import keepAll from '../src/strategies/keep-all.ts';
import { sessionFolder, temporaryFolder } from './files.ts';
import { planOf, rowFor } from './replays.ts';
import { edit, generatedSteps, read, type Step } from './sessions.ts';

const SMALL = planOf([
  ...generatedSteps({ seed: 5, calls: 30, lines: 8 }),
  { user: 'And now?' },
  { call: ['Read', { file_path: 'src/Last.ts' }], result: 'nothing', thinking: 'The last one.' },
  { say: 'All of it is done.' },
]);

async function rowOfPeer(plan: SessionPlan, strategy: Strategy): Promise<ReportRow> {
  const baseline = await replayAndWait(plan, keepAll);
  const replay = await replayAndWait(plan, strategy);
  return rowOf({ session: 'test', strategy: strategy.name }, plan, { replay, baseline });
}

/** The same strategy, and every list of messages that it sends. */
function recorded(strategy: Strategy): { strategy: Strategy; sent: Message[][] } {
  const sent: Message[][] = [];
  const create: Strategy['create'] = (context) => {
    const run = strategy.create(context);
    return {
      ...run,
      request() {
        const request = run.request();
        sent.push([...request.messages]);
        return request;
      },
    };
  };
  return { strategy: { ...strategy, create }, sent };
}

const langchain = (tokens: number, messages = 3, parked = false) =>
  loadLangChainClear({
    name: 'langchain',
    config: { trigger: { tokens }, keep: { messages } },
    parked,
  });

const contents = (messages: readonly Message[]): unknown[] =>
  messages.flatMap(toolResults).map(({ content }) => content);

beforeAll(async () => {
  // their packages take seconds to load
  await loadStrategies(peerNames());
}, 60_000);

describe('a peer that has nothing to do is keep-all', () => {
  test.each<[string, () => Promise<Strategy>]>([
    ['langchain', () => langchain(10_000_000)],
    ['langchain, parked', () => langchain(10_000_000, 3, true)],
    ['ai', () => loadAIPrune({ name: 'ai', toolCalls: 'none', parked: false })],
    [
      'ai above a threshold',
      () =>
        loadAIPrune({
          name: 'ai',
          toolCalls: 'before-last-2-messages',
          aboveTokens: 10_000_000,
          parked: false,
        }),
    ],
    [
      'deepagents',
      () => loadDeepAgentsEvict({ name: 'deepagents', toolTokenLimitBeforeEvict: 100_000 }),
    ],
  ])('%s', async (_, load) => {
    const { strategy: name, dollars, ...row } = await rowOfPeer(SMALL, await load());
    const { strategy, dollars: all, ...same } = rowFor(SMALL, keepAll);
    expect(name).not.toBe(strategy);
    expect(row).toEqual({ ...same, writtenTokens: row.writtenTokens, readTokens: row.readTokens });
    expect(dollars).toBeCloseTo(all, 12);
  });
});

describe('langchain', () => {
  test('clears all results but the newest above its threshold, for good', async () => {
    const { strategy, sent } = recorded(await langchain(1_000, 2));
    const row = await rowOfPeer(SMALL, strategy);
    expect(row).toMatchObject({ invalidRequests: 0, repeatable: true });
    expect(row.breaks).toBeGreaterThan(3);
    expect(row.breaksUnannounced).toBe(row.breaks);
    const last = contents(sent.at(-1) ?? []);
    expect(last.slice(0, -2).every((content) => content === '[cleared]')).toBe(true);
    expect(last.slice(-2)).not.toContain('[cleared]');
  });

  test('what it leaves alone is the same object, and what it cleared stays one', async () => {
    const { strategy, sent } = recorded(await langchain(1_000, 2));
    await rowOfPeer(SMALL, strategy);
    const [before = [], after = []] = sent.slice(20, 22);
    expect(after.slice(0, before.length - 6)).toEqual(before.slice(0, before.length - 6));
    for (const [at, message] of before.slice(0, -6).entries()) expect(after[at]).toBe(message);
    const history = new Set(SMALL.recording.history);
    const untouched = after.filter((message) => !message.content.some(isToolResult));
    expect(untouched.every((each) => history.has(each) || each.origin !== undefined)).toBe(true);
  });

  test('parked markers make it cheaper', async () => {
    const long = planOf(generatedSteps({ seed: 1, calls: 90, lines: 60 }));
    const plain = await rowOfPeer(long, await langchain(40_000));
    const parked = await rowOfPeer(long, await langchain(40_000, 3, true));
    expect(plain.breaks).toBeGreaterThan(0);
    expect(parked.breaks).toBe(plain.breaks);
    expect(parked.dollars).toBeLessThan(plain.dollars);
  });
});

describe('ai', () => {
  const load = (aboveTokens?: number) =>
    loadAIPrune({
      name: 'ai',
      toolCalls: 'before-last-6-messages',
      parked: false,
      ...(aboveTokens !== undefined && { aboveTokens }),
    });

  test('removes old calls with their results, and every request is valid', async () => {
    const { strategy, sent } = recorded(await load());
    const row = await rowOfPeer(SMALL, strategy);
    expect(row).toMatchObject({ violations: {}, repeatable: true, personLostRequests: 0 });
    expect(row.breaks).toBeGreaterThan(10);
    for (const messages of sent.slice(10)) {
      expect(messages.flatMap(toolUses)).toHaveLength(messages.flatMap(toolResults).length);
      expect(messages.flatMap(toolUses).length).toBeLessThanOrEqual(3);
    }
  });

  test('above a threshold only, it breaks the prefix less often', async () => {
    const [always, seldom] = [await load(), await load(19_000)];
    const rows = [await rowOfPeer(SMALL, always), await rowOfPeer(SMALL, seldom)];
    const [every, some] = rows.map(({ breaks }) => breaks);
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan((every as number) / 2);
  });

  test('takes thinking away with the call that it led to', async () => {
    const steps: Step[] = [
      { user: 'Go.' },
      ...Array.from({ length: 8 }, (_, at): Step => {
        return { ...read(`src/F${at}.ts`, `${at}`), thinking: `Thought ${at}.` } as Step;
      }),
      { say: 'Done.' },
    ];
    const { strategy, sent } = recorded(await load());
    await rowOfPeer(planOf(steps), strategy);
    const text = JSON.stringify(sent[8]);
    expect(text).not.toContain('Thought 1.');
    expect(text).toContain('Thought 7.');
  });
});

describe('deepagents', () => {
  const line = 'const neededInTheMiddleOfIt = compute(1, 2, 3);';
  const filler = 'a row of the file\n'.repeat(600);
  const plan = planOf([
    { user: 'Go.' },
    read('src/Large.ts', `${filler}${line}\n${filler}`),
    read('src/Small.ts', 'small'),
    edit('src/Large.ts', line),
    { say: 'Done.' },
  ]);

  test('puts a preview in place of a large result, and shows it whole when it is read again', async () => {
    const evict = await loadDeepAgentsEvict({ name: 'd', toolTokenLimitBeforeEvict: 2_000 });
    const { strategy, sent } = recorded(evict);
    const row = await rowOfPeer(plan, strategy);
    expect(row).toMatchObject({ rereads: 1, unmetUnits: 0, breaks: 0, invalidRequests: 0 });
    const [large, small] = contents(sent.at(-1) ?? []);
    expect(large).toContain('/large_tool_results/');
    expect(String(large).length).toBeLessThan(4_000);
    expect(small).toBe('small');
  });
});

describe('gemini-cli', () => {
  // stands in for the package, which is too large to be a dependency: masks all results but the newest three
  const module = `
    import { mkdirSync, writeFileSync } from 'node:fs';
    export const DEFAULT_TOOL_PROTECTION_THRESHOLD = 3;
    export const DEFAULT_MIN_PRUNABLE_TOKENS_THRESHOLD = 1;
    export const DEFAULT_PROTECT_LATEST_TURN = true;
    export class ToolOutputMaskingService {
      async mask(history, config) {
        const { protectionThresholdTokens } = await config.getToolOutputMaskingConfig();
        const folder = config.storage.getProjectTempDir() + '/' + config.getSessionId();
        const results = history.filter(({ parts }) => parts.some((part) => part.functionResponse));
        const old = new Set(results.slice(0, -protectionThresholdTokens));
        return { newHistory: history.map((content) => old.has(content) ? maskAll(content, folder) : content) };
      }
    }
    function maskAll(content, folder) {
      if (JSON.stringify(content).includes('tool_output_masked')) return content;
      const { functionResponse } = content.parts[0];
      const file = folder + '/' + functionResponse.name + '_' + Math.random().toString(36).substring(7) + '.txt';
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, JSON.stringify(functionResponse.response));
      console.debug('masked');
      const output = '<tool_output_masked>\\nFull output available at: ' + file + '\\n</tool_output_masked>';
      return { ...content, parts: [{ functionResponse: { ...functionResponse, response: { output } } }] };
    }`;

  const installed = (): string => {
    const folder = temporaryFolder();
    const path = join(folder, 'node_modules/@google/gemini-cli-core/dist/src/context');
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, '../../../package.json'), '{ "type": "module" }');
    writeFileSync(join(path, 'toolOutputMaskingService.js'), module);
    return folder;
  };

  test('what it masks stays masked, with the same bytes in every run', async () => {
    const folder = installed();
    expect(hasGeminiMasking(folder)).toBe(true);
    const load = (parked: boolean) => loadGeminiMasking({ name: 'gemini', parked, folder });
    const { strategy, sent } = recorded(await load(false));
    const row = await rowOfPeer(SMALL, strategy);
    expect(row).toMatchObject({ invalidRequests: 0, repeatable: true, personLostRequests: 0 });
    expect(row.breaks).toBeGreaterThan(10);
    const last = contents(sent.at(-1) ?? []);
    expect(last.slice(0, -3).every((each) => String(each).includes('_000000.txt'))).toBe(true);
    expect(last.slice(-3).some((each) => String(each).includes('masked'))).toBe(false);
    const parked = await rowOfPeer(SMALL, await load(true));
    expect(parked).toMatchObject({ breaks: row.breaks, repeatable: true });
  });

  test.skipIf(!hasGeminiMasking())(
    'the package itself masks above its thresholds',
    async () => {
      const long = planOf(generatedSteps({ seed: 1, calls: 90, lines: 110 }));
      const load = await loadGeminiMasking({ name: 'gemini', parked: true });
      const { strategy, sent } = recorded(load);
      const row = await rowOfPeer(long, strategy);
      expect(row).toMatchObject({ invalidRequests: 0, repeatable: true });
      expect(row.breaks).toBeGreaterThan(0);
      expect(JSON.stringify(sent.at(-1))).toContain('tool_output_masked');
    },
    60_000,
  );

  test('where it is not installed it says how', async () => {
    const folder = temporaryFolder();
    expect(hasGeminiMasking(folder)).toBe(false);
    const error = await loadGeminiMasking({ name: 'gemini', parked: false, folder }).catch(
      (reason: unknown) => reason,
    );
    expect(EvalsError.is(error) && error.code).toBe('missing-peer');
    expect((error as Error).message).toContain('npm install @google/gemini-cli-core');
  });
});

describe('--peers', () => {
  test('every peer has the name it is listed under, and can be asked for by it', async () => {
    const names = peerNames();
    expect(PEERS.length - names.length).toBe(hasGeminiMasking() ? 0 : 2);
    const loaded = await loadStrategies(names);
    expect(loaded.slice(1).map(({ name }) => name)).toEqual(names);
    for (const name of names) expect(name.length).toBeLessThanOrEqual(22);
  });

  test('adds them to what is asked for, in worker threads too', async () => {
    const options = {
      sessions: [sessionFolder(isWhole ? 30 : 10)],
      strategies: ['keep-all'],
      peers: true,
    };
    const { totals } = await runEval({ ...options, jobs: 2 });
    expect(totals.map(({ strategy }) => strategy)).toEqual(['keep-all', ...peerNames()]);
    expect(
      totals.every(({ invalidRequests, unrepeatable }) => invalidRequests + unrepeatable === 0),
    ).toBe(true);
  }, 60_000);

  test.each([
    [{ name: 'no-such-package-here', install: 'nothing', functions: [] }, /npm install nothing/],
    [{ name: 'zod', install: 'zod@9', functions: ['parse', 'nowhere'] }, /has no nowhere/],
  ])('a package that is missing or too old is told: %j', async (wanted, expected) => {
    const error = await importPeer(wanted).catch((reason: unknown) => reason);
    expect(EvalsError.is(error) && error.code).toBe('missing-peer');
    expect((error as Error).message).toMatch(expected);
  });
});

describe('importPeer', () => {
  test('finds a package in the working folder, as where this one is run by npx', () => {
    const cwd = temporaryFolder();
    const folder = join(cwd, 'node_modules', 'a-peer');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "name": "a-peer", "main": "index.js" }');
    writeFileSync(join(folder, 'index.js'), 'exports.prune = () => "pruned";');
    const module = join(import.meta.dirname, '..', 'src', 'peers', 'peer-module.ts');
    const wanted = JSON.stringify({ name: 'a-peer', install: 'a-peer', functions: ['prune'] });
    const code = `const { importPeer } = await import(${JSON.stringify(pathToFileURL(module).href)});
      console.log((await importPeer(${wanted})).prune());`;
    const flags = ['--input-type=module', '--eval', code];
    expect(execFileSync(process.execPath, flags, { cwd, encoding: 'utf8' })).toBe('pruned\n');
  });
});
