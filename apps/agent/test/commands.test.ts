import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ContextReport } from '../src/commands/context-report.ts';
import { isCommand, slashIn } from '../src/commands/slash.ts';
import { use, workbench } from './support.ts';

type Replies = Parameters<typeof workbench>[0]['replies'];

/** A conversation in plain lines: what is typed, one line each, and what came of it. */
async function typed(lines: readonly string[], replies: Replies, ...more: readonly string[]) {
  const bench = await workbench({ replies });
  const talk = (input: readonly string[], ...args: readonly string[]) =>
    bench.run(['--plain', '--permission-mode', 'bypassPermissions', ...more, ...args], {
      input: `${input.join('\n')}\n`,
    });
  return { ...bench, talk, ran: await talk(lines) };
}

const summary = '<analysis>a</analysis><summary>We counted.</summary>';
const counting: Replies = ({ request }) => {
  const last = JSON.stringify(request.messages.at(-1));
  if (last.includes('summary')) return summary;
  return last.includes('tool_result')
    ? 'Counted.'
    : use(`call_${request.messages.length}`, 'Bash', { command: 'seq 20000' });
};

test('A6: /context shows where each token and cent went, and its JSON adds up to the bill', async () => {
  const { ran } = await typed(
    [
      'Count.',
      '/context',
      'Count again.',
      '/compact the numbers',
      'And once more.',
      '/context --json',
      '/cost',
    ],
    counting,
  );
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  for (const part of ['system prompt', 'results of tools', 'Next compaction: at', 'together'])
    expect(ran.stdout).toContain(part);
  expect(ran.stdout.split('\n').filter((line) => line.length > 120)).toEqual([]);
  const json = ran.stdout.slice(ran.stdout.indexOf('{\n'), ran.stdout.indexOf('\n}\n') + 2);
  const { billed, layers, next, stored } = JSON.parse(json) as ContextReport;
  const parts = billed.split.parts.flatMap(({ read, again, added }) => [read, again, added]);
  const sum = [...parts, billed.split.output].reduce((total, { dollars }) => total + dollars, 0);
  const others = billed.callers.filter(({ by }) => by !== 'reply');
  expect(others.map(({ by }) => by)).toEqual(['compact']);
  expect(sum + others.reduce((total, { dollars }) => total + dollars, 0)).toBeCloseTo(
    billed.dollars,
    8,
  );
  expect(Object.values(next.parts).reduce((total, tokens) => total + tokens, 0)).toBeCloseTo(
    next.tokens,
    3,
  );
  expect(layers).toMatchObject([{ layer: 'compact', edits: 1, reasons: { manual: 1 } }]);
  expect(layers[0]?.freedTokens).toBeGreaterThan(1_000);
  expect(billed.split.breaks).toMatchObject([{ cause: 'compaction', isExpected: true, count: 1 }]);
  expect(stored.results).toBeGreaterThan(0);
});

test('A6: /rewind offers nothing that a summary holds, and says which numbers there are', async () => {
  const { ran } = await typed(
    [
      `Say one. ${'Many words of it. '.repeat(1_000)}`,
      'Say two.',
      '/compact',
      '/rewind 1',
      'Say three.',
      '/rewind 7',
      '/rewind 1',
    ],
    ({ request }) =>
      JSON.stringify(request.messages.at(-1)).includes('summary') ? summary : 'Said.',
  );
  expect(ran.stdout).toContain('What stands in a summary comes back with /undo first.');
  expect(ran.stdout).toContain('/rewind takes a number from 1 to 1.');
  expect(ran.stdout).toMatch(/Gone back\./);
});

test('A6: /undo takes a compaction back, /rewind goes back to before a message, and both last', async () => {
  const { ran, bodies, talk } = await typed(
    [
      `Say one. ${'Many words of it. '.repeat(1_000)}`,
      '/compact',
      '/undo',
      'Say two.',
      '/rewind 1',
      'Say three.',
    ],
    ({ request }) =>
      JSON.stringify(request.messages.at(-1)).includes('summary') ? summary : 'Said.',
  );
  expect(ran.stdout).toContain('Compacted');
  expect(ran.stdout).toContain('Taken back: compact, manual.');
  expect(ran.stdout).toContain('Gone back.');
  const sent = () => JSON.stringify(bodies().at(-1)?.messages).replaceAll(MARKER, '');
  const last = sent();
  expect(last).toContain('Say one.');
  expect(last).toContain('Say three.');
  expect(last).not.toContain('Say two.');
  await talk(['Say four.'], '--continue');
  expect(sent().startsWith(last.slice(0, -1))).toBe(true);
});

const MARKER = ',"cache_control":{"type":"ephemeral"}';

test('A6: /clear, /fork and /resume open sessions; a fork leaves what it came from as it was', async () => {
  const { ran, talk, bodies } = await typed(
    ['Say one.', '/fork', 'Say two.', '/clear', 'Say three.'],
    () => 'Said.',
  );
  const ids = [...ran.stdout.matchAll(/session ([0-9a-f-]{36})/g)].map(([, id]) => id as string);
  expect(new Set(ids).size).toBe(3);
  const said = () => JSON.stringify(bodies().at(-1)?.messages);
  expect(said()).not.toContain('Say one.');
  await talk([`/resume ${ids[1]}`, 'Say four.']);
  expect(said()).toContain('Say two.');
  await talk([`/resume ${ids[0]}`, 'Say five.']);
  expect(said()).toContain('Say one.');
  expect(said()).not.toContain('Say two.');
});

test('A6: /model and /mode hold from then on, !command runs and is seen, /export leaves secrets out', async () => {
  const key = `sk-ant-api03-${'Ab1'.repeat(31)}-AAAAAAAA`;
  const { ran, emulator, bodies, read, folder, talk } = await typed(
    [
      'Hello.',
      '/model claude-sonnet-5',
      `!printf '\\033[31mred '; echo ${key}`,
      'What did it print?',
      '/mode acceptEdits',
      '/export out.md',
      '/nonsense',
      '/help',
    ],
    () => 'Fine.',
  );
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  const models = emulator.requests.map(({ json }) => (json as { readonly model: string }).model);
  expect(models).toEqual(['claude-opus-5-5', 'claude-sonnet-5']);
  expect(JSON.stringify(bodies().at(-1)?.messages)).toContain('which printed:');
  expect(ran.stdout).not.toContain('\x1b');
  expect(ran.stdout).toContain('There is no command /nonsense');
  expect(ran.stdout).toContain('/rewind');
  const written = read('out.md');
  expect(written).toContain('## You\n\nHello.');
  expect(written).not.toContain(key);
  expect(readdirSync(folder)).toEqual(['out.md']);
  await talk(['Go on.'], '--continue');
  expect(emulator.requests.at(-1)?.json).toMatchObject({ model: 'claude-sonnet-5' });
});

test('A2: a person is asked, says why not, and the model is told', async () => {
  const bench = await workbench({
    replies: ({ request }) =>
      JSON.stringify(request.messages.at(-1)).includes('tool_result')
        ? 'Then not.'
        : use('call_1', 'Bash', { command: 'touch made' }),
  });
  const ran = await bench.run(['--plain', 'Make it.'], { input: 'not on my disk\n' });
  expect(ran.code).toBe(0);
  expect(readdirSync(bench.folder)).toEqual([]);
});

test('A6: the same prompt makes the same requests in a conversation and with -p', async () => {
  const { run, emulator, write } = await workbench({
    replies: ({ request }) =>
      JSON.stringify(request.messages.at(-1)).includes('tool_result')
        ? 'It says hello.'
        : use('call_1', 'Read', { file_path: 'a.txt' }),
  });
  write('a.txt', 'hello\n');
  await run(['-p', 'What does a.txt say?']);
  await run(['--plain'], { input: 'What does a.txt say?\n' });
  const [first, second, ...others] = emulator.requests.map(({ json }) =>
    JSON.stringify(json, (name, value: unknown) => (name === 'diagnostics' ? undefined : value)),
  );
  expect(others).toEqual([first, second]);
});

test('A6: a slash calls something behind blanks and lines as well; a path, a comment and words call nothing', () => {
  expect(slashIn('\n  /context --json\n')).toEqual({ name: 'context', words: '--json' });
  expect(slashIn('/plan\nfirst\nsecond')).toEqual({ name: 'plan', words: 'first\nsecond' });
  expect(slashIn('/plugin:skill a')).toEqual({ name: 'plugin:skill', words: 'a' });
  for (const text of ['/usr/bin/env is gone', '// a comment', 'words /context', ''])
    expect([slashIn(text), isCommand(text)]).toEqual([undefined, false]);
  expect([' !ls', '\n#keep this', ' /cost'].map(isCommand)).toEqual([true, true, true]);
});
