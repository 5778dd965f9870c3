import { expect, test } from 'vitest';
import { newMemory, testMemory } from './support.ts';

const waiting = {
  ...{ name: 'Mirror', description: 'Where to push', type: 'project' as const },
  ...{ body: 'Developers push to the mirror.', reason: 'outside-context' },
};

test('what is held is listed, and in no index, list or recall', async () => {
  const { memory } = testMemory();
  expect(await memory.hold(waiting)).toMatchObject({ kind: 'changed' });
  expect(await memory.inbox()).toMatchObject([
    { path: '.inbox/project_mirror.md', name: 'Mirror' },
  ]);
  expect((await memory.scan()).files).toEqual([]);
  expect((await memory.loadIndex()).text).toBe('');
  expect((await memory.startRecall().recall('Where do developers push, mirror?')).kind).toBe(
    'none',
  );
  expect(await memory.hold({ ...waiting, name: 'Said again' })).toEqual({
    kind: 'waiting-already',
  });
  expect(await memory.inbox()).toHaveLength(1);
});

test('accepted, it is a memory with its line in the index, and waits no more', async () => {
  const { memory } = testMemory();
  await memory.hold(waiting);
  expect(await memory.accept('.inbox/project_mirror.md')).toMatchObject({
    ...{ kind: 'saved', path: 'project_mirror.md' },
  });
  expect(await memory.inbox()).toEqual([]);
  expect((await memory.loadIndex()).text).toContain('project_mirror.md');
  expect(await memory.accept('.inbox/project_mirror.md')).toEqual({ kind: 'not-found' });
});

test('accepted where a file has its name it keeps waiting, and the answer says why', async () => {
  const { memory } = testMemory();
  await memory.save(newMemory('Mirror', 'Another text of this name.'));
  await memory.hold(waiting);
  expect(await memory.accept('.inbox/project_mirror.md')).toMatchObject({ reason: 'exists' });
  expect(await memory.inbox()).toHaveLength(1);
});

test('case 203: discarded, it does not come back, is kept in the archive, and only the user can want it again', async () => {
  const { memory, everything } = testMemory();
  await memory.hold(waiting);
  expect(await memory.discard('.inbox/project_mirror.md')).toMatchObject({ kind: 'discarded' });
  expect(await memory.inbox()).toEqual([]);
  expect(await everything()).toContain(waiting.body);
  const again = newMemory('Mirror', waiting.body);
  expect(await memory.save(again)).toMatchObject({ kind: 'refused', reason: 'forgotten' });
  expect(await memory.save({ ...again, asked: true })).toMatchObject({ kind: 'saved' });
  expect(await memory.discard('.inbox/../project_mirror.md')).toEqual({ kind: 'not-found' });
});

test('case 208: a secret does not wait either', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const { memory, everything } = testMemory();
  await memory.hold({ ...waiting, body: `The token of the mirror is ${secret}.` });
  expect(await memory.inbox()).toHaveLength(1);
  expect(await everything()).not.toContain(secret);
});
