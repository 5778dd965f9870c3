import { existsSync } from 'node:fs';
import { filled, readFlags } from './arguments.ts';
import { defaultChains, defaultOut, defaultRecordings, repositoryRoot } from './default-paths.ts';
import { EvalsError } from './error.ts';
import { asTyped } from './help.ts';
import type { Chain } from './memory/chain.ts';
import { lacksOf, loadChains } from './memory/load-chains.ts';
import { isComplete, memoryReport } from './memory/memory-report.ts';
import { formatMemory } from './memory/memory-text.ts';
import { findRealFolders, readHandTurns } from './memory/real-folders.ts';
import { measureRecall } from './memory/recall-table.ts';
import {
  type Recording,
  readAnswers,
  readRecordings,
  writeRecording,
  writeRequests,
} from './memory/recordings.ts';
import { countRot } from './memory/rot.ts';
import { type ChainRun, runChain } from './memory/run-chain.ts';
import { type DreamRun, pollutedFolder, runDream } from './memory/run-dream.ts';
import { shippedDreamer } from './memory/shipped-dreamer.ts';
import { shippedWriter } from './memory/shipped-writer.ts';
import { ensureWritable, writeFiles } from './report/write-files.ts';

const HELP = `Measures what long-term memory keeps that is wrong, and what it misses, on chains of sessions with
planted items. A model's part is played by answers that were recorded; nothing is called.

  varve-evals memory [flags]

  --memories <folder>   folders of memory that people use (<name>/memory, or one folder): what is
                        wrong with them, and, with turns in a queries.json, what recall finds
  --requests <folder>   take the answers that are filled in there into the recordings, and write
                        the requests that are next, for a model that sees nothing else
  --takes <n>           with --requests: record each chain so many times (default: 1)
  --chains <folder>     chains (default: evals/chains, in its repository only)
  --recordings <folder> recorded answers (default: fixtures/memory, in its repository only)
  --held-back           only the chains that are kept aside while prompts are tuned
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

/** Runs `memory` with its own arguments and returns the exit code: 1 where `--check` finds that something is missing. */
export async function memory(args: readonly string[]): Promise<number> {
  const flags = readFlags(args, FLAGS);
  const { help = false, check = false, all = false, json = false, out = defaultOut() } = flags;
  if (help) {
    process.stdout.write(asTyped(HELP));
    return 0;
  }
  const folder = pathOf('chains', flags.chains, defaultChains());
  const isNone = flags.chains === undefined && flags.memories !== undefined && !existsSync(folder);
  const chains = isNone ? [] : await loadChains(folder, repositoryRoot());
  if (check) return checkChains(chains);
  const takes = countOf(flags.takes);
  await ensureWritable(pathOf('out', flags.out, out));
  const heldBack = flags['held-back'] ?? false;
  const wanted = chains.filter((chain) => chain.heldBack === heldBack);
  const recordings = pathOf('recordings', flags.recordings, defaultRecordings());
  const { runs, dreams } = await runAll(wanted, {
    ...{ recordings, takes },
    requests: flags.requests === undefined ? undefined : filled('requests', flags.requests),
  });
  const folders =
    flags.memories === undefined ? [] : await findRealFolders(filled('memories', flags.memories));
  const turns = flags.memories === undefined ? [] : await readHandTurns(flags.memories);
  const rot = [];
  for (const folder of folders) rot.push(await countRot(folder));
  const report = memoryReport({
    ...{ chains: wanted, heldBackLeftOut: chains.length - wanted.length, runs, dreams, rot },
    recall: folders.length === 0 ? undefined : await measureRecall(folders, turns),
  });
  const document = `${JSON.stringify(report, undefined, 2)}\n`;
  await writeFiles(out, { 'memory.json': document });
  const waiting = [...runs, ...dreams].flatMap((run) => run.wanted).length;
  if (flags.requests !== undefined)
    process.stderr.write(`${waiting} requests wait for an answer in ${flags.requests}\n`);
  const text = () =>
    `${formatMemory(report, { program: asTyped('varve-evals'), all })}Report: ${out}\n`;
  process.stdout.write(json ? document : text());
  return 0;
}

const pathOf = (flag: string, given: string | undefined, or: string): string =>
  given === undefined ? or : filled(flag, given);

function countOf(takes = '1'): number {
  const count = Number(takes);
  if (Number.isSafeInteger(count) && count > 0) return count;
  const text = `Expected --takes to be a whole number above 0, got \`${takes}\`.`;
  throw new EvalsError('bad-arguments', text);
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

interface RunOptions {
  readonly recordings: string;
  readonly requests: string | undefined;
  readonly takes: number;
}

async function runAll(
  chains: readonly Chain[],
  { recordings, requests, takes }: RunOptions,
): Promise<{ readonly runs: readonly ChainRun[]; readonly dreams: readonly DreamRun[] }> {
  const kept = await readRecordings(recordings);
  const known = requests === undefined ? kept : await readAnswers(requests, kept);
  if (requests !== undefined)
    for (const recording of known) await writeRecording(recordings, recording);
  const [runs, dreams]: [ChainRun[], DreamRun[]] = [[], []];
  for (const chain of chains) {
    const own = known.filter((recording) => recording.chain === chain.name);
    for (const recording of [...own, ...emptyTakes(chain, own, takes)]) {
      const run = await runChain(chain, recording, shippedWriter);
      runs.push(run);
      const input = { chain, recording, dreamer: shippedDreamer };
      dreams.push(await runDream({ ...input, memory: 'polluted', folder: pollutedFolder(chain) }));
      if (isComplete(run))
        dreams.push(await runDream({ ...input, memory: 'written', folder: run.folder }));
    }
  }
  if (requests !== undefined)
    await writeRequests(
      requests,
      [...runs, ...dreams].flatMap(({ wanted }) => wanted),
    );
  return { runs, dreams };
}

/** Takes that are not begun. */
const emptyTakes = (
  chain: Chain,
  known: readonly Recording[],
  takes: number,
): readonly Recording[] =>
  Array.from({ length: takes }, (_, at) => at + 1)
    .filter((take) => !known.some((recording) => recording.take === take))
    .map((take) => ({ chain: chain.name, take, exchanges: new Map() }));
