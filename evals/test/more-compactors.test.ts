import { createLedger } from '@varve/ledger';
import { describe, expect, test } from 'vitest';
import { findCompactors } from '../src/fidelity/built-in-compactors.ts';
import { collapse } from '../src/fidelity/compactors/collapse.ts';
import { ledgerWithFiles } from '../src/fidelity/compactors/ledger-arms.ts';
import { ledgerCompact } from '../src/fidelity/compactors/ledger-compact.ts';
import { sessionMemory } from '../src/fidelity/compactors/session-memory.ts';
import { summariesIn } from '../src/fidelity/summaries-in.ts';
import { planOf } from './replays.ts';
import { edit, read, type Step } from './sessions.ts';

const SESSION: readonly Step[] = Array.from({ length: 20 }, (_, at): readonly Step[] => [
  { user: `Step ${at}: change part ${at}. Never touch lock-${at}.json.` },
  ...Array.from({ length: 4 }, (_, part) =>
    read(`src/part-${at}-${part}.ts`, `const part_${at} = compute_part(${at});\n`.repeat(60)),
  ),
  edit(`src/part-${at}-0.ts`, `const part_${at} = compute_part(${at});`),
  { say: `Part ${at} is done.` },
]).flat();
const plan = planOf(SESSION);
const { head, history, sizes } = plan.recording;
const tokens = history.reduce((sum, message) => sum + sizes.message(message), 0);

function started(compactor: typeof collapse) {
  const run = compactor.create({ head, sizeOf: sizes.message });
  for (const message of history) run.add(message);
  return run;
}
const sizeOf = (messages: typeof history): number =>
  messages.reduce((sum, message) => sum + sizes.message(message), 0);
const said = history.flatMap(({ role, content }) =>
  role === 'user' ? content.flatMap((block) => ('text' in block ? [String(block.text)] : [])) : [],
);

test.for([ledgerCompact, ledgerWithFiles, sessionMemory])(
  '$name leaves the same with a ledger that others were given, place after place',
  async (compactor) => {
    const ledger = createLedger();
    let known = 0;
    for (const part of [0.5, 1]) {
      const past = history.slice(0, Math.floor(history.length * part));
      for (; known < past.length; known++) ledger.add(past[known] as (typeof past)[number]);
      for (const share of [0.1, 0.2]) {
        const context = { head, sizeOf: sizes.message };
        const own = compactor.create(context);
        const sharing = compactor.create({ ...context, ledger: () => ledger });
        for (const message of past) [own, sharing].forEach((run) => void run.add(message));
        const budget = Math.floor(tokens * part * share);
        expect(await sharing.compact(budget)).toEqual(await own.compact(budget));
      }
    }
  },
);

describe.for([sessionMemory, collapse])('$name (N, C12, EVALS)', (compactor) => {
  test('keeps within a budget, and what was said', async () => {
    const { messages, synthesised } = await started(compactor).compact(Math.floor(tokens * 0.2));
    expect(sizeOf(messages)).toBeLessThanOrEqual(tokens * 0.2);
    expect(synthesised).toEqual(summariesIn(messages));
    expect(synthesised.length).toBeGreaterThan(0);
    const text = JSON.stringify(messages);
    for (const words of said) expect(text).toContain(words);
    expect(text).toContain('part-3-0.ts');
  });

  test('leaves alone what fits, and gives the same again', async () => {
    const all = await started(compactor).compact(tokens);
    expect(all.messages.map(({ id }) => id)).toEqual(history.map(({ id }) => id));
    expect(all.synthesised).toEqual([]);
    const budget = Math.floor(tokens * 0.1);
    const [one, other] = [started(compactor), started(compactor)];
    expect(await one.compact(budget)).toEqual(await other.compact(budget));
  });

  test('compacts to a budget in which what it asks a model would not fit', async () => {
    const { messages, synthesised } = await started(compactor).compact(Math.floor(tokens * 0.05));
    expect(synthesised.length).toBeGreaterThan(0);
    expect(sizeOf(messages)).toBeLessThan(tokens * 0.5);
  });

  test('goes on after a compaction: what came later is there as well', async () => {
    const run = compactor.create({ head, sizeOf: sizes.message });
    const half = history.length / 2;
    for (const message of history.slice(0, half)) run.add(message);
    await run.compact(Math.floor(tokens * 0.15));
    for (const message of history.slice(half)) run.add(message);
    const text = JSON.stringify((await run.compact(Math.floor(tokens * 0.2))).messages);
    for (const words of said) expect(text).toContain(words);
  });
});

test('compactors are found by name, and an unknown one is refused with the names there are', async () => {
  expect(await findCompactors(['collapse+ledger', 'session-memory+ledger'])).toEqual([
    collapse,
    sessionMemory,
  ]);
  await expect(findCompactors(['magic'])).rejects.toThrow(/ledger-compact/);
});
