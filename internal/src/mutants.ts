import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readEquivalents } from './mutants/equivalents.ts';
import { type Mutant, mutantsOf } from './mutants/mutations.ts';
import { pickMutants } from './mutants/pick.ts';
import { type Cases, runMutant, runTests, type Verdict } from './mutants/run-mutant.ts';
import { createScratchTree } from './mutants/scratch-tree.ts';
import { MUTANT_SETS, PATHS_ONLY } from './mutants/sets.ts';
import { filesBelow, root } from './workspace.ts';

const HELP = `Breaks one line of the sources at a time and says which breaks the package's own tests notice.

  pnpm mutants [flags] [source file or folder] …

Without a path it takes a set of internal/src/mutants/sets.ts.

  --set <name>    moved: code that several packages had copies of (default); ruler: what the evals
                  measure with, held by the tests of that alone
  --count <n>     how many mutants (default: 60)
  --seed <n>      which ones (default: 9)
  --runs <n>      runs of each law, slow ones a quarter of it (default: 100)
  --jobs <n>      copies of the workspace at work at the same time (default: 1)
  --only <n> …    only those with these numbers in the list
  --list          lists the mutants and runs nothing
  --json          prints one JSON document and nothing else

The workspace itself is not written to: the tests run in a copy of it in a temporary folder. Of long lists of cases a share runs
first, and all of them (VARVE_ALL_CASES=1) against a mutant that the share does not notice.
Ends with 1 where fewer than 90 % are killed of those that internal/mutants-equivalent.json does not name.
`;

/** Share of the mutants that the tests have to notice. */
const GOAL = 0.9;
const MIN_TIMEOUT_MS = 60_000;
/** Of the tests without a mutant. */
const TIMEOUT_FACTOR = 4;

interface Outcome extends Mutant {
  readonly number: number;
  readonly verdict: Verdict | 'equivalent';
  readonly seconds: number;
  /** Why it is equivalent. */
  readonly why?: string | undefined;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: 'string' },
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '9' },
    runs: { type: 'string', default: '100' },
    jobs: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: [] },
    list: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const say = (line: string): void => void (values.json || process.stdout.write(`${line}\n`));
const describe = ({ file, line, operator, before, after }: Mutant): string =>
  `${file}:${line} ${operator}\n     - ${before}\n     + ${after}`;

const count = Number(values.count);
const seed = Number(values.seed);
const set = setOf(values.set, positionals);
const files = (positionals.length > 0 ? positionals : set.files).flatMap(sourceFiles);
const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')));
const picked = pickMutants(all, { count, seed })
  .map((mutant, at) => ({ ...mutant, number: at + 1 }))
  .filter(({ number }) => values.only.length === 0 || values.only.includes(String(number)));
say(`${picked.length} of ${all.length} mutants in ${files.length} files, seed ${seed}`);

if (values.list) {
  for (const mutant of picked) say(`${String(mutant.number).padStart(3)}. ${describe(mutant)}`);
  if (values.json) process.stdout.write(`${JSON.stringify(picked, undefined, 2)}\n`);
} else {
  report(await runAll());
}

/** With paths, the tests are those of a file's package unless a set is named. */
function setOf(name: string | undefined, paths: readonly string[]) {
  if (name === undefined) return paths.length > 0 ? PATHS_ONLY : (MUTANT_SETS.moved ?? PATHS_ONLY);
  const found = MUTANT_SETS[name];
  if (found) return found;
  throw new Error(`No set is named ${name}; there are ${Object.keys(MUTANT_SETS).join(', ')}.`);
}

function sourceFiles(path: string): readonly string[] {
  const given = join(root, path);
  if (statSync(given).isFile()) return [path];
  return filesBelow(given, ['.ts']).filter((file) => file.includes('/src/'));
}

/** Runs the mutants in as many copies as there are jobs; an interrupt ends them all and removes the copies. */
async function runAll(): Promise<readonly Outcome[]> {
  const isEquivalent = readEquivalents(picked);
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
  process.once('SIGTERM', () => interrupted.abort(new Error('interrupted')));
  const { signal } = interrupted;
  const trees = Array.from({ length: Number(values.jobs) }, createScratchTree);
  const outcomes: Outcome[] = [];
  try {
    const settings = { lawRuns: Number(values.runs), signal };
    const timeouts = new Map<string, Promise<number>>();
    const run = async (mutant: Mutant, dir: string): Promise<Verdict> => {
      const runs = set.cases.flatMap((cases) =>
        set.testsOf(mutant.file).map((tests) => ({ cases, tests })),
      );
      for (const { cases, tests } of runs) {
        const key = [cases, ...tests].join(' ');
        const measured = timeouts.get(key) ?? measure(tests, { ...settings, dir, cases });
        timeouts.set(key, measured);
        const timeoutMs = await measured;
        const verdict = await runMutant(mutant, tests, { ...settings, dir, cases, timeoutMs });
        if (verdict !== 'survived') return verdict;
      }
      return 'survived';
    };
    const waiting = [...picked];
    const work = async (dir: string): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const why = isEquivalent(next);
        const startedAt = performance.now();
        const verdict = why === undefined ? await run(next, dir) : 'equivalent';
        const seconds = (performance.now() - startedAt) / 1000;
        outcomes.push({ ...next, verdict, seconds, why });
        say(
          `${verdict.padEnd(10)} ${String(next.number).padStart(3)}. (${seconds.toFixed(0)} s) ${describe(next)}`,
        );
      }
    };
    await Promise.all(trees.map(({ dir }) => work(dir)));
  } finally {
    for (const tree of trees) tree.remove();
  }
  return outcomes.sort((left, right) => left.number - right.number);
}

/** How long tests may take, from how long they take without a mutant. Throws where they fail. */
async function measure(
  tests: readonly string[],
  settings: {
    readonly dir: string;
    readonly cases: Cases;
    readonly lawRuns: number;
    readonly signal: AbortSignal;
  },
): Promise<number> {
  const startedAt = performance.now();
  const verdict = await runTests(tests, { ...settings, timeoutMs: 900_000 });
  const ms = performance.now() - startedAt;
  if (verdict !== 'survived')
    throw new Error(`The tests of ${tests.join(' ')} fail without any mutant.`);
  say(
    `${tests.length === 1 ? tests[0] : `${tests.length} files`}: the tests take ${(ms / 1000).toFixed(0)} s (cases: ${settings.cases})`,
  );
  return Math.max(MIN_TIMEOUT_MS, ms * TIMEOUT_FACTOR);
}

function report(outcomes: readonly Outcome[]): void {
  const of = (...verdicts: readonly Outcome['verdict'][]): readonly Outcome[] =>
    outcomes.filter(({ verdict }) => verdicts.includes(verdict));
  const killed = of('killed', 'timed-out').length;
  const survived = of('survived');
  const rate = killed / Math.max(1, killed + survived.length);
  if (survived.length > 0) say(`\nSurvived:`);
  for (const each of survived) say(`${String(each.number).padStart(3)}. ${describe(each)}`);
  for (const each of of('equivalent')) say(`equivalent: ${describe(each)}\n     ${each.why}`);
  say(
    `\n${outcomes.length} mutants: ${killed} killed, ${survived.length} survived, ${of('equivalent').length} equivalent; ${(100 * rate).toFixed(1)} % killed`,
  );
  const document = { seed, killed, survived: survived.length, rate, outcomes };
  if (values.json) process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
  process.exitCode = rate >= GOAL ? 0 : 1;
}
