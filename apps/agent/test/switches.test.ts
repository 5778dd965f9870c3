import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { SessionOptions } from '../src/session.ts';
import { parseSwitch, readSwitches, SWITCH_NAMES, type SwitchName } from '../src/switches.ts';
import { type Body, project } from './in-process.ts';
import { linesOf, sent, use, workbench } from './support.ts';

const SUMMARY = '<analysis>a</analysis><summary>We counted the lines of files.</summary>';

/** What of a session is looked at. */
interface Played {
  /** What clearing did, or why it did nothing. */
  readonly clearing: string;
  readonly requests: string;
  /** Those that ask for a summary. */
  readonly summaries: string;
  /** Definitions of tools. */
  readonly tools: string;
  readonly events: string;
  readonly telemetry: string;
}

interface PlayOptions {
  readonly calls?: number;
  readonly lines?: number;
  /** Between two turns. */
  readonly idleMs?: number;
  readonly faults?: Parameters<typeof project>[0]['faults'];
  /** Whether notes are waited for before the compaction. */
  readonly isNoted?: boolean;
  /** Requests that the provider refuses. */
  readonly refuses?: number;
  readonly session?: Partial<SessionOptions>;
}

/** A session of a few rounds with large results over a small window, and what was sent and told. */
async function play(layerFlags: Record<string, unknown>, given: PlayOptions = {}) {
  const { calls: mostCalls = 4, lines = 9_000, idleMs = 0, faults, refuses = 0, isNoted } = given;
  if (idleMs > 0) {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
  }
  let calls = 0;
  const { open, put, root, emulator } = await project({
    ...{ refuses, faults },
    replies: ({ request }) => {
      const last = JSON.stringify(request.messages.at(-1));
      if (request.head.model.includes('haiku')) return 'Nothing.';
      if (last.includes('<summary>')) return SUMMARY;
      const notes = /([^"\\\s]+summary\.md)/.exec(last)?.[1];
      if (notes !== undefined) return noteTaken(notes, last);
      if (calls === mostCalls) return 'Counted.';
      calls += 1;
      return use(`call_${calls}`, 'Bash', { command: `seq ${calls} ${lines + calls}` });
    },
  });
  put({ 'AGENTS.md': 'Speak plainly.\n' });
  const { session, say, close, events, telemetry } = await open({
    ...{ limits: { turns: mostCalls + 5 }, windowTokens: 60_000, compactPercent: 30, layerFlags },
    ...given.session,
  });
  const failed: unknown[] = [];
  const tried = (work: Promise<unknown>) => work.catch((error: unknown) => failed.push(error));
  await tried(say('Count the lines.'));
  if (isNoted)
    await vi.waitFor(() => expect(JSON.stringify(events)).toContain('"kind":"extracted"'));
  if (idleMs > 0) vi.setSystemTime(Date.now() + idleMs);
  else await tried(session.agent.context.compact());
  await tried(say('Again.'));
  await session.layers.notes.close();
  await close();
  const plain = (value: unknown) =>
    JSON.stringify(value)
      .replaceAll(root, '(root)')
      .replaceAll(/varve-rows-\w+|-[0-9a-f]{12}\b|msg_\w+|"durationMs":[\d.]+/g, '');
  const bodies = emulator.requests.map(({ json }) => json as Body);
  return {
    clearing: plain(
      events.flatMap((event) =>
        event.kind === 'layer' && event.event.layer === 'microcompact'
          ? [[event.event.kind, 'reason' in event.event ? event.event.reason : '']]
          : [],
      ),
    ),
    requests: plain(bodies),
    summaries: plain(bodies.filter(({ messages }) => sent(messages.at(-1)).includes('<summary>'))),
    tools: plain(bodies[0]?.tools),
    events: plain(events),
    telemetry: plain(telemetry),
    ...{ all: telemetry, failed },
  };
}

/** Takes the notes that were asked for. */
function noteTaken(path: string, last: string) {
  if (last.includes('note_1')) return 'Noted.';
  const line = /\\n(_[^\n]*?_)\\n/.exec(last)?.[1] ?? '';
  const input = { file_path: path, old_string: line, new_string: `${line}\nLines are counted.` };
  return use('note_1', 'Edit', input);
}

interface Row extends PlayOptions {
  /** What the switch is set to; the other session has it as it comes. */
  readonly to: unknown;
  /** Switches of both. */
  readonly beside?: Record<string, unknown>;
  readonly in: keyof Played;
  /** What only one of the two shows. */
  readonly shows: string;
  /** Which. @default the one with the switch set */
  readonly by?: 'usual';
}

/** A window that nothing is compacted in by itself. */
const LARGE = { windowTokens: 200_000, compactPercent: undefined };

/** The bytes or the event that each switch brings or takes away. */
const ROWS: { readonly [Name in Exclude<SwitchName, 'dream'>]: Row } = {
  toolStorage: { to: false, in: 'tools', shows: '"read_stored"', by: 'usual' },
  'toolStorage.thresholds': {
    to: { Bash: 500 },
    in: 'requests',
    shows: 'stored whole',
    calls: 2,
    lines: 900,
  },
  'clear.time': {
    ...{ to: true, beside: { 'clear.rent': false }, in: 'clearing', shows: '["edited","idle"]' },
    ...{ calls: 8, lines: 300, idleMs: 2 * 3_600_000, session: LARGE },
  },
  'clear.count': {
    ...{ to: true, beside: { 'clear.rent': false, toolStorage: false }, in: 'clearing' },
    ...{ shows: '["edited","count"]', calls: 6, lines: 5_000, session: LARGE },
  },
  'clear.rent': { to: false, in: 'clearing', shows: '["idle","', by: 'usual' },
  'clear.server': { to: true, in: 'requests', shows: '"clear_tool_uses_20250919"' },
  'clear.cacheEdits': {
    ...{ to: true, in: 'clearing', shows: '["edited","cache-edits"]' },
    ...{ calls: 24, lines: 400, session: LARGE, refuses: 2 }, // no public provider takes it
  },
  snip: { to: true, in: 'events', shows: '"layer":"snip"' },
  collapse: { to: true, in: 'events', shows: '"layer":"collapse"' },
  reactive: {
    ...{ to: false, in: 'events', shows: '"kind":"recovered"', by: 'usual', lines: 500 },
    ...{ faults: [{ kind: 'prompt-too-long', when: 3, times: 1 }], session: LARGE },
  },
  reactiveOnly: { to: true, in: 'events', shows: '"reason":"reactive-only"' },
  compact: { to: false, in: 'telemetry', shows: '"reason":"disabled"' },
  'compact.auto': { to: false, in: 'events', shows: '"reason":"auto-disabled"' },
  'compact.sharePrefix': { to: false, in: 'summaries', shows: 'cache_control', by: 'usual' },
  'compact.verify': {
    ...{ to: false, in: 'requests', shows: 'From the record of the session', by: 'usual' },
  },
  notes: { to: true, in: 'events', shows: '"kind":"notes"' },
  'notes.asSummary': {
    ...{ to: false, in: 'summaries', shows: '<summary>' },
    beside: {
      notes: true,
      'notes.thresholds': { firstTokens: 52_000, growthTokens: 1_000_000 },
    },
    ...{ lines: 3_000, isNoted: true, session: LARGE },
  },
  'notes.thresholds': {
    ...{ to: { firstTokens: 1_000_000 }, beside: { notes: true } },
    ...{ in: 'events', shows: '"kind":"extraction-started"', by: 'usual' },
  },
  memory: { to: false, in: 'requests', shows: 'Long-term memory is switched off' },
  'memory.extract': { to: true, in: 'events', shows: '"kind":"extraction"' },
  'memory.extractEvery': {
    ...{ to: 9, beside: { 'memory.extract': true }, in: 'events', shows: '"reason":"throttled"' },
  },
  'memory.index': { to: false, in: 'requests', shows: 'This folder has no index' },
  'memory.recall': { to: false, in: 'events', shows: '"kind":"recall"', by: 'usual' },
  'agentList.asMessage': { to: false, in: 'tools', shows: 'Kinds of agents that can be started' },
  instructions: { to: false, in: 'requests', shows: 'Speak plainly', by: 'usual' },
};

describe('A7: every switch off and on', () => {
  const usual = new Map<string, Promise<Played>>();
  test.each(Object.entries(ROWS))('%s', async (name, row) => {
    const { to, beside = {}, in: channel, shows, by, ...how } = row;
    const key = JSON.stringify([beside, how]);
    if (!usual.has(key)) usual.set(key, play(beside, { ...how, refuses: 0 }));
    const [off, on] = [await usual.get(key), await play({ ...beside, [name]: to }, how)];
    const seen = [off, on].map((played) => played?.[channel].includes(shows));
    expect(seen).toEqual(by === 'usual' ? [true, false] : [false, true]);
  });

  test('dream', async () => {
    const { open } = await project({ replies: () => 'Yes.' });
    const told: unknown[] = [];
    for (const dream of [false, true]) {
      const opened = await open({ layerFlags: { dream } });
      await opened.say('Hello.');
      await opened.session.layers.dream?.settle();
      told.push(opened.told('varve.dream'));
    }
    expect(told).toEqual([
      [], // nothing is off that was never to run
      [{ kind: 'none', reason: 'too-few-sessions' }],
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

test('P5: each request asks for the diagnosis of the answer before', async () => {
  const { run, bodies } = await workbench({ replies: () => 'Yes.' });
  await run(['--plain'], { input: 'One.\n/cost\nTwo.\n' });
  const asked = bodies().map(
    (body) => (body as { diagnostics?: { previous_message_id: unknown } }).diagnostics,
  );
  expect(asked[0]).toEqual({ previous_message_id: null });
  expect(asked[1]?.previous_message_id).toEqual(expect.any(String));
});
