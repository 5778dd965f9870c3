import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentEvent, connect, createSession, runTurn, type Session } from '@varve/agent';
import { startEmulator } from '@varve/emulator';
import { createProjection, type Entry } from '@varve/messages';
import { cachePolicy, createCacheSimulator, placeMarkers } from '@varve/prompt-cache';
import { priceUsage, resolveModel } from '@varve/tokens';
import { readThread } from '@varve/transcript/node';
import { expect, onTestFinished, test } from 'vitest';

const { VARVE_SOAK } = process.env;
const ROUNDS = VARVE_SOAK ? 2_000 : 120;
/** Rounds between what a person says. */
const ROUNDS_OF_A_TURN = 40;
/** Turns between compactions by hand, which are summaries: notes stand in for those that come by themselves. */
const TURNS_OF_A_SUMMARY = VARVE_SOAK ? 8 : 3;
const MODEL = 'claude-opus-5-5';
const SMALL_MODEL = 'claude-haiku-5-5';
const WINDOW = 120_000;
/** So that a short session is compacted. */
const COMPACT_PERCENT = VARVE_SOAK ? undefined : 32;
const LAYERS = {
  ...{ notes: true, 'memory.extract': true, dream: true },
  'notes.thresholds': { firstTokens: WINDOW / 16, growthTokens: WINDOW / 16 },
};
const RULE = 'Say quartz-17 where a date is meant.';
const GREETING = 'Good morning.';
const SUMMARY = `<summary>${'Files were written, read, searched and changed one by one; all of it went well. '.repeat(20)}</summary>`;
/** Of what the provider billed: 2 %. */
const TOLERANCE = 0.02;

test(`P6: ${ROUNDS} rounds with notes, memory and dreams over several compactions: the window is never exceeded, the rules stand in every request, the dollars are those of the bill and of a replay of the log`, async () => {
  const root = mkdtempSync(join(tmpdir(), 'varve-long-'));
  const [cwd, configDir] = [join(root, 'project'), join(root, 'config')];
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'AGENTS.md'), `# Rules\n\n${RULE}\n`);
  let round = 0;
  let summaries = 0;
  const withoutRule: number[] = [];
  const emulator = await startEmulator({
    // it refuses what does not fit
    models: [{ ...resolveModel(MODEL).model, aliases: [], windowTokens: WINDOW }],
    keepRequests: 1,
    replies({ request, index }) {
      const { tools = [], model } = request.head;
      const last = JSON.stringify(request.messages.at(-1));
      const isOf = (tool: string) => tools.some(({ name }) => name === tool);
      if (model === SMALL_MODEL) {
        if (last.includes('tool_result')) return 'Done.';
        return isOf('retype_memory') ? tidied(last) : saved(last);
      }
      const all = JSON.stringify(request.messages);
      if (!all.includes(RULE)) withoutRule.push(index);
      if (last.includes('<summary>')) {
        summaries += 1;
        return SUMMARY;
      }
      const notes = /[^"\\\s]+session-memory\/summary\.md/.exec(last)?.[0];
      if (notes !== undefined) return noted(notes, last, round);
      if (all.includes(GREETING)) return GREETING;
      round += 1;
      return round % ROUNDS_OF_A_TURN === 0 ? `Round ${round} is done.` : callOf(round);
    },
  });
  const failures: string[] = [];
  const did = { extracted: 0, noted: 0, dreamt: 0, retyped: 0 };
  function emit(event: AgentEvent): void {
    if (event.kind === 'call-refused') failures.push(event.reason);
    if (event.kind === 'notice') failures.push(event.text);
    if (event.kind === 'call-end' && event.output.isError)
      failures.push(`${event.call.name}: ${String(event.output.content)}`);
    if (event.kind === 'notes' && event.event.kind === 'extracted') did.noted += 1;
    if (event.kind === 'notes' && event.event.kind === 'failed')
      failures.push(`notes: ${event.event.reason}`);
    if (event.kind === 'dream' && event.event.kind === 'completed') {
      did.dreamt += 1;
      did.retyped += event.event.report.steps.retype ?? 0;
    }
    if (event.kind === 'dream' && event.event.kind === 'failed')
      failures.push(`dream: ${event.event.reason}`);
    if (event.kind !== 'layer' || event.event.layer !== 'memory') return;
    const { event: news } = event.event.kind === 'extraction' ? event.event : {};
    if (news?.kind === 'finished') did.extracted += news.writes.length;
    if (news?.kind === 'failed') failures.push(`extraction: ${String(news.cause)}`);
  }
  const options = {
    ...{ cwd, configDir, model: MODEL, shell: '/bin/bash', home: root, windowTokens: WINDOW },
    connect: (model: string) => connect({ model, anthropicKey: 'any', baseUrl: emulator.url }),
    permissionMode: 'bypassPermissions' as const,
    ...{ layerFlags: LAYERS, compactPercent: COMPACT_PERCENT },
    emit,
  };
  onTestFinished(async () => {
    await emulator.close();
    rmSync(root, { recursive: true, force: true });
  });
  const say = async ({ agent }: Session, prompt: string) =>
    expect(await runTurn(agent, prompt, new AbortController().signal)).toMatchObject({
      kind: 'done',
    });

  // so many that a dream begins by itself behind the first turn of the next
  let spent = 0;
  const logs: string[] = [];
  const projects = join(configDir, 'projects');
  const end = async (session: Session) => {
    await session.close();
    spent += session.agent.context.usage().dollars;
    logs.push(join(projects, readdirSync(projects)[0] ?? '', `${session.id}.jsonl`));
  };
  for (let part = 901; part <= 905; part++) {
    const session = await createSession(options);
    await say(session, `${GREETING} ${roomOf(part)}`);
    await end(session);
  }
  const session = await createSession(options);
  const { context } = session.agent;
  const startedAt = performance.now();
  for (let turn = 1; round < ROUNDS; turn++) {
    await say(session, `Do part ${turn}. ${roomOf(turn)}`);
    await session.layers.dream?.settle();
    if (turn % TURNS_OF_A_SUMMARY === 0)
      expect(await context.compact({ focus: 'what is left' })).toMatchObject({ kind: 'compacted' });
    if (round >= ROUNDS / 2 && did.dreamt === 1)
      await session.layers.dream?.dreamNow({ sessionId: session.id });
  }
  await end(session);
  const { refused, requests, dollars } = emulator.report();
  const { billed, replayed, standIns } = await dollarsOf(logs);
  if (VARVE_SOAK)
    process.stdout.write(
      `long session: ${round} rounds, ${requests} requests, ${standIns} compactions by notes, ${summaries} by summaries, notes taken ${did.noted} times, ${did.extracted} memories extracted, ${did.dreamt} dreams retyped ${did.retyped}, $${dollars.toFixed(2)} billed, $${spent.toFixed(2)} by the sessions, of them $${billed.toFixed(2)} for replies and $${replayed.toFixed(2)} in a replay of the log, ${Math.round((performance.now() - startedAt) / 1_000)} s\n`,
    );
  expect({ refused, failures, withoutRule }).toEqual({ refused: 0, failures: [], withoutRule: [] });
  expect(did.noted).toBeGreaterThanOrEqual(2);
  expect(did.extracted).toBeGreaterThanOrEqual(5 + ROUNDS / ROUNDS_OF_A_TURN / 2);
  expect(did.dreamt).toBe(2);
  expect(did.retyped).toBeGreaterThanOrEqual(1);
  expect(standIns).toBeGreaterThanOrEqual(VARVE_SOAK ? 5 : 1);
  expect(summaries).toBeGreaterThanOrEqual(VARVE_SOAK ? 5 : 1);
  expect(Math.abs(spent / dollars - 1)).toBeLessThanOrEqual(TOLERANCE);
  expect(Math.abs(replayed / billed - 1)).toBeLessThanOrEqual(TOLERANCE);
});

/** What a person says that later sessions should know. */
const roomOf = (part: number | string) =>
  `The report on part ${part} always goes to room ${part}-B.`;

/** What the small model takes out of a turn. */
function saved(last: string) {
  const said = /\\"turn\\":(\d+).*?The report on part (\d+)/g;
  const [, turn, part = ''] = [...last.matchAll(said)].at(-1) ?? [];
  const text = roomOf(part);
  return calls(`save_${part}`, 'save_memory', {
    ...{ name: `Room of part ${part}`, description: text, type: 'project' },
    statements: [{ part: 'rule', text, quote: text, turn: Number(turn) }],
  });
}

/** What the small model makes of a memory in a dream. */
function tidied(last: string) {
  const [, path = '', part = ''] = /- ([^ ]*?(\d+)\.md) \| project/.exec(last) ?? [];
  return calls(`retype_${part}`, 'retype_memory', {
    ...{ path, type: 'reference', reason: 'it says where something is' },
    quotes: [{ source: path, quote: roomOf(part) }],
  });
}

/** Notes say how far the work is. */
function noted(path: string, last: string, round: number) {
  const [line = ''] =
    /Round \d+ is done\./.exec(last) ?? /_What is in work right now[^\\]*_/.exec(last) ?? [];
  const done = `Round ${round} is done.`;
  return calls(`note_${round}`, 'Edit', {
    ...{ file_path: path, old_string: line },
    new_string: line.startsWith('_') ? `${line}\n${done}` : done,
  });
}

const calls = (id: string, name: string, input: object) => ({
  content: [{ type: 'tool_use', id, name, input }],
});

/** What the replies in logs were billed, one session after the other, and what the same requests cost in a simulated cache. */
async function dollarsOf(logs: readonly string[]) {
  const { model } = resolveModel(MODEL);
  const policy = cachePolicy(model);
  const simulator = createCacheSimulator(policy);
  const sums = { billed: 0, replayed: 0, standIns: 0 };
  let startMs = 0;
  for (const log of logs) {
    const projection = createProjection();
    const steps: { entry: Entry; view: ReturnType<typeof projection.append> }[] = [];
    for await (const { entry } of readThread(log))
      steps.push({ entry, view: projection.append(entry) });
    /** Where edits began: markers stood there, and where the next one was to begin. */
    const edits = steps.flatMap(({ entry, view }, step) =>
      entry.type === 'edit' ? [{ step, at: view.changedFrom }] : [],
    );
    for (const [step, { entry }] of steps.entries()) {
      if (entry.type === 'edit' && entry.receipt?.engine === 'notes') sums.standIns += 1;
      const { head, messages = [] } = steps[step - 1]?.view ?? {};
      const usage = entry.type === 'message' ? entry.message.response?.usage : undefined;
      if (usage !== undefined && head !== undefined) {
        const [newest, before] = edits.filter((each) => each.step < step).reverse();
        const next = edits.find((each) => each.step > step);
        const parkedAt = [newest, next, before].flatMap((each) => each?.at ?? []);
        const request = { head, messages, markers: [], maxOutputTokens: 1_000 };
        const { dollars = 0 } = simulator.send(placeMarkers(request, { policy, parkedAt }), {
          ...{ startMs, outputTokens: usage.output_tokens },
        });
        sums.replayed += dollars;
        sums.billed += priceUsage(usage, model).dollars;
      }
      startMs = Math.max(startMs, Date.parse(entry.at));
    }
  }
  return sums;
}

/** What the model asks for in a round: files are written, read and changed, and commands say much or little. */
function callOf(round: number) {
  const call = (name: string, input: object) => ({
    content: [
      { type: 'text', text: `Round ${round}: the next step.` },
      { type: 'tool_use', id: `call_${round}`, name, input },
    ],
  });
  const file = `part-${Math.floor(round / 5)}.txt`;
  switch (round % 5) {
    case 0:
      return call('Write', { file_path: file, content: `Line of ${round}.\n`.repeat(40) });
    case 1:
      return call('Grep', { pattern: `of ${round - 1}\\.`, output_mode: 'content' });
    case 2:
      return call('Bash', { command: `seq ${round} ${round + 400}` });
    case 3:
      return call('Read', { file_path: 'AGENTS.md' });
    default:
      return call('Bash', { command: `echo ${round}; cat part-*.txt | wc -l` });
  }
}
