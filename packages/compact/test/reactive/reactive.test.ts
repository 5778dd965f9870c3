import { type Block, checkHistory, type Message, type View } from '@varve/messages';
import { ModelError } from '@varve/models';
import { describe, expect, test } from 'vitest';
import type { RecoverySteps } from '../../src/reactive/recovery.ts';
import { mediaEdit, NEW_RECOVERY, recover } from '../../src/recovery.ts';
import { profilesFor } from '../full/histories.ts';
import { tooLong } from '../full/models.ts';
import { editEntry, HEAD, watchedLog } from '../plan/working-log.ts';

const tooLarge = (messageIndex?: number, blockIndex?: number) =>
  new ModelError('media-too-large', 'Too large.', {
    ...(messageIndex !== undefined && {
      place: { messageIndex, ...(blockIndex !== undefined && { blockIndex }) },
    }),
  });

/** Steps that work or do not, and a list of what was done. */
function stepsOf(works: Partial<Record<keyof RecoverySteps, boolean>>) {
  const done: string[] = [];
  const step = (name: keyof RecoverySteps) => async () => {
    done.push(name);
    return works[name] ?? false;
  };
  const steps = {
    commitStaged: step('commitStaged'),
    stripMedia: step('stripMedia'),
    compact: step('compact'),
  };
  return { steps, done };
}

/** Sends again as long as recovery says so, always refused, and counts. */
async function refusedForGood(error: ModelError, works: Parameters<typeof stepsOf>[0]) {
  const { steps, done } = stepsOf(works);
  let state = NEW_RECOVERY;
  for (let retries = 0; ; retries++) {
    const result = await recover({
      error: retries === 0 ? error : tooLong(2, 1),
      firstError: error,
      state,
      steps,
    });
    if (result.kind === 'show')
      return { retries, done, shown: result.error, reason: result.reason };
    state = result.state;
  }
}

describe('recover (C13)', () => {
  test.each([
    ['prompt-too-long', true],
    ['request-too-large', true],
    ['silent-overflow', true],
    ['media-too-large', true],
    ['invalid-request', false],
    ['rate-limited', false],
    ['overloaded', false],
    ['refused', false],
  ] as const)('case 64: %s leads to a compaction: %s', async (code, recovers) => {
    const { steps, done } = stepsOf({ compact: true });
    const error = new ModelError(code, 'Refused.');
    const result = await recover({ error, state: NEW_RECOVERY, steps });
    expect(done.filter((step) => step === 'compact')).toHaveLength(recovers ? 1 : 0);
    expect(result).toMatchObject(recovers ? { kind: 'retry' } : { kind: 'show', error });
  });

  test.each([
    {
      name: 'staged spans, then a compaction',
      error: tooLong(),
      works: { commitStaged: true, compact: true },
      retries: 2,
      done: ['commitStaged', 'compact'],
      reason: 'already-tried',
    },
    {
      name: 'a compaction at once',
      error: tooLong(),
      works: { compact: true },
      retries: 1,
      done: ['commitStaged', 'compact'],
      reason: 'already-tried',
    },
    {
      name: 'media, then a compaction',
      error: tooLarge(),
      works: { stripMedia: true, compact: true },
      retries: 2,
      done: ['stripMedia', 'compact'],
      reason: 'already-tried',
    },
    {
      name: 'nothing that helps',
      error: tooLong(),
      works: {},
      retries: 0,
      done: ['commitStaged', 'compact'],
      reason: 'compaction-failed',
    },
  ])(
    'tries $name, each once, and shows the first error',
    async ({ error, works, retries, done, reason }) => {
      expect(await refusedForGood(error, works)).toEqual({ retries, done, shown: error, reason });
    },
  );

  test.each([
    {
      name: 'other errors',
      error: new ModelError('auth', 'No.'),
      enabled: true,
      reason: 'not-too-long',
    },
    { name: 'any while it is off', error: tooLong(), enabled: false, reason: 'disabled' },
  ])('leaves $name to the caller', async ({ error, enabled, reason }) => {
    const { steps, done } = stepsOf({ compact: true });
    expect(await recover({ error, enabled, state: NEW_RECOVERY, steps })).toMatchObject({
      kind: 'show',
      error,
      reason,
    });
    expect(done).toEqual([]);
  });

  test('hands an abort on', async () => {
    const compact = () => Promise.reject(new DOMException('Aborted.', 'AbortError'));
    const recovering = recover({ error: tooLong(), state: NEW_RECOVERY, steps: { compact } });
    await expect(recovering).rejects.toThrow('Aborted.');
  });
});

const image = (data: string): Block => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data },
});
const text = (value: string): Block => ({ type: 'text', text: value });
const thought: Block = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' };

function logWithMedia(...later: readonly Omit<Message, 'id'>[]) {
  const log = watchedLog();
  log.append(HEAD);
  log.say({ role: 'user', content: [text('Look.'), image('AAAA')] });
  log.say({
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'c1', name: 'shot', input: {} }],
  });
  log.say({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'c1', content: [image('BBBB')] }],
  });
  log.say({ role: 'assistant', content: [thought, text('A picture.')] });
  for (const message of later) log.say(message);
  const find = (id: string) =>
    log.entries
      .flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
      .find((each) => each.id === id);
  return { log, find };
}

const holds = ({ messages }: View, data: string): boolean =>
  JSON.stringify(messages).includes(data);

describe('mediaEdit (C13)', () => {
  test('case 52: puts a text in place of the block the provider named, and the original stays in the log', () => {
    const { log, find } = logWithMedia({ role: 'user', content: [text('And?')] });
    const edit = mediaEdit(log.view.messages, {
      place: { messageIndex: 0, blockIndex: 1 },
      find,
      thinking: 'free',
    });
    log.append(editEntry(edit as never, 'strip'));
    expect([holds(log.view, 'AAAA'), holds(log.view, 'BBBB')]).toEqual([false, true]);
    expect(JSON.stringify(log.view.messages[0])).toContain('[image was here]');
    log.append(editEntry({ kind: 'undo', entryId: 'strip' }, 'undo'));
    expect(holds(log.view, 'AAAA')).toBe(true);
  });

  test.each([undefined, { messageIndex: 3, blockIndex: 0 }])(
    'takes all media out where %o says nothing of them',
    (place) => {
      const { log, find } = logWithMedia({ role: 'user', content: [text('And?')] });
      const edit = mediaEdit(log.view.messages, { place, find, thinking: 'prefix-bound' });
      log.append(editEntry(edit as never, 'strip'));
      expect([holds(log.view, 'AAAA'), holds(log.view, 'BBBB'), holds(log.view, 'Hm.')]).toEqual([
        false,
        false,
        false,
      ]);
      for (const profile of profilesFor('prefix-bound'))
        expect(checkHistory(log.view.messages, profile)).toEqual([]);
      expect(mediaEdit(log.view.messages, { find, thinking: 'prefix-bound' })).toBeUndefined();
    },
  );

  test('edits nothing before bound thinking of an open tool loop', () => {
    const call = { type: 'tool_use', id: 'c2', name: 'read', input: {} };
    const result = { type: 'tool_result', tool_use_id: 'c2', content: 'x' };
    const { log, find } = logWithMedia(
      { role: 'user', content: [text('And?')] },
      { role: 'assistant', content: [thought, call] },
      { role: 'user', content: [result] },
    );
    expect(mediaEdit(log.view.messages, { find, thinking: 'prefix-bound' })).toBeUndefined();
    expect(mediaEdit(log.view.messages, { find, thinking: 'free' })?.blocks.length).toBe(2);
  });
});
