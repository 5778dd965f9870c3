import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordings } from '../recordings/recordings.ts';
import { bundleProgram } from '../src/bundle-program.ts';
import { AGENT_PROGRAM, recordAgent } from '../src/record/agent-session.ts';
import { serializeLog } from '../src/record/log-writer.ts';
import { recordSession } from '../src/record/record-session.ts';
import type { Recording } from '../src/record/recording.ts';
import {
  fails,
  interrupted,
  say,
  shell,
  shows,
  steered,
  user,
  write,
} from '../src/record/steps.ts';
import { root } from '../src/workspace.ts';

// As many steps of each session as take a few seconds together; `pnpm record` plays the rest.
const STEPS = 9;

const tiny = (steps: Recording['steps'], last: readonly string[] = []): Recording => ({
  name: 'tiny',
  task: 'Nothing.',
  model: 'claude-opus-5',
  params: {},
  sources: [],
  startedAt: '2026-01-02T03:04:05.000Z',
  recordedOn: '2026-01-02',
  steps,
  finally: last,
});

const messagesOf = (recording: Recording) =>
  recordSession(recording).flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));

test('A2: the agent does its recorded session again as it is committed', async () => {
  const logs = await recordAgent(await bundleProgram(AGENT_PROGRAM));
  expect([...logs.keys()]).toEqual(['amounts.jsonl', 'amounts/agents/explore-1.jsonl']);
  for (const [file, log] of logs) {
    const committed = readFileSync(join(root, 'fixtures', 'agent', file), 'utf8');
    expect(withoutPrompt(log)).toEqual(withoutPrompt(committed));
  }
}, 60_000);

/** Lines of a log without system prompt, tools, and what they cost: the words of the prompt may become others. */
const withoutPrompt = (log: string): unknown[] =>
  log
    .trimEnd()
    .split('\n')
    .map((line) =>
      JSON.parse(line, (key, value: unknown) =>
        OF_THE_PROMPT.test(key) || (typeof value === 'number' && /tokens/i.test(key)) ? 0 : value,
      ),
    );

const OF_THE_PROMPT = /^(?:system|tools|fingerprint)$/;

describe('recordSession', () => {
  test.each(recordings.map((recording) => [recording.name, recording] as const))(
    'plays the first steps of %s into the bytes that are committed',
    (name, recording) => {
      const committed = readFileSync(join(root, 'fixtures', 'sessions', `${name}.jsonl`), 'utf8');
      const steps = recording.steps.slice(0, STEPS);
      const log = serializeLog(recordSession({ ...recording, steps, finally: [] }));
      expect(log.split('\n').length).toBeGreaterThan(STEPS);
      expect(committed.startsWith(log)).toBe(true);
    },
  );

  test('logs a message that arrives while calls run between their results', () => {
    const step = steered(say('Both.', shell('echo a'), shell('echo b')), 1, 'And c, please.');
    const messages = messagesOf(tiny([user('Go.'), step]));
    expect(messages.map(({ origin }) => origin?.kind ?? 'person')).toEqual([
      'person',
      'person',
      'tool',
      'person',
      'tool',
    ]);
  });

  test('closes stopped calls with synthetic results and does not run them', () => {
    const step = interrupted(say('Both.', write('a', 'x'), shell('exit 1')), 1);
    const messages = messagesOf(tiny([user('Go.'), step], ['test -f a']));
    expect(messages.map(({ origin }) => origin?.kind)).toEqual([
      undefined,
      undefined,
      'tool',
      'synthetic',
    ]);
  });

  test.each([
    ['succeeds where failure was said', fails(shell('true'))],
    ['fails where success was said', shell('false')],
    ['shows something else', shows(shell('echo 7'), '8')],
  ])('stops when a call %s', (_title, call) => {
    expect(() => recordSession(tiny([user('Go.'), say('', call)]))).toThrow('the script expects');
  });

  test('stops when the project is not right in the end', () => {
    expect(() => recordSession(tiny([user('Go.')], ['exit 4']))).toThrow('after the last step');
  });

  test('stops when another version of a package is installed', () => {
    const recording = { ...tiny([]), sources: [{ name: 'js-yaml', version: '1.0.0' }] };
    expect(() => recordSession(recording)).toThrow('js-yaml 1.0.0');
  });
});
