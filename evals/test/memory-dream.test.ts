import { join } from 'node:path';
import { send } from '@varve/models';
import { describe, expect, test } from 'vitest';
import { loadChain } from '../src/memory/load-chains.ts';
import { memoryReport } from '../src/memory/memory-report.ts';
import { formatMemory } from '../src/memory/memory-text.ts';
import { type Recording, requestHash } from '../src/memory/recordings.ts';
import { type Dreamer, pollutedFolder, runDream } from '../src/memory/run-dream.ts';
import { validAt } from '../src/memory/score.ts';

const root = join(import.meta.dirname, '..', '..');
const chain = await loadChain(join(import.meta.dirname, 'chains', 'tide-gauge.json'), root);

const REQUEST = {
  head: {
    id: 'head',
    model: 'any',
    system: [{ type: 'text', text: 'Dream.' }],
    tools: [],
    params: {},
  },
  messages: [{ id: '1', role: 'user', content: [{ type: 'text', text: 'Go.' }] }],
  markers: [],
  maxOutputTokens: 100,
} as const;
const exchange = {
  ...{ prompt: '', request: requestHash(REQUEST), model: 'any', date: '2026-03-12' },
  answer: { text: 'Done.', calls: [] },
};
const RECORDING: Recording = {
  ...{ chain: chain.name, take: 1 },
  exchanges: new Map([['12.dream.polluted.1', exchange]]),
};

interface FakeOptions {
  /** Whether a memory stays. */
  readonly keeps: (statement: string) => boolean;
  readonly isIdleAgain?: boolean;
  readonly undoes?: boolean;
}

/** Asks once, and forgets what is not to stay. */
const dreamer = ({ keeps, isIdleAgain = true, undoes = true }: FakeOptions): Dreamer => ({
  promptVersion: '',
  open({ memory, client }) {
    let dreams = 0;
    const before = new Map<string, string>();
    return {
      async dream() {
        dreams++;
        if (dreams === 1) {
          const response = await send(client, REQUEST).catch(() => undefined);
          if (response === undefined) return 'failed';
          for (const { path } of (await memory.folder.list('')).files)
            before.set(path, (await memory.folder.read(path))?.text ?? '');
        } else if (!isIdleAgain) {
          await memory.folder.replace('new.md', 'New.\n', { basis: undefined });
          return undefined;
        }
        for (const [path, text] of before) {
          const statement = text.split('---\n\n')[1]?.trim();
          if (statement !== undefined && !keeps(statement))
            await memory.folder.remove(path, { basis: text });
        }
        return undefined;
      },
      async undo() {
        if (!undoes) return;
        const added = await memory.folder.read('new.md');
        if (added !== undefined)
          return void (await memory.folder.remove('new.md', { basis: added.text }));
        for (const [path, text] of before) {
          const now = (await memory.folder.read(path))?.text;
          if (now !== text) await memory.folder.replace(path, text, { basis: now });
        }
      },
    };
  },
});

const run = (options: FakeOptions, recording = RECORDING) =>
  runDream({
    ...{ chain, recording, memory: 'polluted', folder: pollutedFolder(chain) },
    dreamer: dreamer(options),
  });

const valid = new Set(
  validAt(chain.items, chain.sessions.length).map(({ statement }) => statement),
);

describe('V6 runDream', () => {
  test('the ideal dream loses nothing, removes all that is bad, and can be taken back', async () => {
    const result = await run({ keeps: (statement) => valid.has(statement) });
    expect(result.before).toMatchObject({ statements: 37, held: 14 });
    expect(result.score).toMatchObject({ lostTrue: 0, removedBad: 1, net: 1, invented: 0 });
    expect(result.after).toMatchObject({ pollution: 0, missed: 0 });
    expect(result).toMatchObject({ again: 0, isUndoneIdentical: true, requests: 1, wanted: [] });
  });

  test('one that does nothing changes nothing', async () => {
    const result = await run({ keeps: () => true });
    expect(result.score).toMatchObject({ lostTrue: 0, removedBad: 0, net: 0 });
    expect(result).toMatchObject({ again: 0, isUndoneIdentical: true });
  });

  test('a second dream that changes something is counted in bytes', async () => {
    expect((await run({ keeps: () => true, isIdleAgain: false })).again).toBe(5);
  });

  test('whether undo gives the same bytes is looked at also where a second dream changed some', async () => {
    const keeps = (text: string) => valid.has(text);
    const good = await run({ keeps, isIdleAgain: false });
    expect(good).toMatchObject({ again: 5, isUndoneIdentical: true });
    const bad = await run({ keeps, isIdleAgain: false, undoes: false });
    expect(bad.isUndoneIdentical).toBe(false);
  });

  test('an undo that gives other bytes is told', async () => {
    const result = await run({ keeps: (text) => valid.has(text), undoes: false });
    expect(result.isUndoneIdentical).toBe(false);
  });

  test('without an answer nothing is scored', async () => {
    const none = { ...RECORDING, exchanges: new Map() };
    const result = await run({ keeps: () => false }, none);
    expect(result).toMatchObject({ score: undefined, after: undefined });
    expect(result.wanted).toMatchObject([{ place: '12.dream.polluted.1', reason: 'missing' }]);
  });

  test('a dream that fails is in no figure, and the report says why', async () => {
    const failing: Dreamer = {
      promptVersion: '',
      open: () => ({ dream: async () => 'not-read', undo: async () => {} }),
    };
    const folder = pollutedFolder(chain);
    const input = { chain, recording: RECORDING, memory: 'polluted', folder } as const;
    const dreams = [await runDream({ ...input, dreamer: failing })];
    const report = memoryReport({ chains: [chain], heldBackLeftOut: 0, runs: [], dreams });
    expect(report.shippedDreams).toEqual([]);
    const text = formatMemory(report, { program: 'pnpm eval', all: false }).replaceAll('\n', ' ');
    expect(text).toContain('1 of 1 dreams failed (not-read) and are in no figure.');
  });

  test('the report says pollution with what is missed, before and after', async () => {
    const dreams = [await run({ keeps: (text) => valid.has(text) })];
    const report = memoryReport({ chains: [chain], heldBackLeftOut: 0, runs: [], dreams });
    const text = formatMemory(report, { program: 'pnpm eval', all: false }).replaceAll('\n', ' ');
    expect(text).toContain(
      'Dream as it ships, 1 runs: pollution 62 % before and 0 % after, 0 % stale and 0 % missed after; a second dream changed 0 bytes; 0 undos gave other bytes than before.',
    );
  });

  test('names of files and headers tell nothing of what is wrong', async () => {
    const { files } = await pollutedFolder(chain).list('');
    const names = files.map(({ path }) => path).join(' ');
    expect(names).not.toMatch(/false|inject|secret|forbid|stale|dump|token/);
    expect(files).toHaveLength(38);
  });
});
