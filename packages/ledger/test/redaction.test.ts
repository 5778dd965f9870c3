import type { Message } from '@varve/messages';
import { SECRET_KINDS } from '@varve/redact/testing';
import { expect, test } from 'vitest';
import { checkSummary, createLedger, renderLedger } from '../src/index.ts';
import { ledgerOf, runs } from './session.ts';

const sizeOf = (text: string) => Math.ceil(text.length / 4);

function session(index: number) {
  const { make } = SECRET_KINDS[index] as (typeof SECRET_KINDS)[number];
  const examples = [make(1), make(2), make(3)];
  const [said, command, result] = examples.map(({ text }) => text) as [string, string, string];
  const messages: Message[] = [
    { id: 'u', role: 'user', content: [{ type: 'text', text: `Always use this: ${said}` }] },
    {
      id: 'a',
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command } }],
    },
    {
      id: 'r',
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't', content: `Error: ${result}`, is_error: true },
      ],
    },
  ];
  return { messages, secrets: examples.map(({ secret }) => secret), said };
}

const checkedAsSaid = (messages: readonly Message[], said: string): string => {
  const ledger = createLedger({ redact: false });
  for (const message of messages) ledger.add(message);
  const visible = { pins: [said], visible: said };
  const summary = `# Rules\n- "Always use this: ${said}"`;
  return checkSummary(summary, { ledger, budgetTokens: 4_000, sizeOf, ...visible }).text;
};

const found = (secrets: readonly string[], value: unknown): string[] =>
  secrets.filter((secret) => JSON.stringify(value).includes(secret));

test.each(SECRET_KINDS.map(({ name }, index) => [`${index} ${name}`, index] as const))(
  'L325: %s stands in no fact, in no text of the ledger and in no summary that it checks',
  (_, index) => {
    const { messages, secrets, said } = session(index);
    const ledger = createLedger();
    for (const message of messages) ledger.add(message);
    const options = { budgetTokens: 4_000, sizeOf, pins: [said], have: said };
    const checked = checkSummary(`# Rules\n- "Always use this: ${said}"`, {
      ...{ ledger, budgetTokens: 4_000, sizeOf, pins: [said], visible: said },
    });
    const rendered = renderLedger(ledger, options);
    const all = [ledger.facts(), ledger.superseded(), ledger.words(), ledger.refusals()];
    expect(found(secrets, [all, rendered, checked])).toEqual([]);
    // what the summary says with the secret is what the ledger knows without it: nothing is missing that was not before
    const repeats = (text: string) => text.split('Always use this').length;
    expect(repeats(checked.text)).toBeLessThanOrEqual(repeats(checkedAsSaid(messages, said)));
    expect(JSON.stringify(messages)).toContain(JSON.stringify(said).slice(1, -1));
  },
);

test('`redact: false` leaves facts as they were said', () => {
  const index = SECRET_KINDS.findIndex(({ name }) => name === 'github token');
  const { messages, secrets } = session(index);
  const ledger = createLedger({ redact: false });
  for (const message of messages) ledger.add(message);
  expect(found(secrets.slice(0, 1), ledger.words())).toEqual(secrets.slice(0, 1));
  expect(ledger.redact(secrets[0] as string)).toBe(secrets[0]);
});

// siblings looked for: a user and a password, a flag with its value glued to it and apart from it, a place without a flag
test.each([
  [['curl', '-u', 'admin:§', 'https://api.example']],
  [['mysql', '-uroot', '-p§', 'app']],
  [['deploy', '--token', '§']],
  [['sshpass', '-p', '§', 'ssh', 'root@db.example']],
  [['vault', 'login', '§']],
])('L325: a command as a list of arguments reaches no fact: %j', (list) => {
  const secret = ['Zx9k', 'Q2mB', '7vT4', 'wL8p'].join('');
  const command = list.map((argument) => argument.replace('§', secret));
  const ran = { result: 'fatal: it was refused', isError: true };
  const ledger = ledgerOf(runs('shell', { command }, ran), runs('shell', { command }, ran));
  const shown = JSON.stringify([
    ledger.facts(),
    ledger.words(),
    renderLedger(ledger, { budgetTokens: 4_000, sizeOf }),
  ]);
  expect(shown).toContain(list[0]);
  expect(shown).not.toContain(secret);
});
