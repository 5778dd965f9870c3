import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCompaction } from '@varve/compact';
import {
  createProjection,
  type Entry,
  type PlanContext,
  project,
  serializeEntry,
  type View,
} from '@varve/messages';
import { openLog } from '@varve/transcript/node';
import { describe, expect, onTestFinished, test } from 'vitest';

const at = '2026-02-01T00:00:00.000Z';

const CONTEXT: PlanContext = {
  nowMs: 0,
  atUserTurn: true,
  contextTokens: 20_000,
  limits: { windowTokens: 40_000, effectiveTokens: 30_000, autocompactTokens: 20_000 },
  sizeOf: ({ content }) => Math.ceil(JSON.stringify(content).length / 4),
  cache: { warm: true, markers: [] },
  prices: { read: 0.1, write: 1.25, output: 5 },
  thinking: 'free',
};

function session(): Entry[] {
  const head = { id: 'h', model: 'claude-opus-5-5', system: [], tools: [], params: {} };
  const messages = Array.from({ length: 12 }, (_, n): Entry => {
    const role = n % 2 === 0 ? 'user' : 'assistant';
    const content = [{ type: 'text', text: `${n}: ${'words of a turn '.repeat(100)}` }] as const;
    return { id: `e${n}`, at, type: 'message', message: { id: `m${n}`, role, content } };
  });
  return [{ id: 'e-head', at, type: 'head', head }, ...messages];
}

/** The entry that compacts a session. */
async function compactionOf(entries: readonly Entry[]): Promise<Entry> {
  const compactor = createCompaction({
    summarize: async () => ({
      content: [{ type: 'text', text: 'Talked.' }],
      stopReason: 'end_turn',
    }),
  });
  const projection = createProjection();
  for (const entry of entries) compactor.observe(entry, projection.append(entry));
  const plan = compactor.planNow(CONTEXT, { trigger: 'manual' });
  const result = plan.kind === 'work' ? await compactor.run(plan.work) : undefined;
  if (result?.kind !== 'compacted') throw new Error('nothing was compacted');
  const { edit, receipt } = result;
  return { id: 'e-edit', at, type: 'edit', by: 'compact', reason: receipt.reason, receipt, edit };
}

/** A file that takes only so many bytes more, and fails at each flush where it is told to. */
function fullAfter(most: number, sync: 'ok' | 'fails' = 'ok') {
  let left = most;
  return async (path: string) => {
    const handle = await open(path, 'a');
    return {
      async write(bytes: Uint8Array) {
        const part = bytes.subarray(0, left);
        if (part.length === 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        left -= part.length;
        return (await handle.write(part)).bytesWritten;
      },
      async sync() {
        if (sync === 'fails') throw Object.assign(new Error('broken'), { code: 'EIO' });
        await handle.datasync();
      },
      close: () => handle.close(),
    };
  };
}

const bytes = (view: View): string => JSON.stringify(view.messages);

async function loaded(path: string): Promise<View> {
  const entries: Entry[] = [];
  const log = await openLog(path, { onEntry: (entry) => void entries.push(entry) });
  await log.close();
  return project(entries);
}

describe('a compaction whose store fails (C7, C15)', () => {
  const before = session();

  test.each<[string, (line: number) => number]>([
    ['before it', () => 0],
    ['after a byte', () => 1],
    ['after a quarter of it', (line) => Math.floor(line / 4)],
    ['after half of it', (line) => Math.floor(line / 2)],
    ['before its line break', (line) => line - 1],
    ['behind it', (line) => line],
  ])(
    'case 92: a store that ends %s leaves the session as it was or as it is',
    async (_, mostOf) => {
      const edit = await compactionOf(before);
      const line = Buffer.byteLength(`${serializeEntry(edit)}\n`);
      const most = mostOf(line);
      const folder = mkdtempSync(join(tmpdir(), 'varve-compact-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const path = join(folder, 'log.jsonl');
      const sound = await openLog(path);
      await sound.append(...before);
      await sound.close();
      const broken = await openLog(path, { openFile: fullAfter(most) });
      const { kind } = await broken.append(edit);
      await broken.close().catch(() => {});
      const expected = [bytes(project(before)), bytes(project([...before, edit]))];
      expect(expected).toContain(bytes(await loaded(path)));
      expect(kind).toBe(most >= line ? 'written' : 'buffered');
      expect(bytes(await loaded(path)) === expected[1]).toBe(most >= line - 1);
    },
  );

  test('case 92: a flush that fails leaves one of the two as well', async () => {
    const edit = await compactionOf(before);
    const folder = mkdtempSync(join(tmpdir(), 'varve-compact-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'log.jsonl');
    const sound = await openLog(path);
    await sound.append(...before);
    await sound.close();
    const openFile = fullAfter(Number.POSITIVE_INFINITY, 'fails');
    const broken = await openLog(path, { openFile, durability: 'disk' });
    await broken.append(edit).catch(() => {});
    await broken.close().catch(() => {});
    const expected = [bytes(project(before)), bytes(project([...before, edit]))];
    expect(expected).toContain(bytes(await loaded(path)));
  });
});
