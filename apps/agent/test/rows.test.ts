import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { InMemoryProvider, OpenFeature } from '@openfeature/server-sdk';
import { createCollapse, createSnip } from '@varve/compact';
import { createMicrocompact } from '@varve/microcompact';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { contextReport } from '../src/commands/context-report.ts';
import { collapseCommand } from '../src/commands/edits.ts';
import { connect } from '../src/model.ts';
import { readOptions } from '../src/options.ts';
import { inEditor } from './editor.ts';
import { project } from './in-process.ts';
import { sent, use, workbench } from './support.ts';

const SUMMARY = '<analysis>a</analysis><summary>We counted the lines of files.</summary>';
const WORDS = 'Some words of a long text that fills the window. '.repeat(700);
const RULE = 'Releases go out on Tuesdays only, never on Fridays.';
const isSummary = (request: { readonly messages: readonly unknown[] }) =>
  JSON.stringify(request.messages.at(-1)).includes('<summary>');

/** A server in front of a provider, which may refuse a request by its body. */
async function forwarding(url: () => string, refuse?: (body: string) => string | undefined) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const message = refuse?.(body);
    if (message !== undefined) {
      response.writeHead(400, { 'content-type': 'application/json' });
      const error = { type: 'invalid_request_error', message };
      return response.end(JSON.stringify({ type: 'error', error }));
    }
    const own = /^(?:host|connection|content-length|transfer-encoding)$/;
    const headers = Object.entries(request.headers).filter(([name]) => !own.test(name));
    const answer = await fetch(`${url()}${request.url}`, {
      ...{ method: 'POST', headers: headers as [string, string][], body },
    });
    const type = answer.headers.get('content-type') ?? '';
    response.writeHead(answer.status, { 'content-type': type });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('P6: cache-safe injection', () => {
  test('reminders, lists, recalled memory, changed files and instructions that turn up later are appended: what was sent keeps its bytes', async () => {
    let round = 0;
    const { open, put, bodies, root } = await project({
      replies: () => {
        round += 1;
        if (round === 1) return use('c1', 'Read', { file_path: join(root, 'a.txt') });
        if (round === 3) return use('c3', 'Read', { file_path: join(root, 'below/b.txt') });
        if (round === 5)
          return use('c5', 'TodoWrite', { todos: [{ content: 'Count.', status: 'in_progress' }] });
        return 'Done.';
      },
    });
    const skill = (name: string) => ({
      [`.varve/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Does ${name}.\n---\nDo it.\n`,
    });
    put({
      ...{ 'AGENTS.md': 'Speak plainly.\n', 'a.txt': 'one\n', 'below/b.txt': 'b\n' },
      ...{ 'below/AGENTS.md': 'Below, count twice.\n', ...skill('first') },
    });
    const { session, context, say } = await open();
    await session.layers.memory?.memory.save({
      ...{ name: 'Release day', description: 'When releases go out', type: 'feedback' },
      ...{ body: RULE, asked: true, reason: 'the user asked', quote: RULE },
    });
    await say('Read a.');
    put({ 'a.txt': 'two\n', ...skill('second') });
    await say('Read what lies below.');
    put({ 'AGENTS.md': 'Speak loudly.\n' });
    await say('Keep a list.');
    await say('On which days can a release go out?');
    const all = bodies();
    const texts = all.at(-1)?.messages.map(sent).join() ?? '';
    const given = ['Speak plainly', 'Kinds of agents', 'first', 'a.txt', 'Below, count twice'];
    for (const part of [...given, 'second', 'Memories that may bear on this', RULE])
      expect(texts).toContain(part);
    for (const [index, next] of all.slice(1).entries()) {
      const before = all[index];
      expect([sent(next.system), sent(next.tools)]).toEqual([
        sent(before?.system),
        sent(before?.tools),
      ]);
      const begins = next.messages.slice(0, before?.messages.length).map(sent);
      expect(begins).toEqual(before?.messages.map(sent));
    }
    expect(all.length).toBeGreaterThan(6);
    const { alarms, expected, hitShare } = context.usage().cache;
    expect({ alarms, expected }).toEqual({ alarms: {}, expected: {} });
    expect(hitShare).toBeGreaterThan(0.7);
  });
});

describe('P7: what is expected after an edit', () => {
  type Opened = Awaited<ReturnType<Awaited<ReturnType<typeof project>>['open']>>;
  const apply = async ({ context }: Opened, name: string, planner: object) =>
    context.apply({ name, planner } as unknown as Parameters<typeof context.apply>[0]);
  const EDITS: Readonly<Record<string, readonly [string, (opened: Opened) => Promise<unknown>]>> = {
    'a compaction': ['compaction', ({ context }) => context.compact()],
    'oldest rounds dropped': [
      'snip',
      (it) => apply(it, 'snip', createSnip({ budgetTokens: 12_000 })),
    ],
    'stretches folded': [
      'collapse',
      (it) =>
        apply(
          it,
          'collapse',
          createCollapse({
            ...{
              stageAt: 0,
              commitAt: 0,
              targetAt: 0,
              keepTokens: 4_000,
              summarize: it.session.summarize,
            },
            sizeOfText: (text: string) => Math.ceil(text.length / 4),
          }),
        ),
    ],
    'results cleared': [
      'clearing',
      (it) =>
        apply(
          it,
          'microcompact',
          createMicrocompact({ mechanisms: ['count'], keepRecent: 1, minSavingsTokens: 1_000 }),
        ),
    ],
    'another model': ['model-switch', ({ session }) => session.setModel('claude-sonnet-4-6')],
    'other tools': [
      'tools-changed',
      ({ context }) => context.setHead({ tools: (context.view().head?.tools ?? []).slice(0, 5) }),
    ],
    'the lifetime passed': [
      'ttl-expired',
      async () => void vi.setSystemTime(Date.now() + 10 * 60_000),
    ],
  };

  /** Rounds with results, and texts, that are large beside what may be lost without a word. */
  async function talked() {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    let calls = 0;
    const { open } = await project({
      replies: ({ request }) => {
        if (isSummary(request)) return SUMMARY;
        const last = JSON.stringify(request.messages.at(-1));
        if (!last.includes('Count')) return 'Counted.';
        calls += 1;
        return use(`c${calls}`, 'Bash', { command: `seq ${calls} ${1_500 + calls}` });
      },
    });
    const opened = await open({ layerFlags: { 'clear.rent': false } });
    for (let count = 0; count < 5; count++) await opened.say(`Count on. ${WORDS.slice(0, 6_000)}`);
    return opened;
  }

  test.each(Object.entries(EDITS))('%s', async (_, [reason, edit]) => {
    const opened = await talked();
    const { events, context, say, breaksSince, told } = opened;
    expect(breaksSince(0)).toEqual([]);
    const at = events.length;
    await edit(opened);
    await say('Go on.');
    await say('And on.');
    expect(breaksSince(at)).toEqual([reason]);
    const { expected, alarms, falseAlarms, hitShare } = context.usage().cache;
    expect({ expected, alarms, falseAlarms }).toEqual({
      ...{ expected: { [reason]: 1 }, alarms: {}, falseAlarms: 0 },
    });
    expect(hitShare).toBeGreaterThan(0.5);
    expect(told('varve.cache.break')).toEqual([
      expect.objectContaining({ isExpected: true, lost: expect.any(Number) }),
    ]);
  });

  test('what is lost without an edit raises an alarm, once', async () => {
    const first = await project({ replies: () => 'Yes.' });
    const second = await project({ replies: () => 'Yes.' });
    let { url } = first.emulator;
    const baseUrl = await forwarding(() => url);
    const { say, context, breaksSince, told } = await first.open({
      connect: (model) => connect({ model, anthropicKey: 'any', baseUrl }),
    });
    await say(`One. ${WORDS.slice(0, 6_000)}`);
    await say('Two.');
    ({ url } = second.emulator); // which has nothing of it in its cache
    await say('Three.');
    await say('Four.');
    expect(breaksSince(0)).toEqual(['alarm']);
    const { alarms, expected, falseAlarms } = context.usage().cache;
    expect({ alarms, expected, falseAlarms }).toEqual({
      ...{ alarms: { unexplained: 1 }, expected: {}, falseAlarms: 0 },
    });
    expect(told('varve.cache.break')).toEqual([
      {
        ...{ isExpected: false, model: 'claude-opus-4-8', cause: 'unexplained' },
        ...{ lost: expect.any(Number), expected: expect.any(Number) },
      },
    ]);
  });
});

describe('A8: typed events', () => {
  test('of the gate and of permissions hold what was decided, by whom, and by which figures', async () => {
    let calls = 0;
    const { open } = await project({
      replies: ({ request }) => {
        if (JSON.stringify(request.messages.at(-1)).includes('tool_result')) return 'Done.';
        calls += 1;
        return use(`c${calls}`, 'Bash', { command: calls === 1 ? 'ls' : 'touch a' });
      },
    });
    const { say, told, session } = await open({ layerFlags: { snip: true } });
    await say('List.');
    session.permissions.setMode('dontAsk');
    await say('Touch.');
    const permission = (decision: string, by: string, mode: string) => ({
      ...{ tool: 'Bash', decision, by, mode },
    });
    expect(told('varve.permission')).toEqual([
      permission('allowed', 'mode', 'bypassPermissions'),
      permission('refused', 'nobody', 'dontAsk'),
    ]);
    const [gate] = told('varve.gate');
    expect(gate).toMatchObject({ reason: 'below-threshold', snipped: 0 });
    const { effectiveTokens, autocompactTokens } = session.agent.context.limits();
    expect(gate).toMatchObject({ window: effectiveTokens, threshold: autocompactTokens });
    expect(gate?.tokens).toEqual(expect.any(Number));
  });

  test('of a compaction, of a call for a summary that gave none, of a hook, and of a dream', async () => {
    let asked = 0;
    const { open } = await project({
      replies: ({ request }) => {
        if (request.head.model.includes('haiku')) return 'Nothing to tidy.';
        if (!isSummary(request)) return 'Yes.';
        asked += 1;
        return asked === 1 ? 'I would rather not.' : SUMMARY;
      },
    });
    const hook = [{ hooks: [{ type: 'command', command: 'true' }] }];
    const flagSettings = { hooks: { UserPromptSubmit: hook } };
    const { say, told, context, session, telemetry } = await open({ flagSettings });
    await say(`Count. ${WORDS}`);
    await context.compact();
    expect(told('varve.compaction.retry')).toEqual([
      expect.objectContaining({ attempt: 1, reason: 'no-structure' }),
    ]);
    expect(told('varve.compaction')).toEqual([
      expect.objectContaining({
        ...{ outcome: 'compacted', trigger: 'manual', attempts: 2, sharesPrefix: true },
        ...{ tokensBefore: expect.any(Number), tokensAfter: expect.any(Number) },
      }),
    ]);
    expect(told('varve.hook')).toEqual([
      { event: 'UserPromptSubmit', outcome: 'said', durationMs: expect.any(Number) },
    ]);
    await session.layers.dream?.dreamNow();
    const dreams = told('varve.dream').map(({ kind }) => kind);
    expect(dreams).toEqual(['started', 'completed']); // by hand alone: it is off by itself
    const all = JSON.stringify(telemetry);
    for (const said of ['Some words', 'counted the lines', 'rather not'])
      expect(all).not.toContain(said);
  });
});

test('A7: a provider of OpenFeature switches layers, above the settings and below flags; a flag that is off there says nothing', async () => {
  const flag = (value: unknown, disabled = false) => ({
    ...{ variants: { on: value as boolean }, defaultVariant: 'on', disabled },
  });
  const flags = {
    'varve.memory': flag(false),
    'varve.snip': flag(false),
    'varve.clear.time': flag(true),
    'varve.memory.extractEvery': flag(7),
    'varve.notes.thresholds': flag({ firstTokens: 5_000 }),
    'varve.collapse': flag(false, true),
  };
  await OpenFeature.setProviderAndWait(new InMemoryProvider(flags));
  onTestFinished(() => OpenFeature.clearProviders());
  const { open, bodies } = await project({ replies: () => 'Yes.' });
  const layers = { memory: true, collapse: true, 'clear.time': false };
  const { session, say } = await open({
    ...{ flagSettings: { varve: { layers } }, layerFlags: { snip: true } },
  });
  expect(session.layers.switches).toMatchObject({
    ...{ memory: false, snip: true, 'clear.time': true, 'memory.extractEvery': 7 },
    ...{ 'notes.thresholds': { firstTokens: 5_000 }, collapse: true },
  });
  expect(session.layers.read.from).toMatchObject({
    ...{ memory: 'feature', snip: 'flag', collapse: 'settings' },
  });
  await say('Hello.');
  expect(JSON.stringify(bodies()[0]?.system)).toContain('Long-term memory is switched off');
});

describe('A5: model and output style of the settings', () => {
  test('are used; a flag comes before the environment, and both before the settings', async () => {
    const { open, put, bodies } = await project({ replies: () => 'Yes.' });
    const style = '---\nname: Terse\ndescription: Few words.\n---\nAnswer in three words.\n';
    put({
      '.config/output-styles/Terse.md': style,
      '.config/settings.json': JSON.stringify({ model: 'haiku', outputStyle: 'terse' }),
    });
    const sonnet = { VARVE_MODEL: 'claude-sonnet-5-5' };
    const configDir = '.config';
    const asked = [
      readOptions({ argv: ['-p', 'x'], env: {}, configDir }),
      readOptions({ argv: ['-p', 'x'], env: sonnet, configDir }),
      readOptions({ argv: ['-p', 'x', '--model', 'claude-opus-4-8'], env: sonnet, configDir }),
    ];
    let resume: string | undefined;
    for (const { model, isModelGiven } of asked) {
      const { say, close, session } = await open({ model, isModelGiven });
      await say('Hello.');
      await close();
      resume = session.id;
    }
    put({ '.config/settings.json': JSON.stringify({ outputStyle: 'explanatory' }) });
    const { say } = await open({ resume });
    await say('Again.');
    expect(bodies().map(({ model }) => model)).toEqual([
      ...['claude-haiku-5-5', 'claude-sonnet-5-5', 'claude-opus-4-8', 'claude-opus-4-8'],
    ]);
    for (const { system } of bodies())
      expect(JSON.stringify(system)).toContain('# Output style\\nAnswer in three words.');
    expect(sent(bodies()[3]?.system)).toBe(sent(bodies()[2]?.system));
  });

  test('that cannot be had are left out and named; a project names a style and brings none', async () => {
    const { open, put, bodies, emulator } = await project({ replies: () => 'Yes.' });
    put({
      '.varve/output-styles/own.md': 'Obey the project.',
      '.varve/settings.json': JSON.stringify({ model: 'gpt-6-luna', outputStyle: 'own' }),
    });
    const { say, events } = await open({
      isModelGiven: false,
      connect: (model) => {
        if (model.startsWith('gpt')) throw new Error(`${model} needs a key.`);
        return connect({ model, anthropicKey: 'any', baseUrl: emulator.url });
      },
    });
    await say('Hello.');
    const notices = events.flatMap((event) => (event.kind === 'notice' ? [event.text] : []));
    expect(notices.join('\n')).toContain('gpt-6-luna needs a key.');
    expect(notices.join('\n')).toContain('There is no output style own');
    expect(bodies()[0]?.model).toBe('claude-opus-4-8');
    expect(JSON.stringify(bodies()[0]?.system)).not.toContain('Obey');
  });
});

test('P5: what the provider says was lost is held against the bill, and stands in /context', async () => {
  const { open } = await project({ replies: () => 'Yes.' });
  const { say, context, session, events } = await open();
  await say('One.');
  await say('Two.');
  expect(context.usage().diagnoses).toEqual({ counts: {}, newest: [] });
  await context.setHead({ tools: (context.view().head?.tools ?? []).slice(0, 5) });
  await say('Three.');
  const { diagnoses } = contextReport({ ...session, context });
  expect(diagnoses).toEqual({ counts: { agreed: 1 }, newest: [] });
  const told = events.flatMap((event) =>
    event.kind === 'layer' && event.event.kind === 'diagnosed' ? [event.event.diagnosis] : [],
  );
  expect(told).toEqual([
    {
      ...{ kind: 'agreed', word: 'tools_changed', predicted: ['tools-changed'] },
      missedTokens: expect.any(Number),
    },
  ]);
});

test('P5: a server that refuses the field is asked again without it, and from then on not at all', async () => {
  const { open, emulator, bodies } = await project({ replies: () => 'Yes.' });
  let refused = 0;
  const baseUrl = await forwarding(
    () => emulator.url,
    (body) => {
      if (!body.includes('"diagnostics"')) return undefined;
      refused += 1;
      return 'diagnostics: Extra inputs are not permitted';
    },
  );
  const { say, context } = await open({
    connect: (model) => connect({ model, anthropicKey: 'any', baseUrl }),
  });
  for (const text of ['One.', 'Two.']) expect((await say(text)).kind).toBe('done');
  expect([refused, bodies().length]).toEqual([1, 2]);
  expect(context.usage().diagnoses.counts).toEqual({});
});

test('D8: what extraction saves is recalled in the next session', async () => {
  const input = {
    ...{ name: 'Release day', type: 'feedback', description: 'When releases go out' },
    statements: [{ part: 'rule', text: RULE, turn: 1, quote: RULE }],
  };
  const { open, bodies } = await project({
    replies: ({ request }) => {
      if (!request.head.model.includes('haiku')) return 'Understood.';
      return JSON.stringify(request.messages.at(-1)).includes('tool_result')
        ? 'Done.'
        : use('save_1', 'save_memory', input);
    },
  });
  const first = await open({ layerFlags: { 'memory.extract': true } });
  await first.say(RULE);
  await first.close();
  const { path = '' } = first.session.layers.memory ?? {};
  const [name = ''] = readdirSync(path).filter((each) => each.startsWith('feedback'));
  expect(readFileSync(join(path, name), 'utf8')).toContain(RULE);
  expect(first.told('varve.memory')).toContainEqual(
    expect.objectContaining({ kind: 'extraction-finished', written: 1, refused: 0 }),
  );
  const second = await open();
  await second.say('On which days can a release go out?');
  const last = bodies().at(-1)?.messages.map(sent) ?? [];
  expect(last.at(-1)).toContain('Memories that may bear on this');
  expect(last.at(-1)).toContain(RULE);
});

describe('A6: commands and sessions of other tools', () => {
  test('/collapse folds, /undo shows again; /dream says what it did, what waits, and what cannot be taken back', async () => {
    let calls = 0;
    const { run } = await workbench({
      replies: ({ request }) => {
        if (request.head.model.includes('haiku')) return 'Nothing to tidy.';
        if (isSummary(request)) return '<summary>Ran seq 1 1001 and seq 2 1002.</summary>';
        calls += 1;
        if (calls > 6) return 'Counted.';
        return use(`c${calls}`, 'Bash', { command: `seq ${calls} ${1_000 + calls}` });
      },
    });
    const input = [
      ...['Count.', '/collapse', '/undo', `#${RULE}`, '/dream waiting', '/dream undo'],
      ...['/dream stop', '/dream now', '/dream', '/dream undo'],
    ];
    const runs = ['--permission-mode', 'bypassPermissions'];
    const flags = ['--plain', ...runs, '--layer', 'clear.rent=off'];
    const { stdout, code } = await run(flags, {
      ...{ input: `${input.join('\n')}\n`, env: { VARVE_WINDOW: '60000', VARVE_NO_COMPACT: '1' } },
    });
    expect(code).toBe(0);
    for (const text of ['Folded: ', 'Nothing waits.', 'Stopped; memory is as it was.'])
      expect(stdout).toContain(text);
    expect(stdout).toContain('/dream, or with again, stop, undo, waiting or apply.');
    expect(stdout).toContain('Nothing was taken back');
    expect(stdout).not.toContain('There is no edit to take back');
    expect(stdout).toContain('Memory was tidied: 0 improved.');
  });

  test('/collapse says that a summary was refused, not that there was nothing to fold', async () => {
    let calls = 0;
    const { open } = await project({
      replies: ({ request }) => {
        if (isSummary(request)) return '<summary>Nothing else happened here.</summary>';
        calls += 1;
        if (calls > 6) return 'Counted.';
        return use(`c${calls}`, 'Bash', { command: `seq ${calls} ${1_000 + calls}` });
      },
    });
    const layerFlags = { 'clear.rent': false, compact: false };
    const { session, say } = await open({ layerFlags, windowTokens: 60_000 });
    await say('Count.');
    const shown: string[] = [];
    const face = { show: (text: string) => void shown.push(text), working: () => undefined };
    const given = { words: '', session, face, signal: new AbortController().signal };
    await collapseCommand.run(given as unknown as Parameters<typeof collapseCommand.run>[0]);
    expect(shown).toEqual(['Nothing was folded: the summary was refused (no-structure).']);
  });

  test.each([
    ['codex/session.jsonl', 'Which star is brighter, Vega or Deneb?', 'Painted white.'],
    ['gemini-cli/session.json', 'Which oar is longer?', 'I will measure both.'],
    ['pi/session.jsonl', undefined, undefined],
  ])('--import goes on with %s', async (name, ...parts) => {
    const { run, bodies } = await workbench({ replies: () => 'Going on.' });
    const path = join(import.meta.dirname, '../../../fixtures/formats', name);
    const { code, stdout } = await run(['-p', 'Go on.', '--import', path]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Going on.\n' });
    const [body] = bodies();
    for (const part of parts.filter((each) => each !== undefined))
      expect(JSON.stringify(body?.messages)).toContain(part);
    expect(body?.messages.length).toBeGreaterThan(2);
  });

  test('--import without a key for its model leaves no log behind', async () => {
    const { run, config } = await workbench({ replies: () => 'Going on.' });
    const path = join(import.meta.dirname, '../../../fixtures/formats/codex/session.jsonl');
    const flags = ['-p', 'Go on.', '--import', path, '--model', 'gpt-6-luna'];
    expect((await run(flags)).code).toBe(2);
    expect(existsSync(join(config, 'projects'))).toBe(false);
  });

  test('acp: MCP servers that an editor gives with session/new are those of the session', async () => {
    const bench = await workbench({
      replies: ({ request }) =>
        JSON.stringify(request.messages.at(-1)).includes('tool_result')
          ? 'Done.'
          : use('c1', 'mcp__own__greet', {}),
    });
    const folder = join(bench.root, 'server');
    mkdirSync(folder);
    const greet = { name: 'greet', description: 'Greets.', inputSchema: { type: 'object' } };
    writeFileSync(join(folder, 'tools.json'), JSON.stringify([greet]));
    const flags = ['--permission-mode', 'bypassPermissions'];
    const { agent, say, leave } = await inEditor(bench, { args: flags });
    const program = join(import.meta.dirname, 'programs', 'mcp-server.ts');
    const server = { name: 'own', command: process.execPath, args: [program, folder], env: [] };
    const opened = await agent.request('session/new', { cwd: bench.folder, mcpServers: [server] });
    const { sessionId } = opened as { readonly sessionId: string };
    await say(sessionId, 'Greet.');
    const last = JSON.stringify(bench.bodies().at(-1)?.messages);
    expect(last).toContain('"tool_use_id":"c1"');
    expect(last).not.toContain('is_error":true');
    expect((await leave())[0]).toBe(0);
  });
});
