import type { Entry, Json } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { mergeInstructions } from '../../src/hooks/instructions.ts';
import { compactionChain, settleAttempts } from '../../src/pipeline.ts';

const at = '2026-01-31T12:00:00Z';
const note = (id: string, data: Json, by = 'compact'): Entry => ({
  id,
  at,
  type: 'note',
  by,
  data,
});
const started = (attempt: string) =>
  note(`start-${attempt}`, { kind: 'compaction-started', attempt, path: 'full' });
const ended = (attempt: string) =>
  note(`end-${attempt}`, { kind: 'compaction-ended', attempt, outcome: 'compacted' });
const committed = (attempt: string): Entry => ({
  id: `edit-${attempt}`,
  at,
  type: 'edit',
  by: 'compact',
  reason: 'manual',
  receipt: { attempt },
  edit: { kind: 'replace-span', fromId: 'a', toId: 'a', with: [], then: [] },
});

const interrupted = (attempt: string) => ({
  kind: 'compaction-ended',
  attempt,
  outcome: 'interrupted',
});

describe('settleAttempts (C14)', () => {
  test.each([
    { name: 'an empty log', log: [], open: [] },
    {
      name: 'case 30: one without an end beside one that ended',
      log: [started('c-1'), started('c-0'), ended('c-0')],
      open: ['c-1'],
    },
    { name: 'the newest first', log: [started('1'), started('2')], open: ['2', '1'] },
    {
      name: 'an edit that is in the log ends its attempt',
      log: [started('1'), committed('1')],
      open: [],
    },
    {
      name: 'notes of others',
      log: [note('x', { kind: 'compaction-started', attempt: '1' }, 'you')],
      open: [],
    },
    {
      name: 'notes of another shape',
      log: [note('x', null), note('y', [1]), note('z', { kind: 'compaction-started' })],
      open: [],
    },
  ])('$name', ({ log, open }) => {
    expect(settleAttempts(log)).toEqual(open.map(interrupted));
  });

  test('case 30: settled once, an attempt stays settled', () => {
    const log = [started('c-1')];
    const notes = settleAttempts(log).map((data, index) => note(`settled-${index}`, { ...data }));
    expect(settleAttempts([...log, ...notes])).toEqual([]);
  });
});

describe('mergeInstructions (C14)', () => {
  test.each([
    [[undefined, undefined], undefined],
    [['', ' \n'], undefined],
    [['a', undefined], 'a'],
    [['a', 'b', 'c'], 'a\n\nb\n\nc'],
    [[' a ', '', 'b\n'], 'a\n\nb'],
  ])('%j is %j', (parts, merged) => {
    expect(mergeInstructions(...parts)).toBe(merged);
  });
});

describe('compactionChain (C14)', () => {
  const now = { loopId: 'loop-2', turnId: 'turn-9', turn: 9 };
  test.each([
    { previous: undefined, chain: { turnId: 'turn-9', sameLoop: false, turnsSince: -1 } },
    {
      previous: { loopId: 'loop-2', turnId: 'turn-9', turn: 9 },
      chain: { turnId: 'turn-9', sameLoop: true, turnsSince: 0, previousTurnId: 'turn-9' },
    },
    {
      previous: { loopId: 'loop-1', turnId: 'turn-4', turn: 4 },
      chain: { turnId: 'turn-9', sameLoop: false, turnsSince: 5, previousTurnId: 'turn-4' },
    },
  ])('$previous', ({ previous, chain }) => {
    expect(compactionChain(previous, now)).toEqual(chain);
  });
});
