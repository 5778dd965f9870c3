/** What a check looks at. */
export type CheckKind = 'tests' | 'build' | 'lint' | 'types';

const KINDS: Readonly<Record<CheckKind, string>> = {
  types: String.raw`\btsc\b|\btsgo\b|\bvue-tsc\b|\bmypy\b|\bpyright\b|type-?check|check:types|\btypes\b|\b(?:cargo|deno) check\b`,
  lint: String.raw`lint|\bbiome\b|\bruff\b|\bshellcheck\b|\bclippy\b|\bvet\b|\bprettier\b|\brubocop\b|\bfmt\b|format`,
  build: String.raw`build|compile|\bassemble\b|\bpackage\b|\bmake(?= *$)`,
  tests: String.raw`test|spec|\bmocha\b|\bjest\b|\bava\b|\btap\b|\bbats\b|\btox\b|\bnox\b|\bverify\b`,
};
const NAMED = new RegExp(
  Object.entries(KINDS)
    .map(([kind, shape]) => `(?<${kind}>${shape})`)
    .join('|'),
  'i',
);

/** The kinds of the checks that a command runs, by the first word of each part that names one: what follows are arguments. */
export function kindsOf(command: string): CheckKind[] {
  const parts = command
    .split(/&&|\|\||[;|]/)
    .filter((part) => !/^\s*(?:cd|echo|export)\b/.test(part));
  return parts.flatMap((part) => {
    const named = Object.entries(NAMED.exec(part)?.groups ?? {});
    return named.flatMap(([kind, found]) => (found === undefined ? [] : [kind as CheckKind]));
  });
}

/** Words of a command that runs all there is: programs that run checks, and the names of scripts that do. */
const WHOLE_WORD =
  /^(?:\w+=\S*|-.*|npm|pnpm|yarn|bun|bunx|npx|deno|cargo|go|mix|make|dotnet|(?:\.\/)?gradlew?|(?:\.\/)?mvnw?|sbt|swift|zig|rake|rails|tox|nox|just|task|turbo|nx|uv|poetry|bundle|python3?|time|env|run|run-script|exec|tests?|check|lint|build|compile|typecheck|type-check|types|verify|spec|vet|clippy|fmt|pytest|py\.test|unittest|jest|vitest|mocha|ava|tap|phpunit|rspec|tsc|tsgo|mypy|pyright|ruff|eslint|biome|golangci-lint|ctest|bats|\.|\.\/\.\.\.|2>&1)$/;
const CHOOSES =
  /^--?(?:filter|grep|g|k|t|m|match|only\w*|last-failed|lf|ff|shard|changed|related|bail|run|tests?|test-?name-?pattern|project|workspace|package|p|F)(?:=|$)/i;

/** Whether a command runs all checks of its kind: it names no file, no folder and no filter. What shortens its output aside. */
export function isWhole(command: string): boolean {
  const [first = ''] = command.split(/\|(?!\|)/);
  const words = first.trim().split(/\s+/);
  const isModule = (at: number) => words[at] === '-m' && /^python3?$/.test(words[at - 1] ?? '');
  return words.every((word, at) => WHOLE_WORD.test(word) && (isModule(at) || !CHOOSES.test(word)));
}
