import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from '@varve/emulator';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AgentEvent } from '../src/events.ts';
import { runTurn } from '../src/loop.ts';
import { connect } from '../src/model.ts';
import { createSession, type SessionOptions } from '../src/session.ts';
import { parseSwitch, readSwitches, SWITCH_NAMES, type SwitchName } from '../src/switches.ts';
import type { TelemetryEvent } from '../src/telemetry.ts';
import { folderOf, linesOf, use, workbench } from './support.ts';

const MOST_CALLS = 4;
const SUMMARY = '<analysis>a</analysis><summary>We counted the lines of files.</summary>';

interface Played {
  /** What clearing did, or why it did nothing. */
  readonly clearing: string;
  readonly requests: string;
  readonly events: string;
  readonly telemetry: string;
}

/** A session of a few rounds with large results over a small window, and what was sent and told. */
async function play(layerFlags: Record<string, unknown>, more: Partial<SessionOptions> = {}) {
  const root = folderOf('varve-switches-');
  writeFileSync(join(root, 'AGENTS.md'), 'Speak plainly.\n');
  let calls = 0;
  const emulator = await startEmulator({
    replies: ({ request }) => {
      const last = JSON.stringify(request.messages.at(-1));
      if (request.head.model.includes('haiku')) return 'Nothing.';
      if (last.includes('<summary>')) return SUMMARY;
      if (calls === MOST_CALLS) return 'Counted.';
      calls += 1;
      return use(`call_${calls}`, 'Bash', { command: `seq ${calls} ${9_000 + calls}` });
    },
  });
  onTestFinished(() => emulator.close());
  const events: AgentEvent[] = [];
  const telemetry: TelemetryEvent[] = [];
  const session = await createSession({
    ...{ cwd: root, configDir: join(root, 'config'), home: root, shell: '/bin/sh' },
    ...{ model: 'claude-opus-4-8', permissionMode: 'bypassPermissions', layerFlags },
    connect: (model) => connect({ model, anthropicKey: 'x', baseUrl: emulator.url }),
    emit: (event) => void events.push(event),
    onTelemetry: (event) => void telemetry.push(event),
    limits: { turns: 9 },
    ...{ windowTokens: 60_000, compactPercent: 30 },
    ...more,
  });
  await runTurn(session.agent, 'Count the lines.', new AbortController().signal).catch(
    () => undefined,
  );
  await session.agent.context.compact().catch(() => undefined);
  await runTurn(session.agent, 'Again.', new AbortController().signal).catch(() => undefined);
  await session.close();
  expect(emulator.report().refused).toBe(0);
  const plain = (value: unknown) =>
    JSON.stringify(value)
      .replaceAll(root, '(root)')
      .replaceAll(/varve-switches-\w+|-[0-9a-f]{12}\b|msg_\w+|"durationMs":[\d.]+/g, '');
  const clearing = plain(
    events.flatMap((event) =>
      event.kind === 'layer' && event.event.layer === 'microcompact'
        ? [[event.event.kind, 'reason' in event.event ? event.event.reason : '']]
        : [],
    ),
  );
  const requests = plain(emulator.requests.map(({ json }) => json));
  return {
    clearing,
    requests,
    events: plain(events),
    telemetry: plain(telemetry),
    all: telemetry,
  };
}

/** What each switch changes when it is not as it comes. */
const ROWS: Partial<Record<SwitchName, readonly [unknown, keyof Played, string | undefined]>> = {
  toolStorage: [false, 'requests', '"read_stored"'],
  'toolStorage.thresholds': [{ Bash: 500 }, 'requests', undefined],
  'clear.time': [true, 'clearing', undefined],
  'clear.count': [true, 'clearing', undefined],
  'clear.rent': [false, 'clearing', undefined],
  'clear.server': [true, 'requests', 'context_management'],
  snip: [true, 'events', '"layer":"snip"'],
  collapse: [true, 'events', '"layer":"collapse"'],
  reactiveOnly: [true, 'events', 'reactive-only'],
  compact: [false, 'telemetry', '"reason":"disabled"'],
  'compact.auto': [false, 'events', 'auto-disabled'],
  'compact.verify': [false, 'requests', undefined],
  notes: [true, 'events', '"kind":"notes"'],
  memory: [false, 'requests', 'Long-term memory is switched off'],
  'memory.extract': [true, 'events', '"kind":"extraction"'],
  'memory.index': [false, 'requests', 'This folder has no index'],
  'memory.recall': [false, 'events', '"kind":"recall"'],
  instructions: [false, 'requests', 'Speak plainly'],
};

describe('A7: every switch off and on', () => {
  let usual: Played | undefined;
  test.each(Object.entries(ROWS))('%s', async (name, [value, channel, shows]) => {
    usual ??= await play({});
    const other = await play({ [name]: value });
    if (name === 'clear.time' || name === 'clear.count') {
      const alone = { 'clear.rent': false };
      const both = [await play(alone), await play({ ...alone, [name]: value })];
      return expect(both[1]?.clearing).not.toBe(both[0]?.clearing);
    }
    if (shows === undefined) return expect(other[channel]).not.toBe(usual[channel]);
    expect([usual[channel], other[channel]].map((text) => text.includes(shows)).sort()).toEqual([
      false,
      true,
    ]);
  });

  test('flag comes before environment, feature flag and settings; what a session began with before all of them', () => {
    const [flags, environment, features, settings] = [
      { notes: true },
      { notes: false, snip: true },
      { snip: false, collapse: true, notes: false },
      { collapse: false, dream: true, clear: { time: true }, nothing: 1, memory: 'perhaps' },
    ];
    const start = { values: { memory: false }, isBare: false };
    const { values, asked, from, problems } = readSwitches({
      ...{ flags, environment, features, settings, start },
    });
    expect(values).toMatchObject({
      ...{ notes: true, snip: true, collapse: true, dream: true, memory: false },
      'clear.time': true,
    });
    expect(asked.memory).toBe(true);
    expect(from).toMatchObject({ notes: 'flag', snip: 'environment', collapse: 'feature' });
    expect(problems.join()).toContain('there is no layer nothing');
    expect(problems.join()).toContain('memory cannot be "perhaps"');
    expect(SWITCH_NAMES).toContain('agentList.asMessage');
    expect(parseSwitch('toolStorage.thresholds={"Bash":9}')).toEqual([
      'toolStorage.thresholds',
      { Bash: 9 },
    ]);
  });
});

test('A8: events hold figures and reasons, and no text that was said', async () => {
  const { all, telemetry } = await play({ 'memory.extract': true });
  const names = new Set(all.map(({ name }) => name));
  for (const name of ['compaction', 'gate', 'permission', 'memory'])
    expect(names).toContain(`varve.${name}`);
  expect(all.find(({ name }) => name === 'varve.compaction')?.fields).toMatchObject({
    ...{ outcome: 'compacted', sharesPrefix: true },
    tokensBefore: expect.any(Number),
  });
  expect(telemetry).not.toContain('Count the lines');
  expect(telemetry).not.toContain('Counted.');
});

test('A6: --import goes on with a session of another tool, --telemetry writes lines of JSON, and slash commands tell of both', async () => {
  const { run, write, bodies, folder } = await workbench({ replies: () => 'Going on.' });
  const at = '2026-11-01T10:00:00.000Z';
  const base = { sessionId: 's1', cwd: '/elsewhere', version: '2.0.0', timestamp: at };
  const lines = [
    {
      ...base,
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      message: { role: 'user', content: 'Mend the lexer.' },
    },
    {
      ...base,
      ...{ type: 'assistant', uuid: 'a1', parentUuid: 'u1' },
      message: {
        ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5' },
        content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }],
        ...{ stop_reason: 'tool_use', usage: { input_tokens: 10, output_tokens: 5 } },
      },
    },
  ];
  write('theirs.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
  const flags = ['--plain', '--import', 'theirs.jsonl', '--telemetry', 'events.jsonl'];
  const input = [
    'Go on.',
    '/transcript',
    '/doctor',
    '/permissions',
    '/hooks',
    '/snip 1',
    '/context',
  ];
  const { code, stdout, stderr } = await run(flags, { input: `${input.join('\n')}\n` });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const sent = JSON.stringify(bodies()[0]?.messages);
  for (const part of ['Mend the lexer.', '"t1"', 'Go on.']) expect(sent).toContain(part);
  expect(stdout).toContain('Nothing is wrong.');
  expect(stdout).toContain('There are no hooks.');
  expect(linesOf(readFileSync(join(folder, 'events.jsonl'), 'utf8')).length).toBeGreaterThan(0);
  const missing = await run(['-p', 'x', '--import', 'nothing.jsonl']);
  expect(missing.code).toBe(2);
});

test('P5: each request asks for the diagnosis of the answer before, and a server that does not know it is asked without', async () => {
  const { run, bodies } = await workbench({ replies: () => 'Yes.' });
  await run(['--plain'], { input: 'One.\n/cost\nTwo.\n' });
  const asked = bodies().map(
    (body) => (body as { diagnostics?: { previous_message_id: unknown } }).diagnostics,
  );
  expect(asked[0]).toEqual({ previous_message_id: null });
  expect(asked[1]?.previous_message_id).toEqual(expect.any(String));
});
