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
