import { filled, readFlags } from './arguments.ts';
import { defaultChains, repositoryRoot } from './default-paths.ts';
import { asTyped } from './help.ts';
import { lacksOf, loadChains } from './memory/load-chains.ts';

const HELP = `Measures what long-term memory keeps that is wrong, and what it misses, on chains of sessions with
planted items.

  varve-evals memory [flags]

  --chains <folder>     chains of sessions (default: evals/chains, in its repository only)
  --check               only read the chains: say what is wrong with them, and what a full one has
                        and they have not
  -h, --help            this text
`;

const FLAGS = {
  chains: { type: 'string' },
  check: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Runs `memory` with its own arguments and returns the exit code. */
export async function memory(args: readonly string[]): Promise<number> {
  const { help = false, chains: folder = defaultChains() } = readFlags(args, FLAGS);
  if (help) {
    process.stdout.write(asTyped(HELP));
    return 0;
  }
  const chains = await loadChains(filled('chains', folder), repositoryRoot());
  const lacks = chains.flatMap(lacksOf);
  const names = chains.map(
    ({ name, sessions, items, turns }) =>
      `${name}: ${sessions.length} sessions, ${items.length} items, ${turns.length} turns`,
  );
  process.stdout.write(`${[...names, ...lacks].join('\n')}\n`);
  return lacks.length > 0 ? 1 : 0;
}
