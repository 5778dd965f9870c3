import { SHOWN_ROOT } from './workspace.ts';

export interface NormalisationRule {
  readonly name: string;
  /** For the provenance page. */
  readonly what: string;
  apply(text: string, root: string): string;
}

/** What makes the output of a command the same on every run and every machine, in the order in which it is applied. */
export const NORMALISATION_RULES: readonly NormalisationRule[] = [
  {
    name: 'scratch-path',
    what: `the path of the scratch copy reads \`${SHOWN_ROOT}\``,
    apply: (text, root) => text.replaceAll(root, SHOWN_ROOT),
  },
  {
    name: 'runtime-frames',
    what: 'stack frames inside the runtime (`node:internal/…` and `node:…`) are left out',
    apply: (text) =>
      text
        .replace(/^( +at )(?:.*\(node:.*\)|node:.*|async Promise\.all.*)(?= \{$)/gm, '$1(runtime)')
        .replace(/^ +at (?:.*\(node:[^)]*\)|node:.*|async Promise\.all.*)\n/gm, ''),
  },
  {
    name: 'durations',
    what: 'times that the test runner prints read `1ms`',
    apply: (text) =>
      text
        .replace(/\(\d+(?:\.\d+)?ms\)/g, '(1ms)')
        .replace(/\bduration_ms \d+(?:\.\d+)?/g, 'duration_ms 1'),
  },
  {
    name: 'file-times',
    what: 'the times behind the file names of `diff` are left out',
    apply: (text) => text.replace(/^((?:---|\+\+\+) [^\t\n]+)\t\d{4}-\d\d-\d\d .*$/gm, '$1'),
  },
  {
    name: 'process-ids',
    what: 'process ids in warnings of the runtime read `1`',
    apply: (text) => text.replace(/\(node:\d+\)/g, '(node:1)'),
  },
  {
    name: 'runtime-version',
    what: 'the version line of the runtime names the major version only',
    apply: (text) => text.replace(/^Node\.js v(\d+)\.\d+\.\d+$/gm, 'Node.js v$1'),
  },
];

export function normalise(text: string, root: string): string {
  return NORMALISATION_RULES.reduce((result, rule) => rule.apply(result, root), text);
}
