import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { independenceProblems } from '../src/checks/independence.ts';
import { root } from '../src/workspace.ts';

function workspaceOf(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'varve-independence-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
  return dir;
}

const LEDGER = 'packages/ledger/src/checks.ts';
const OWN: Readonly<Record<string, string>> = {
  [LEDGER]: 'export const PASSED = /(\\d+) passed in \\S+ s/i;',
  'packages/messages/src/index.ts': 'export const isText = () => true;',
};

test.each<[string, string, string, readonly string[]]>([
  ['its own words', 'fidelity/match.ts', 'export const OK = /\\bok after all\\b/;', []],
  [
    'blocks and types',
    'demand/units.ts',
    "import { isText, type Message } from '@varve/messages';\nimport type { Fact } from '@varve/ledger';",
    [],
  ],
  [
    'the facts of the ledger',
    'fidelity/facts/extract.ts',
    "import { createLedger } from '@varve/ledger';",
    ['evals/src/fidelity/facts/extract.ts: measures with createLedger of @varve/ledger'],
  ],
  [
    'a reader of tools',
    'fidelity/facts/calls.ts',
    "import { toolKind } from '@varve/messages/tools';",
    ['evals/src/fidelity/facts/calls.ts: measures with toolKind of @varve/messages/tools'],
  ],
  [
    'all of a package',
    'demand/needs.ts',
    "import * as clearing from '@varve/microcompact';",
    ['evals/src/demand/needs.ts: measures with * of @varve/microcompact'],
  ],
  [
    'a module that is loaded late',
    'demand/needs.ts',
    "export const late = () => import('@varve/ledger');",
    ['evals/src/demand/needs.ts: loads a module at run time'],
  ],
  [
    'an expression of the ledger, with other flags',
    'fidelity/match/claims.ts',
    'const a = 1;\nexport const COUNT = /(\\d+) passed in \\S+ s/g;',
    [`evals/src/fidelity/match/claims.ts:2 shares /(\\d+) passed in \\S+ s/ with ${LEDGER}:1`],
  ],
])('what the evals measure with may take %s or not (FIDELITY 2.7)', (_, file, text, expected) => {
  expect(independenceProblems(workspaceOf({ ...OWN, [`evals/src/${file}`]: text }))).toEqual(
    expected,
  );
});

test('what is imported by what measures is held to the same', () => {
  const files = {
    ...OWN,
    'evals/src/fidelity/match.ts': "import { read } from '../words.ts';\nexport const a = read;",
    'evals/src/words.ts':
      "import { renderLedger } from '@varve/ledger';\nexport const read = renderLedger;",
  };
  expect(independenceProblems(workspaceOf(files))).toEqual([
    'evals/src/words.ts: measures with renderLedger of @varve/ledger',
  ]);
});

test('this workspace keeps to it, and the check reads it', () => {
  expect(independenceProblems(root)).toEqual([]);
});
