import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { defaultSessions, defaultSummaries } from '../src/default-paths.ts';
import { compactAnswered, summaryRequest } from '../src/fidelity/compactors/answered.ts';
import { readSummaries } from '../src/fidelity/recorded-summaries.ts';
import { requestText } from '../src/fidelity/request-text.ts';
import { runFidelity } from '../src/fidelity/run-fidelity.ts';
import { planOf } from './replays.ts';
import { edit, read, type Step } from './sessions.ts';

const SESSION: readonly Step[] = Array.from({ length: 20 }, (_, at): readonly Step[] => [
  { user: `Step ${at}: change part ${at}.` },
  read(`src/part-${at}.ts`, `const part_${at} = compute_part(${at});\n`.repeat(40)),
  edit(`src/part-${at}.ts`, `const part_${at} = compute_part(${at});`),
  { say: 'Done.' },
]).flat();
const plan = planOf(SESSION);
const place = { session: 'test', messageIndex: 60 };

async function answered(text: string) {
  const { unanswered } = await summaryRequest(plan, place);
  return compactAnswered(plan, { ...unanswered, text });
}

describe('compactAnswered (C4, EVALS)', () => {
  test('checks and repairs the answer, and shows it as it was written, too', async () => {
    const [full, alone] = await answered(
      '<scratchpad>thinking aloud</scratchpad><summary>The user said: "paint the moon green". Parts were changed.</summary>',
    );
    expect(alone?.synthesised.join()).toContain('paint the moon green');
    expect(full?.synthesised.join()).not.toContain('The user said: "paint the moon green"');
    expect(full?.synthesised.join()).toContain('Step 3: change part 3.');
    expect([...(full?.synthesised ?? []), ...(alone?.synthesised ?? [])].join()).not.toContain(
      'aloud',
    );
  });

  test.each(['prompt', 'request'] as const)('another %s makes it stale', async (field) => {
    const { unanswered } = await summaryRequest(plan, place);
    const stale = {
      ...unanswered,
      text: '<summary>Parts were changed.</summary>',
      [field]: 'other',
    };
    await expect(compactAnswered(plan, stale)).rejects.toMatchObject({ code: 'stale-recording' });
  });

  test('the request is a text to read, with the instruction at its end', async () => {
    const { request } = await summaryRequest(plan, place);
    const text = requestText(request);
    expect(text).toContain('[call of Read] {"file_path":"src/part-3.ts"}');
    expect(text.trim().split('\n').at(-1)).toContain('</summary>');
  });
});

describe('readSummaries', () => {
  test('refuses what was never answered, and finds nothing where there is no folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'varve-summaries-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { unanswered } = await summaryRequest(plan, place);
    writeFileSync(join(folder, 'a.json'), JSON.stringify(unanswered));
    await expect(readSummaries(folder)).rejects.toMatchObject({ code: 'bad-recording' });
    expect(await readSummaries(join(folder, 'none'))).toEqual([]);
  });
});

test('our own recorded summaries answer what is asked now, and repairing them loses nothing', async () => {
  const { totals } = await runFidelity({
    sessions: [defaultSessions()],
    compactors: ['drop-oldest'],
    budgets: [0.1],
    summaries: defaultSummaries(),
  });
  const of = (name: string) => totals.find(({ compactor }) => compactor === name);
  expect(of('full-compact')?.vital).toBeGreaterThanOrEqual(of('summary unchecked')?.vital ?? 1);
  expect(of('full-compact')).toMatchObject({ wrongClaims: 0 });
});
