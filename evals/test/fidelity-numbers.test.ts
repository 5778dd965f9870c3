import { createLedger, renderLedger } from '@varve/ledger';
import { describe, expect, test } from 'vitest';
import type { Fact } from '../src/fidelity/facts/fact.ts';
import { factNames } from '../src/fidelity/file-names.ts';
import { createHaystack } from '../src/fidelity/match.ts';
import { momentsAt } from '../src/fidelity/moments.ts';
import { summary } from './fidelity-probes.ts';
import { planOf } from './replays.ts';
import { edit, randomFrom, type Step } from './sessions.ts';

const SEED = 9;
const SESSIONS = 60;

/** A session in whose rules, messages, findings, checks, todos and answers a number stands. */
function stepsOf(random: () => number): readonly Step[] {
  const number = (below = 9_000): number => Math.floor(random() * below) + 3;
  const [port, wait, share, day] = [number(), number(), number(90), number(25)];
  const [ms, lines, size, ticket] = [number(), number(), number(), number(90_000)];
  const passed = number(2_000);
  const shell = (command: string, result: string): Step => ({
    call: ['Bash', { command }],
    result,
  });
  return [
    {
      user: `Make the importer read every file of release ${day} again. It has to answer on port ${port} and to wait no longer than ${wait} milliseconds. Never retry more than ${number(9)} times, and only keep ${share}.5 percent of the rows. We had ${ms}, ${lines} and ${size} rows in the last three runs.`,
    },
    edit(`src/part${number()}/step-${number()}.ts`, `const stepLimit_${number()} = ${number()};`),
    {
      say: `The cause is that readStep_${ticket} drops ${lines} of ${size} rows because of limit ${ms}.`,
    },
    shell(`pnpm test part${number()}`, `${number(40)} failed, ${passed} passed`),
    shell(`pnpm test step${number()}`, `${number(2_000)} passed`),
    {
      call: [
        'TodoWrite',
        {
          todos: [
            { content: `Close ticket ${ticket}`, status: 'pending' },
            { content: `Raise the limit to ${ms}`, status: 'completed' },
          ],
        },
      ],
      result: 'ok',
    },
    {
      call: [
        'AskUserQuestion',
        {
          questions: [
            {
              question: `Which of the ${number(9)} ports?`,
              options: [{ label: String(port) }, { label: String(port + 1) }],
            },
          ],
        },
      ],
      result: `User said: "Which of the ${number(9)} ports?"="${port}"`,
    },
    shell('pnpm build', `exit code 2\nTypeError: row ${lines} has ${size} columns`),
    { user: `Good. Put ${size} into the notes of ticket ${ticket}, then stop.` },
    { say: `Next readStep_${ticket} has to take ${lines} of ${size} rows with limit ${ms}.` },
    { user: 'Go on.' },
    { say: `Now readStep_${ticket} takes ${lines} and ${size}, with ${ms}.` },
  ];
}

/** Numbers that say what a fact is or has, as they stand in a text. */
function numbersOf({ key, value, terms, type }: Fact): readonly string[] {
  const said = type === 'said' ? (terms ?? []).join(' ') : `${key} ${value?.name ?? ''}`;
  return [...new Set([...said.matchAll(/\d+/g)].map(([number]) => number))];
}

describe('a number that moved by one, on a generated set (FIDELITY 2.6)', () => {
  const random = randomFrom(SEED);
  const unseen: string[] = [];
  const types = new Set<string>();
  let asked = 0;
  for (let session = 0; session < SESSIONS; session++) {
    const { recording } = planOf(stepsOf(random));
    const at = recording.history.length - 2;
    const [moment] = momentsAt([{ messageIndex: at }], recording);
    const ledger = createLedger();
    for (const message of recording.history.slice(0, at)) ledger.add(message);
    const sizeOf = (text: string): number => Math.ceil(text.length / 4);
    const { text } = renderLedger(ledger, { budgetTokens: 4_000, sizeOf });
    const facts = moment?.facts ?? [];
    const nameOf = factNames(facts);
    const hay = createHaystack(summary(text));
    for (const fact of facts) {
      if (hay.match(fact, nameOf(fact)) !== 'bound') continue;
      for (const number of numbersOf(fact)) {
        const by = random() < 0.5 ? 1 : -1;
        const moved = text.replace(
          new RegExp(`(?<!\\d)${number}(?!\\d)`, 'g'),
          String(Number(number) + by),
        );
        if (moved === text) continue;
        asked++;
        types.add(fact.type);
        const found = createHaystack(summary(moved)).match(fact, nameOf(fact));
        if (found === 'bound') unseen.push(`${fact.type} ${number}: ${fact.key}`);
      }
    }
  }

  // unseen is only another folder in one of two lines that name a file: the other one says its own name and state
  test('is seen in 1,914 of 1,974 (97 %), seed 9', () => {
    expect(unseen.every((each) => each.startsWith('file-state '))).toBe(true);
    expect([...types].sort()).toEqual([
      ...['choice', 'command', 'constraint', 'file-state', 'open-error', 'outcome', 'said'],
      ...['test-status', 'todo', 'user-message'],
    ]);
    expect({ asked, unseen: unseen.length }, unseen.join('\n')).toEqual({
      asked: 1974,
      unseen: 60,
    });
  });
});
