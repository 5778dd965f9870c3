import { expect, test } from 'vitest';
import { createProjection, type Entry, type Message } from '../src/index.ts';
import { createSharedStart } from '../src/stamps.ts';

const AT = '2026-01-31T12:00:00Z';
const say = (id: string, role: Message['role'] = 'user'): Message => ({
  id,
  role,
  content: [{ type: 'text', text: role }],
});
const entryOf = (message: Message): Entry => ({
  id: `e-${message.id}`,
  at: AT,
  type: 'message',
  message,
});

test('says how many messages a history begins with of the one before it', () => {
  const [a, b, c] = [say('a'), say('b', 'assistant'), say('c')];
  const shared = createSharedStart<Message>();
  expect([[a], [a, b], [a, b], [a, { ...b }, c], [], [c]].map(shared)).toEqual([0, 1, 2, 1, 0, 0]);
  expect(createSharedStart([a, b])([a, b, c])).toBe(2);
});

test('what the owner of a list changes in it is seen', () => {
  const list = [say('a'), say('b', 'assistant')];
  const shared = createSharedStart<Message>();
  shared(list);
  list[1] = say('c', 'assistant');
  expect(shared(list)).toBe(1);
});

test('of a log that grew it is the shorter view, and behind an edit only what is the same object', () => {
  const projection = createProjection();
  const shared = createSharedStart<Message>();
  const first = projection.append(entryOf(say('a'))).messages;
  const second = projection.append(entryOf(say('b', 'assistant'))).messages;
  expect([first, second, first].map(shared)).toEqual([0, 1, 1]);
  // the same bytes under another id: another object
  const edit: Entry = {
    id: 'span',
    at: AT,
    type: 'edit',
    by: 'test',
    reason: 'test',
    edit: { kind: 'replace-span', fromId: 'a', toId: 'a', with: [say('x')], then: [] },
  };
  const edited = projection.append(edit);
  expect(edited.changedFrom).toBe(2);
  expect([second, edited.messages].map(shared)).toEqual([1, 0]);
});
