import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { filled, readFlags } from './arguments.ts';
import { defaultChains, defaultOut, defaultRecordings, repositoryRoot } from './default-paths.ts';
import { EvalsError } from './error.ts';
import { asTyped } from './help.ts';
import type { Chain } from './memory/chain.ts';
import { lacksOf, loadChain, loadChains } from './memory/load-chains.ts';
import { memoryReport } from './memory/memory-report.ts';
import { formatMemory } from './memory/memory-text.ts';
import { findRealFolders, readHandTurns } from './memory/real-folders.ts';
import { measureRecall } from './memory/recall-table.ts';
import { recordStep, type Step } from './memory/record-step.ts';
import { type Recording, readRecordings } from './memory/recordings.ts';
import { countRot } from './memory/rot.ts';
import { type ChainRun, isComplete, runChain } from './memory/run-chain.ts';
import { type DreamRun, pollutedFolder, runDream } from './memory/run-dream.ts';
import { shippedDreamer } from './memory/shipped-dreamer.ts';
import { shippedWriter } from './memory/shipped-writer.ts';
import { ensureWritable, writeFiles } from './report/write-files.ts';

const HELP = `Measures what long-term memory keeps that is wrong, and what it misses, on chains of sessions with
planted items. A model's part is played by answers that were recorded; nothing is called.

  varve-evals memory [flags]

  --memories <folder>   folders of memory that people use (<name>/memory, or one folder): what is
                        wrong with them, and, with turns in a queries.json, what recall finds
  --requests <folder>   record: take the answers that are filled in there, and write the requests
                        that are next, for a model that sees nothing else; no report
  --chain <name>        only this chain, held back or not
  --take <n>            only this take
  --takes <n>           with --requests: record each chain so many times (default: 1)
  --chains <folder>     chains (default: evals/chains, in its repository only)
  --recordings <folder> recorded answers (default: fixtures/memory, in its repository only)
  --held-back           the chains that are kept aside while prompts are tuned; the others in the
                        table of targets alone
  --check               only read the chains: what is wrong with them, and what a full one has and
                        they have not
  --all                 every run and every folder
  --out <folder>        where memory.json goes (default: evals/results)
  --json                print the report as one JSON document and nothing else
  -h, --help            this text
`;

const FLAGS = {
  memories: { type: 'string' },
  requests: { type: 'string' },
  chain: { type: 'string' },
  take: { type: 'string' },
  takes: { type: 'string' },
  chains: { type: 'string' },
  recordings: { type: 'string' },
  'held-back': { type: 'boolean' },
  check: { type: 'boolean' },
  all: { type: 'boolean' },
  out: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Runs `memory` with its own arguments and returns the exit code: 1 where `--check` finds that something is missing, or an answer is refused. */
export async function memory(args: readonly string[]): Promise<number> {
  const flags = readFlags(args, FLAGS);
  const { help = false, check = false, all = false, json = false, out = defaultOut() } = flags;
  if (help) {
    process.stdout.write(asTyped(HELP));
    return 0;
  }
  const memories =
    flags.memories === undefined ? undefined : resolve(filled('memories', flags.memories));
  const folders = memories === undefined ? [] : await findRealFolders(memories);
  const turns = memories === undefined ? [] : await readHandTurns(memories);
  const folder = pathOf('chains', flags.chains, defaultChains());
  const isNone = flags.chains === undefined && flags.memories !== undefined && !existsSync(folder);
  const chains = isNone ? [] : await chainsOf(folder, flags.chain);
  if (check) return checkChains(chains);
  const heldBack = flags['held-back'] ?? false;
  const wanted = chains.filter((chain) => flags.chain !== undefined || chain.heldBack === heldBack);
  const recordings = pathOf('recordings', flags.recordings, defaultRecordings());
  const take = flags.take === undefined ? undefined : countOf('take', flags.take);
  const takes = countOf('takes', flags.takes);
  if (flags.requests !== undefined) {
    const requests = filled('requests', flags.requests);
    return record(wanted, {
      recordings,
      requests,
      takes: take === undefined ? upTo(takes) : [take],
      json,
    });
  }
  await ensureWritable(pathOf('out', flags.out, out));
  const known = await readRecordings(recordings);
  const own = await runAll(wanted, { known, take });
  const rest = heldBack ? chains.filter((chain) => !wanted.includes(chain)) : [];
  const others = await runAll(rest, { known, take });
  const rot = [];
  for (const folder of folders) rot.push(await countRot(folder));
  const report = memoryReport({
    ...{ chains: wanted, heldBackLeftOut: heldBack ? 0 : chains.length - wanted.length, rot },
    ...{ ...own, others, recordings: known },
    recall: folders.length === 0 ? undefined : await measureRecall(folders, turns),
  });
  const document = `${JSON.stringify(report, undefined, 2)}\n`;
  await writeFiles(out, { 'memory.json': document });
  const text = () =>
    `${formatMemory(report, { program: asTyped('varve-evals'), all })}Report: ${out}\n`;
  process.stdout.write(json ? document : text());
  return 0;
}

const pathOf = (flag: string, given: string | undefined, or: string): string =>
  given === undefined ? or : filled(flag, given);

function countOf(flag: string, given = '1'): number {
  const count = Number(given);
  if (Number.isSafeInteger(count) && count > 0) return count;
  const text = `Expected --${flag} to be a whole number above 0, got \`${given}\`.`;
  throw new EvalsError('bad-arguments', text);
}

const upTo = (takes: number): readonly number[] => Array.from({ length: takes }, (_, at) => at + 1);

async function chainsOf(folder: string, name: string | undefined): Promise<readonly Chain[]> {
  if (name === undefined) return loadChains(folder, repositoryRoot());
  const path = join(folder, `${filled('chain', name)}.json`);
  if (existsSync(path)) return [await loadChain(path, repositoryRoot())];
  throw new EvalsError('not-found', `There is no chain ${path}.`);
}

function checkChains(chains: readonly Chain[]): number {
  const lacks = chains.flatMap(lacksOf);
  const names = chains.map(
    ({ name, sessions, items, turns }) =>
      `${name}: ${sessions.length} sessions, ${items.length} items, ${turns.length} turns`,
  );
  process.stdout.write(`${[...names, ...lacks].join('\n')}\n`);
  return lacks.length > 0 ? 1 : 0;
}

interface RecordOptions {
  readonly recordings: string;
  readonly requests: string;
  readonly takes: readonly number[];
  readonly json: boolean;
}

/** One step of recording for each chain and take. It says nothing of chains and figures: who answers may read it. */
async function record(
  chains: readonly Chain[],
  { recordings, requests, takes, json }: RecordOptions,
): Promise<number> {
  await ensureWritable(requests);
  const today = new Date().toISOString().slice(0, 10);
  const known = await readRecordings(recordings);
  const steps: Step[] = [];
  for (const chain of chains)
    for (const take of takes) {
      const recording = known.find((each) => each.chain === chain.name && each.take === take);
      steps.push(
        await recordStep({
          ...{ chain, requests, recordings, today },
          recording: recording ?? emptyTake(chain, take),
        }),
      );
    }
  process.stdout.write(
    json
      ? `${JSON.stringify(steps, undefined, 2)}\n`
      : steps.map((step) => stepText(step, requests)).join(''),
  );
  return steps.some(({ refused }) => refused.length > 0) ? 1 : 0;
}

function stepText(
  { chain, take, taken, used, stale, refused, open }: Step,
  folder: string,
): string {
  const state = open.length === 0 ? 'complete' : `${open.length} to answer`;
  const asked =
    stale > 0
      ? `; ${stale} recorded before ${stale === 1 ? 'fits' : 'fit'} no longer and ${stale === 1 ? 'is' : 'are'} asked again`
      : '';
  const lines = [
    `${chain}.${take}: ${taken} taken, ${used} recorded, ${state}${asked}`,
    ...refused.map((why) => `  ${why}`),
    ...open.map(({ request, answer }) => `  ${join(folder, request)} -> ${answer}`),
  ];
  return `${lines.join('\n')}\n`;
}

interface RunOptions {
  readonly known: readonly Recording[];
  readonly take: number | undefined;
}

async function runAll(
  chains: readonly Chain[],
  { known, take }: RunOptions,
): Promise<{ readonly runs: readonly ChainRun[]; readonly dreams: readonly DreamRun[] }> {
  const [runs, dreams]: [ChainRun[], DreamRun[]] = [[], []];
  for (const chain of chains) {
    const own = known.filter(
      (each) => each.chain === chain.name && (take === undefined || each.take === take),
    );
    for (const recording of own.length > 0 ? own : [emptyTake(chain, take ?? 1)]) {
      const run = await runChain(chain, recording, shippedWriter);
      runs.push(run);
      const input = { chain, recording, dreamer: shippedDreamer };
      dreams.push(await runDream({ ...input, memory: 'polluted', folder: pollutedFolder(chain) }));
      if (isComplete(run))
        dreams.push(await runDream({ ...input, memory: 'written', folder: run.folder }));
    }
  }
  return { runs, dreams };
}

/** A take that is not begun. */
const emptyTake = ({ name }: Chain, take: number): Recording => ({
  ...{ chain: name, take },
  exchanges: new Map(),
});
