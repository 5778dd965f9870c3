import { filled, readFlags } from './arguments.ts';
import { defaultChains, defaultOut, repositoryRoot } from './default-paths.ts';
import { asTyped } from './help.ts';
import type { Chain } from './memory/chain.ts';
import { lacksOf, loadChains } from './memory/load-chains.ts';
import { memoryReport } from './memory/memory-report.ts';
import { formatMemory } from './memory/memory-text.ts';
import { findRealFolders, readHandTurns } from './memory/real-folders.ts';
import { measureRecall } from './memory/recall-table.ts';
import { countRot } from './memory/rot.ts';
import { ensureWritable, writeFiles } from './report/write-files.ts';

const HELP = `Measures what long-term memory keeps that is wrong, and what it misses, on chains of sessions with
planted items.

  varve-evals memory [flags]

  --memories <folder>   folders of memory that people use (<name>/memory, or one folder): what is
                        wrong with them, and, with turns in a queries.json, what recall finds
  --chains <folder>     chains (default: evals/chains, in its repository only)
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
  chains: { type: 'string' },
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
  const chains = await loadChains(
    pathOf('chains', flags.chains, defaultChains()),
    repositoryRoot(),
  );
  if (check) return checkChains(chains);
  await ensureWritable(pathOf('out', flags.out, out));
  const heldBack = flags['held-back'] ?? false;
  const wanted = chains.filter((chain) => chain.heldBack === heldBack);
  const folders =
    flags.memories === undefined ? [] : await findRealFolders(filled('memories', flags.memories));
  const turns = flags.memories === undefined ? [] : await readHandTurns(flags.memories);
  const rot = [];
  for (const folder of folders) rot.push(await countRot(folder));
  const report = memoryReport({
    ...{ chains: wanted, heldBackLeftOut: chains.length - wanted.length, runs: [], rot },
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

function checkChains(chains: readonly Chain[]): number {
  const lacks = chains.flatMap(lacksOf);
  const names = chains.map(
    ({ name, sessions, items, turns }) =>
      `${name}: ${sessions.length} sessions, ${items.length} items, ${turns.length} turns`,
  );
  process.stdout.write(`${[...names, ...lacks].join('\n')}\n`);
  return lacks.length > 0 ? 1 : 0;
}
