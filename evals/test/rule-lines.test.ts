import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createLedger } from '@varve/ledger';
import { importFile } from '@varve/transcript/node';
import { expect, test } from 'vitest';
import { mainThreads } from '../src/session/import-threads.ts';
import labelled from './rule-lines.json' with { type: 'json' };

const { VARVE_SESSIONS: recorded = '' } = process.env;

type Line = readonly [position: number, start: string, first: number, second: number];

const LINES = labelled.lines as unknown as Readonly<Record<string, readonly Line[]>>;

test.skipIf(recorded === '')(
  'L321: of 200 labelled lines of people, nine in ten of those that are taken for rules are rules',
  async () => {
    const all = Object.values(LINES).flat();
    expect(all).toHaveLength(200);
    const agreed = all.filter(([, , first, second]) => first === second).length / all.length;
    const counts = { right: 0, wrong: 0, missed: 0 };
    for (const path of sessionFiles(recorded)) {
      const digest = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12);
      const lines = LINES[digest];
      if (lines === undefined) continue;
      const rules = await rulesOf(path);
      for (const [position, start, isRule] of lines) {
        const isTaken = rules.some(
          (rule) => rule.position === position && rule.value.startsWith(start),
        );
        if (isTaken) counts[isRule === 1 ? 'right' : 'wrong']++;
        else if (isRule === 1) counts.missed++;
      }
    }
    const { right, wrong, missed } = counts;
    process.stderr.write(
      `rules of 200 lines: precision ${(right / (right + wrong)).toFixed(2)}, recall ${(right / (right + missed)).toFixed(2)}, two readings agree on ${agreed.toFixed(2)}\n`,
    );
    expect(agreed).toBeGreaterThanOrEqual(0.95);
    expect(right / (right + wrong)).toBeGreaterThanOrEqual(0.9);
    expect(right / (right + missed)).toBeGreaterThanOrEqual(0.8);
  },
);

const OTHERS = labelled.others as unknown as Readonly<
  Record<string, readonly (readonly [position: number, start: string, isRule: number])[]>
>;

test.skipIf(recorded === '')(
  'rules of other sessions than those of the 200 lines, whose wrong ones were looked at once: the share of them that are rules (issue 13.3)',
  async () => {
    const counts = { right: 0, wrong: 0, unlabelled: 0 };
    for (const path of sessionFiles(recorded)) {
      const digest = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12);
      const lines = OTHERS[digest];
      if (lines === undefined) continue;
      for (const { position, value } of await rulesOf(path)) {
        const line = lines.find(([at, start]) => at === position && value.startsWith(start));
        if (line === undefined) counts.unlabelled++;
        else counts[line[2] === 1 ? 'right' : 'wrong']++;
      }
    }
    const { right, wrong, unlabelled } = counts;
    const precision = right / (right + wrong);
    process.stderr.write(
      `rules of other sessions: precision ${precision.toFixed(2)} of ${right + wrong} lines by one reading, ${unlabelled} without a label\n`,
    );
    expect(right + wrong).toBeGreaterThan(70);
    expect(unlabelled).toBe(0);
    // the goal is nine in ten, as on the 200 lines: not met here; it was .61 before the kinds of the wrong ones were looked at
    expect(precision).toBeGreaterThanOrEqual(0.75);
  },
);

const sessionFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /[/\\].+\.(?:jsonl|json|traj)$/.test(name))
    .map((name) => join(folder, name));

async function rulesOf(path: string) {
  const name = basename(path);
  const [longest] = mainThreads(await importFile(path, { name }), name)
    .map(({ thread }) =>
      thread.entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])),
    )
    .toSorted((one, other) => other.length - one.length);
  const ledger = createLedger();
  for (const message of longest ?? []) ledger.add(message);
  return ledger.facts().filter(({ type }) => type === 'rule');
}
