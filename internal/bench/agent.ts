import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createSession, runTurn } from '@varve/agent';
import { createModelStream, type ModelClient, type ModelResponse } from '@varve/models';
import { createEstimator } from '@varve/tokens';
import type { BenchRow } from './bench-row.ts';
import { BENCH_MODEL, BENCH_SIZES, createBenchSession, UNITS_PER_RESULT } from './bench-session.ts';
import { packAgent } from './packed.ts';
import { medianOf, millisecondsOf } from './timing.ts';

const LAST_TURNS = 50;
const ROUNDS = 3;
const STARTS = 15;
const MOST_START_MS = 300;
/** How long the model takes for an answer: what is done meanwhile is not waited for, and no model is faster. */
const MODEL_MS = 2;
/** Of S, JSON.stringify of each message. */
const MOST_SHARE = 0.05;

/**
 * What the agent adds to a turn beside its tools and its model, and how long it takes to its first prompt. A turn is of a
 * conversation of a million tokens with its log on disk; a model answers after a moment, and a tool reads a small file.
 */
export async function run(): Promise<BenchRow[]> {
  const large = await turnCost(BENCH_SIZES['1M']);
  const small = await turnCost(BENCH_SIZES['10K']);
  const writing = medianOf(Array.from({ length: ROUNDS * 3 }, () => writingOf(BENCH_SIZES['1M'])));
  const waiting = await appendingTwice();
  const ratio = large.ms / writing;
  const flat = large.ms / small.ms;
  return [
    {
      id: 'AGENT turn',
      what: 'added to a turn at 1M tokens, from the answer to the next request, log on disk, against JSON.stringify of each message (S)',
      ...{ ours: large.ms, peer: writing, unit: 'ms', ratio },
      ...{ goal: `≤ ${MOST_SHARE} ×`, met: ratio <= MOST_SHARE },
    },
    {
      id: 'AGENT turn work',
      what: 'what the thread works in a turn, also while the model answers, without waiting for files; against S',
      ...{ ours: large.workedMs, peer: writing, unit: 'ms', ratio: large.workedMs / writing },
      ...{ goal: 'for the record', met: true },
    },
    {
      id: 'AGENT turn floor',
      what: 'what cannot be spared: two lines of such a turn appended to a file, one after the other, as the log waits for them; against S',
      ...{ ours: waiting, peer: writing, unit: 'ms', ratio: waiting / writing },
      ...{ goal: 'for the record', met: true },
    },
    {
      id: 'AGENT turn flat',
      what: 'the same, against a turn at 10K tokens',
      ...{
        ours: large.ms,
        peer: small.ms,
        unit: 'ms',
        ratio: flat,
        goal: '≤ 1.5 ×',
        met: flat <= 1.5,
      },
    },
    ...(await startRows()),
  ];
}

/** Milliseconds to write each message of a session as JSON. */
function writingOf(turns: number): number {
  const { messages } = createBenchSession({ turns, unitsPerResult: UNITS_PER_RESULT });
  return millisecondsOf(() => messages.map((message) => JSON.stringify(message)));
}

interface TurnCost {
  /** Of the middle turn. */
  readonly ms: number;
  /** Of the thread, on average: its clock may tick too seldom for one turn. */
  readonly workedMs: number;
}

const workedUntilNow = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Milliseconds until two lines of a turn are in a file, one after the other. */
async function appendingTwice(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'varve-bench-'));
  const file = await open(join(folder, 'log.jsonl'), 'a');
  const lines = [400, UNITS_PER_RESULT].map((length) => Buffer.from(`${'x'.repeat(length)}\n`));
  const times: number[] = [];
  for (let turn = 0; turn < LAST_TURNS * ROUNDS; turn++) {
    const start = performance.now();
    for (const line of lines) await file.write(line);
    times.push(performance.now() - start);
  }
  await file.close();
  rmSync(folder, { recursive: true });
  return medianOf(times);
}

/** Milliseconds between an answer and the next request, without what the tool took, of the middle one of the last turns. */
async function turnCost(turns: number): Promise<TurnCost> {
  const added: number[] = [];
  let workedMs = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const root = mkdtempSync(join(tmpdir(), 'varve-bench-'));
    const cwd = join(root, 'project');
    mkdirSync(cwd);
    const texts = createBenchSession({
      turns: turns + LAST_TURNS,
      unitsPerResult: UNITS_PER_RESULT,
    });
    const sizeOf = createEstimator();
    let turn = 0;
    let answeredAt = 0;
    let toolMs = 0;
    let workedBefore = 0;
    let promptTokens = 6_000;
    const client: ModelClient = {
      provider: 'anthropic',
      stream() {
        if (turn > turns) {
          added.push(performance.now() - answeredAt - toolMs);
          workedMs += workedUntilNow() - workedBefore;
        }
        toolMs = 0;
        turn += 1;
        const isLast = turn === turns + LAST_TURNS;
        writeFileSync(join(cwd, 'a.txt'), resultOf(texts, turn));
        promptTokens += sizeOf.text(resultOf(texts, turn)) + 120;
        const response = answer(turn, isLast, promptTokens);
        const isMeasured = turn > turns;
        const asked = workedUntilNow();
        return createModelStream(async function* () {
          if (isMeasured) await wait(MODEL_MS);
          answeredAt = performance.now();
          workedBefore = workedUntilNow();
          if (isMeasured) workedMs += workedBefore - asked;
          yield { type: 'response-end', response };
        });
      },
    };
    const session = await createSession({
      ...{ cwd, configDir: join(root, 'config'), home: root, model: BENCH_MODEL, shell: '/bin/sh' },
      windowTokens: 4_000_000,
      connect: () => ({ client, params: {} }),
      emit(event) {
        if (event.kind === 'call-start') workedBefore -= workedUntilNow();
        if (event.kind !== 'call-end') return;
        toolMs += event.durationMs;
        workedBefore += workedUntilNow();
      },
    });
    await runTurn(session.agent, 'Fix the failing test.', new AbortController().signal);
    await session.close();
    rmSync(root, { recursive: true });
  }
  return { ms: medianOf(added), workedMs: workedMs / added.length };
}

function resultOf({ messages }: ReturnType<typeof createBenchSession>, turn: number): string {
  const [block] = (messages[2 * turn]?.content ?? []) as readonly { readonly content?: string }[];
  return block?.content ?? '';
}

function answer(turn: number, isLast: boolean, promptTokens: number): ModelResponse {
  const text = { type: 'text', text: `Step ${turn}: looking at the next file. `.repeat(4) };
  const call = {
    type: 'tool_use',
    id: `toolu_${turn}`,
    name: 'Read',
    input: { file_path: 'a.txt' },
  };
  return {
    id: `msg_${turn}`,
    model: BENCH_MODEL,
    content: isLast ? [text] : [text, call],
    stopReason: isLast ? 'end_turn' : 'tool_use',
    usage: {
      input_tokens: 3,
      cache_creation_input_tokens: 1_200,
      cache_read_input_tokens: promptTokens - 1_200,
      output_tokens: 60,
    },
  } as unknown as ModelResponse;
}

/** From the start of the process to the first prompt, over that of a bare one, packages as published, no server, in an empty folder. */
async function startRows(): Promise<BenchRow[]> {
  const folder = await packAgent();
  try {
    const home = join(folder, 'home');
    mkdirSync(home);
    const main = join(folder, 'node_modules', '@varve', 'agent', 'dist', 'main.js');
    const bare = join(folder, 'bare.mjs');
    writeFileSync(bare, "process.stdout.write('/help\\n'); setTimeout(() => {}, 10_000);");
    const times: Record<'bare' | 'first' | 'lines' | 'screen', number[]> = {
      ...{ bare: [], first: [] },
      ...{ lines: [], screen: [] },
    };
    // A process that ends by itself leaves its compiled code for the next start; one that is killed does not.
    for (let round = 0; round < STARTS / 3; round++)
      times.first.push(await untilHelp([main, '--plain'], { home, isTerminal: false }));
    for (const isTerminal of process.platform === 'linux' ? [false, true] : [false])
      await untilHelp(isTerminal ? [main] : [main, '--plain'], { home, isTerminal, ends: true });
    for (let round = 0; round < STARTS; round++) {
      times.bare.push(await untilHelp([bare], { home, isTerminal: false }));
      times.lines.push(await untilHelp([main, '--plain'], { home, isTerminal: false }));
      if (process.platform === 'linux')
        times.screen.push(await untilHelp([main], { home, isTerminal: true }));
    }
    // The least of many: a start takes longer for many reasons, and never less.
    const least = (name: keyof typeof times) => Math.min(...times[name]);
    return (['first', 'lines', 'screen'] as const)
      .filter((name) => times[name].length > 0)
      .map((name) => {
        const ours = least(name) - least('bare');
        return {
          id: `AGENT start ${name}`,
          what: `from the start to the first prompt${name === 'first' ? ' where it never ran before' : ''}, added to a bare process; the ratio is to that process`,
          ...{ ours, peer: least('bare'), unit: 'ms', ratio: ours / least('bare') },
          ...{ goal: `≤ ${MOST_START_MS} ms`, met: ours <= MOST_START_MS },
        };
      });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface StartOptions {
  readonly home: string;
  readonly isTerminal: boolean;
  /** Has it end by itself, and waits for that. @default false */
  readonly ends?: boolean;
}

/** Milliseconds until a program has written `/help`, which stands in the line above the first prompt. */
function untilHelp(
  args: readonly string[],
  { home, isTerminal, ends = false }: StartOptions,
): Promise<number> {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TERM: 'xterm-256color',
    ANTHROPIC_API_KEY: 'any',
    SHELL: '/bin/sh',
  };
  const start = performance.now();
  // `script` gives it a terminal
  const [command, given] = isTerminal
    ? ['script', ['-qfec', [process.execPath, ...args].join(' '), '/dev/null']]
    : [process.execPath, [...args]];
  const child = spawn(command, given, {
    cwd: home,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  return new Promise((resolve, reject) => {
    let text = '';
    child.on('error', reject);
    child.on('exit', () => {
      if (ends && text.includes('/help')) resolve(performance.now() - start);
      else reject(new Error(`It ended before its first prompt:\n${text}`));
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (!text.includes('/help')) return;
      if (ends) return void process.kill(-(child.pid as number), 'SIGTERM');
      resolve(performance.now() - start);
      process.kill(-(child.pid as number), 'SIGKILL');
    });
  });
}
