import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Fault, startEmulator } from '@varve/emulator';
import type { BenchRow } from './bench-row.ts';
import { load, loadRaw } from './emulator-load.ts';
import { medianOf } from './timing.ts';

const REQUESTS = 1_000;
const ROUNDS = 5;
const CONCURRENCY = 16;
const STREAMS = 1_000;
const GOAL_PER_SECOND = 500;
/** Of the requests a second of a server that does nothing but parse. */
const GOAL_SHARE = 0.1;
/** Bytes of heap one stream may leave behind: what is recorded of it, and some slack for the collector. */
const GOAL_BYTES = 4_096;

/**
 * Non-streaming requests a second with prompts of 10,000 tokens, the emulator in a process of its own (it has a core, the
 * client the other), beside a server that only parses them; and the heap that 1,000 concurrent streams leave behind.
 */
export async function run(): Promise<BenchRow[]> {
  return [...(await throughput()), await streams()];
}

async function throughput(): Promise<BenchRow[]> {
  const cli = join(import.meta.dirname, '..', '..', 'packages', 'emulator', 'src', 'cli.ts');
  await using emulator = await startServer(cli);
  await using echo = await startServer(join(import.meta.dirname, 'emulator-echo.ts'));
  const rates: { ours: number; bare: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    // in turn, so that a busy machine slows both down
    const bare = await perSecond(echo.url, round);
    const ours = await perSecond(emulator.url, round);
    // The first round warms both sides up.
    if (round > 0) rates.push({ ours, bare });
  }
  const ours = medianOf(rates.map((rate) => rate.ours));
  const bare = medianOf(rates.map((rate) => rate.bare));
  const unit = 'requests/s';
  const what = `with 10K-token prompts, ${CONCURRENCY} kept connections`;
  return [
    {
      ...{ id: 'emulator requests', what: `requests a second ${what}`, unit, ours },
      peer: GOAL_PER_SECOND,
      ratio: ours / GOAL_PER_SECOND,
      goal: `≥ ${GOAL_PER_SECOND}/s`,
      met: ours >= GOAL_PER_SECOND,
    },
    {
      ...{ id: 'emulator echo', what: `beside node:http and JSON.parse alone ${what}`, unit, ours },
      peer: bare,
      ratio: ours / bare,
      goal: `≥ ${GOAL_SHARE}`,
      met: ours / bare >= GOAL_SHARE,
    },
  ];
}

async function startServer(script: string) {
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

async function perSecond(url: string, round: number): Promise<number> {
  const bodies = Array.from({ length: REQUESTS }, (_, index) => prompt(round * REQUESTS + index));
  const start = performance.now();
  const statuses = await loadRaw({ url, bodies, concurrency: CONCURRENCY });
  const seconds = (performance.now() - start) / 1_000;
  const failed = statuses.filter((status) => status !== 200).length;
  if (failed > 0) throw new Error(`${failed} of ${REQUESTS} requests failed`);
  return REQUESTS / seconds;
}

async function streams(): Promise<BenchRow> {
  const emulator = await startEmulator({
    replies: () => 'word '.repeat(200),
    eventDelayMs: 20,
    keepRequests: 0,
    faults: FAULTS,
  });
  const body = () => JSON.stringify({ ...short, stream: true });
  await loadStreams(emulator.url, body);
  const before = await settledHeap();
  for (let round = 0; round < 3; round++) await loadStreams(emulator.url, body);
  const perStream = Math.max(0, (await settledHeap()) - before) / (3 * STREAMS);
  await emulator.close();
  return {
    id: 'emulator streams',
    what: `heap left behind by each of ${STREAMS} concurrent streams, a third of them with a fault, three times over`,
    ours: perStream,
    peer: GOAL_BYTES,
    unit: 'bytes',
    ratio: perStream / GOAL_BYTES,
    goal: `≤ ${GOAL_BYTES} bytes`,
    met: perStream <= GOAL_BYTES,
  };
}

const short = {
  model: 'claude-opus-5-5',
  max_tokens: 1_000,
  messages: [{ role: 'user', content: 'Hi' }],
};

/** A conversation of 10,000 tokens whose last message is new. */
function prompt(index: number): string {
  return JSON.stringify({
    ...short,
    cache_control: { type: 'ephemeral' },
    messages: [
      { role: 'user', content: WORDS },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: `Question ${index}` },
    ],
  });
}

const WORDS = 'The answer stands in the second file of the list. '.repeat(770);

const every =
  (rest: number) =>
  ({ index }: { readonly index: number }): boolean =>
    index % 9 === rest;

const FAULTS: readonly Fault[] = [
  { kind: 'cut', afterEvents: 3, when: every(0) },
  { kind: 'malformed-event', atEvent: 2, when: every(3) },
  { kind: 'status', status: 529, when: every(6) },
];

/** All streams at once; those that no fault befell have to be whole. */
async function loadStreams(url: string, body: () => string): Promise<void> {
  const statuses = await load({ url, body, count: STREAMS, concurrency: STREAMS });
  const whole = statuses.filter((status) => status === 200).length;
  if (statuses.length !== STREAMS || whole < Math.floor((STREAMS * 7) / 9)) {
    throw new Error(`${whole} of ${STREAMS} streams are whole`);
  }
}

async function settledHeap(): Promise<number> {
  const used: number[] = [];
  for (let count = 0; count < 3; count++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    globalThis.gc?.();
    used.push(process.memoryUsage().heapUsed);
  }
  return Math.min(...used);
}
