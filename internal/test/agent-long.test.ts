import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createSession, runTurn } from '@varve/agent';
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
const MODEL = 'claude-opus-5-5';
const WINDOW = VARVE_SOAK ? 120_000 : 40_000;
const RULE = 'Say quartz-17 where a date is meant.';
const SUMMARY = `<summary>${'Files were written, read, searched and changed one by one; all of it went well. '.repeat(20)}</summary>`;
/** Of what the provider billed: 2 %. */
const TOLERANCE = 0.02;

test(`P6: ${ROUNDS} rounds over several compactions: the window is never exceeded, the rules stand in every request, the dollars are those of the bill and of a replay of the log`, async () => {
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
      if (!JSON.stringify(request.messages).includes(RULE)) withoutRule.push(index);
      if (JSON.stringify(request.messages.at(-1)).includes('<summary>')) {
        summaries += 1;
        return SUMMARY;
      }
      round += 1;
      return round % ROUNDS_OF_A_TURN === 0 ? `Round ${round} is done.` : callOf(round);
    },
  });
  const failures: string[] = [];
  const session = await createSession({
    ...{ cwd, configDir, model: MODEL, shell: '/bin/bash', home: root, windowTokens: WINDOW },
    connect: (model) => connect({ model, anthropicKey: 'any', baseUrl: emulator.url }),
    permissionMode: 'bypassPermissions',
    emit(event) {
      if (event.kind === 'call-refused') failures.push(event.reason);
      if (event.kind === 'notice') failures.push(event.text);
      if (event.kind === 'call-end' && event.output.isError)
        failures.push(`${event.call.name}: ${String(event.output.content)}`);
    },
  });
  onTestFinished(async () => {
    await session.close();
    await emulator.close();
    rmSync(root, { recursive: true, force: true });
  });
  const { context } = session.agent;
  const startedAt = performance.now();
  for (let turn = 1; round < ROUNDS; turn++) {
    const end = await runTurn(session.agent, `Do part ${turn}.`, new AbortController().signal);
    expect(end).toMatchObject({ kind: 'done' });
  }
  const { refused, requests, dollars } = emulator.report();
  const folder = join(configDir, 'projects', readdirSync(join(configDir, 'projects'))[0] ?? '');
  const { billed, replayed } = await dollarsOf(join(folder, `${session.id}.jsonl`));
  if (VARVE_SOAK)
    process.stdout.write(
      `long session: ${round} rounds, ${requests} requests, ${summaries} summaries, $${dollars.toFixed(2)} billed, $${context.usage().dollars.toFixed(2)} by the session, of them $${billed.toFixed(2)} for replies and $${replayed.toFixed(2)} in a replay of the log, ${Math.round((performance.now() - startedAt) / 1_000)} s\n`,
    );
  expect({ refused, failures, withoutRule }).toEqual({ refused: 0, failures: [], withoutRule: [] });
  expect(summaries).toBeGreaterThanOrEqual(VARVE_SOAK ? 5 : 2);
  expect(Math.abs(context.usage().dollars / dollars - 1)).toBeLessThanOrEqual(TOLERANCE);
  expect(Math.abs(replayed / billed - 1)).toBeLessThanOrEqual(TOLERANCE);
});

/** What the replies in a log were billed, and what the same requests cost in a simulated cache. */
async function dollarsOf(log: string) {
  const { model } = resolveModel(MODEL);
  const policy = cachePolicy(model);
  const simulator = createCacheSimulator(policy);
  const projection = createProjection();
  const steps: { entry: Entry; view: ReturnType<typeof projection.append> }[] = [];
  for await (const { entry } of readThread(log))
    steps.push({ entry, view: projection.append(entry) });
  /** Where edits began: markers stood there, and where the next one was to begin. */
  const edits = steps.flatMap(({ entry, view }, step) =>
    entry.type === 'edit' ? [{ step, at: view.changedFrom }] : [],
  );
  const sums = { billed: 0, replayed: 0 };
  let startMs = 0;
  for (const [step, { entry }] of steps.entries()) {
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
