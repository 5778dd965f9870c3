import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { recorded, startEmulator } from '@varve/emulator';
import { type Block, type Entry, isToolResult, isToolUse, type Message } from '@varve/messages';
import { importFile, readLog } from '@varve/transcript/node';
import { describe, expect, onTestFinished, test } from 'vitest';
import { oneIn } from '../../../internal/src/share.ts';
import type { AgentEvent } from '../src/events.ts';
import { runTurn } from '../src/loop.ts';
import { connect } from '../src/model.ts';
import { createSession } from '../src/session.ts';
import { createCheckout, turnsOf } from './replay.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', '..', 'fixtures');
const fixtures = readdirSync(join(FIXTURES, 'sessions'))
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => join(FIXTURES, 'sessions', name));
/** Recorded by the agent itself. */
const OWN = join(FIXTURES, 'agent', 'amounts.jsonl');

/** Sessions that people recorded with other agents; none where they are not beside the checkout. */
const { VARVE_SESSIONS: SESSIONS = '', VARVE_SOAK } = process.env;
const others =
  SESSIONS === ''
    ? []
    : readdirSync(SESSIONS, { withFileTypes: true, recursive: true })
        .filter((each) => each.isFile() && /\.(?:jsonl|json|traj)$/.test(each.name))
        .filter((each) => each.parentPath !== SESSIONS)
        .map((each) => join(each.parentPath, each.name))
        .sort();

describe('A1: the agent runs the calls of recorded sessions, and each edit applies', () => {
  test.each([...(VARVE_SOAK ? fixtures : oneIn(4, fixtures)), OWN])(
    'own fixture %s',
    async (file) => {
      const entries: Entry[] = [];
      for await (const { entry } of readLog(file)) entries.push(entry);
      await replay(basename(file), entries);
    },
  );

  test.skipIf(!VARVE_SOAK || others.length === 0).each(others)(
    'session of others %s',
    async (file) => {
      const { threads } = await importFile(file);
      const main = threads.find(({ kind }) => kind === 'main') ?? threads[0];
      await replay(basename(file), main?.entries ?? []);
    },
  );
});

/** Lets the agent do all turns of a session, with what the model said then as its model. */
async function replay(name: string, entries: readonly Entry[]): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'varve-replay-'));
  const cwd = join(root, 'project');
  mkdirSync(cwd);
  const checkout = createCheckout(cwd, entries);
  const turns = turnsOf(entries);
  const said = recorded(turns.flatMap(({ replies }) => replies.map(asEntry)));
  let rest: readonly Block[] = [];
  const emulator = await startEmulator({
    foreignThinking: 'accepted',
    async replies(call) {
      if (JSON.stringify(call.request.messages.at(-1)).includes('<summary>')) return SUMMARY;
      if (rest.length === 0) {
        const reply = await said(call);
        rest = typeof reply === 'string' ? [] : reply.content;
      }
      const prepared = checkout.prepare(rest);
      rest = prepared.rest;
      return { content: prepared.now };
    },
  });
  const failures: string[] = [];
  const onEvent = (event: AgentEvent): void => {
    if (event.kind === 'layer' && event.event.layer === 'compact' && event.event.kind === 'edited')
      checkout.forget();
    if (event.kind === 'call-refused') failures.push(`refused: ${event.reason}`);
    if (event.kind !== 'call-end' || !event.output.isError) return;
    const kind = checkout.kindOf(event.call.id);
    if (kind === 'told' || kind === 'other') return;
    failures.push(
      `${event.call.name} ${event.call.id}: ${String(event.output.content).slice(0, 300)}`,
    );
  };
  const session = await createSession({
    ...{
      cwd,
      configDir: join(root, 'config'),
      model: 'claude-opus-5-5',
      shell: '/bin/bash',
      home: root,
    },
    connect: (model) => connect({ model, anthropicKey: 'any', baseUrl: emulator.url }),
    permissionMode: 'bypassPermissions',
    emit: onEvent,
  });
  onTestFinished(async () => {
    await session.close();
    await emulator.close();
    rmSync(root, { recursive: true, force: true });
  });
  for (const { prompt } of turns) {
    const end = await runTurn(session.agent, prompt, new AbortController().signal);
    if (end.kind !== 'done') failures.push(`a turn ended as ${end.kind}`);
  }
  const { counts } = checkout;
  const { refused, requests } = emulator.report();
  const lost = lostIn(session.agent.context.entries());
  if (VARVE_SOAK)
    process.stdout.write(
      `replay ${name}: ${turns.length} turns, ${requests} requests, ${JSON.stringify(counts)}, ${failures.length} failed, ${lost.length} lost, ${refused} refused\n`,
    );
  expect({ failures, lost, refused }).toEqual({ failures: [], lost: [], refused: 0 });
  expect(counts.calls).toBeGreaterThan(0);
}

let entryCount = 0;
const asEntry = (content: readonly Block[]): Entry => {
  const id = `recorded-${++entryCount}`;
  const message: Message = { id, role: 'assistant', content };
  return { id, at: '2026-01-01T00:00:00.000Z', type: 'message', message };
};

/** Calls that have no result, or several. */
function lostIn(entries: readonly Entry[]): string[] {
  const blocks = entries.flatMap((entry) =>
    entry.type === 'message' ? entry.message.content : [],
  );
  const results = new Map<string, number>();
  for (const { tool_use_id: id } of blocks.filter(isToolResult))
    results.set(id, (results.get(id) ?? 0) + 1);
  return blocks.filter(isToolUse).flatMap(({ id }) => (results.get(id) === 1 ? [] : [id]));
}

const SUMMARY = `<summary>${'Files were read and edited, commands were run, and their results were looked at. '.repeat(20)}</summary>`;
