import type { Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import type { Compactor } from '../src/fidelity/compactor.ts';
import { dropOldest, keepSome } from '../src/fidelity/compactors/keep-some.ts';
import { ledgerCompact } from '../src/fidelity/compactors/ledger-compact.ts';
import { createFactExtractor } from '../src/fidelity/facts/extract.ts';
import type { Fact } from '../src/fidelity/facts/fact.ts';
import { createHaystack } from '../src/fidelity/match.ts';
import { measureCuts } from '../src/fidelity/measure-thread.ts';
import { scoreFacts } from '../src/fidelity/score.ts';
import { planOf } from './replays.ts';
import { edit, read, type Step } from './sessions.ts';

/** A session of a project whose words no other one has. */
const sessionOf = (word: string): readonly Step[] =>
  Array.from({ length: 14 }, (_, at): readonly Step[] => {
    const line = `const ${word}Value_${at} = compute_${word}_part(${at}, '${word}-item-${at}');`;
    return [
      {
        user: `Now ${word} step ${at}: change the ${word} part ${at}. Never touch ${word}-${at}.lock, I mean it.`,
      },
      read(`src/${word}/part-${at}.ts`, `${line}\n`.repeat(25)),
      edit(`src/${word}/part-${at}.ts`, line),
      { call: ['Bash', { command: `pnpm test ${word}-${at}` }], result: `${at + 3} passed` },
    ];
  }).flat();

const plan = planOf(sessionOf('harbor'));
const { history, sizes } = plan.recording;
const summary = (text: string): readonly Message[] => [
  { id: 's', role: 'user', origin: { kind: 'summary' }, content: [{ type: 'text', text }] },
];
function factsOf(messages: readonly Message[]): readonly Fact[] {
  const extractor = createFactExtractor();
  for (const message of messages) extractor.add(message);
  return extractor.facts();
}
const rowsOf = (...compactors: readonly Compactor[]) =>
  measureCuts(plan, {
    compactors,
    names: { session: 'test', project: 0 },
    budgets: [0.1, 0.2, 0.4],
  });

/** Writes one text for the whole, cut to the budget. */
const writing = (name: string, textOf: (messages: readonly Message[]) => string): Compactor =>
  keepSome(name, (messages, { tokens, sizeOf }) => {
    let text = textOf(messages);
    for (;;) {
      const [message] = summary(text) as [Message];
      if (sizeOf(message) <= tokens) return [message];
      text = text.slice(0, Math.floor(text.length * 0.9));
    }
  });

describe('sensitivity (EVALS 5.1)', () => {
  const rule =
    'Never touch the file harbor-3.lock, and use the port 8081 for every preview that you start.';
  const ruled = factsOf([
    { id: 'm', role: 'user', content: [{ type: 'text', text: rule }] },
  ]).filter(({ type }) => type === 'constraint');
  const bound = (text: string) => scoreFacts(ruled, createHaystack(summary(text))).vital;

  test.each([
    ['as it was said', rule, 1],
    ['in other white space and case', rule.toUpperCase().replaceAll(' ', '\n'), 1],
    ['without its negation', rule.replace('Never touch', 'Touch'), 0],
    ['with another port', rule.replace('8081', '8080'), 0],
    ['with a number that goes on', rule.replace('start.', 'started'), 0],
  ])('a rule %s', (_, text, expected) => {
    expect(bound(text)).toBe(expected);
  });

  const removed: Fact = {
    ...{ type: 'file-state', key: 'src/old.ts', stale: [], messageId: 'm', born: 0 },
    value: { kind: 'file', name: 'deleted' },
  };
  const matchOf = (text: string) => createHaystack(summary(text)).match(removed);

  test.each([
    ['- src/old.ts edited, then deleted', 'bound'],
    ['- src/old.ts deleted, then created again', 'contradicted'],
    ['- src/old.ts created', 'contradicted'],
    ['- src/old.ts created, deleted', 'key-only'],
    ['- src/old.ts will be deleted', 'key-only'],
    ['- src/old.ts is gone', 'bound'],
    ['Deleted src/new.ts and edited src/old.ts.', 'contradicted'],
    ['- src/old.ts was not deleted', 'contradicted'],
    ['- src/old.ts', 'key-only'],
    ['- src/old.ts edited\n- src/old.ts deleted', 'key-only'],
    ['Deleted src/old.ts and edited src/new.ts.', 'bound'],
    ['Edited src/old.ts and deleted src/new.ts.', 'contradicted'],
    ['src/new.ts edited, src/old.ts deleted.', 'bound'],
    ['src/new.ts, src/old.ts and src/more.ts deleted.', 'bound'],
    ['Removed the old parser from src/old.ts.', 'contradicted'],
    ['I looked at src/old.ts. The other file was deleted.', 'key-only'],
    ['## Deleted\n- src/old.ts', 'bound'],
    ['| src/old.ts | deleted |', 'bound'],
    ['- `git add src/old.ts && rm x`: ok', 'lost'],
    ['- src/older.ts deleted', 'lost'],
  ])('edits in another order: %s', (text, expected) => {
    expect(matchOf(text)).toBe(expected);
  });

  test('names alone stay when states are swapped: presence does not see what being bound does', () => {
    const facts = factsOf(history).filter(({ type }) => type === 'file-state');
    const good = facts.map(({ key }) => `- ${key} edited`).join('\n');
    const swapped = good.replaceAll('edited', 'deleted');
    const [one, other] = [good, swapped].map(
      (text) => scoreFacts(facts, createHaystack(summary(text))).types['file-state'],
    );
    expect(one).toMatchObject({ bound: facts.length, lost: 0 });
    expect(other).toMatchObject({ bound: 0, lost: 0 });
  });
});

describe('gaming (EVALS 5.3)', () => {
  const vitalOf = (rows: Awaited<ReturnType<typeof rowsOf>>, name: string) =>
    rows.filter(({ compactor }) => compactor === name).map(({ vital }) => vital ?? 0);

  test('padding in front takes room, and wins nothing', async () => {
    const padded = keepSome('padded', (messages, { tokens, sizeOf }) => {
      const [pad] = summary('Nothing of interest here. '.repeat(Math.floor(tokens / 12))) as [
        Message,
      ];
      const run = dropOldest.create({ head: plan.recording.head, sizeOf });
      for (const message of messages) run.add(message);
      const rest = run.compact(tokens - sizeOf(pad)) as { messages: readonly Message[] };
      return [pad, ...rest.messages];
    });
    const rows = await rowsOf(padded, dropOldest);
    const [own, plain] = [vitalOf(rows, 'padded'), vitalOf(rows, 'drop-oldest')];
    for (const [at, vital] of own.entries()) expect(vital).toBeLessThanOrEqual(plain[at] as number);
    expect(own.reduce((sum, each) => sum + each)).toBeLessThan(
      plain.reduce((sum, each) => sum + each),
    );
  });

  test('handles to everything bind nothing, and count half of what can be found', async () => {
    const handles = writing('handles', (messages) => messages.map(({ id }) => `[${id}]`).join(' '));
    const rows = (await rowsOf(handles)).filter(({ compactor }) => compactor === 'handles');
    for (const { vital, recall, recallWithRecovery } of rows) {
      expect(vital).toBe(0);
      expect(recall).toBe(0);
      expect(recallWithRecovery).toBeLessThanOrEqual(0.5);
      expect(recallWithRecovery).toBeGreaterThan(0);
    }
  });

  test('all names of the session, one behind the other, bind little of it', async () => {
    const bag = writing('bag', (messages) => {
      const words = JSON.stringify(messages).match(/[\w./-]{4,}/g) ?? [];
      return [...new Set(words)].toSorted().join(' ');
    });
    for (const vital of vitalOf(await rowsOf(bag), 'bag')) expect(vital).toBeLessThan(0.3);
  });
});

describe('bounds (EVALS 5.4)', () => {
  test('another session, of another project, has at most a twentieth of the facts', () => {
    const other = planOf(sessionOf('meadow')).recording.history;
    const { vital, recall } = scoreFacts(factsOf(history), createHaystack(other));
    expect(vital).toBeLessThanOrEqual(0.05);
    expect(recall).toBeLessThanOrEqual(0.05);
  });

  test('of what is needed next no choice of whole messages has more than the oracle', async () => {
    const rows = await rowsOf(dropOldest);
    const within = rows.filter(({ share, budget }) => budget !== null && share <= budget);
    expect(within.length).toBeGreaterThan(20);
    for (const row of within) {
      const best = rows.find(
        ({ compactor, cut, budget }) =>
          compactor === 'oracle' && cut === row.cut && budget === row.budget,
      );
      expect(best?.hindsight ?? 1).toBeGreaterThanOrEqual(row.hindsight ?? 0);
    }
  });

  test('the ledger keeps no fewer of the facts with more room', async () => {
    const rows = (await rowsOf(ledgerCompact)).filter(
      ({ compactor }) => compactor === 'ledger-compact',
    );
    for (const cut of new Set(rows.map((row) => row.cut))) {
      const vital = rows.filter((row) => row.cut === cut).map((row) => row.vital ?? 0);
      expect(vital).toEqual(vital.toSorted((one, other) => one - other));
    }
    expect(sizes.message(history[0] as Message)).toBeGreaterThan(0);
  });
});
