import { isText, isToolResult } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { importText, jsonLines, messagesOf, problemKinds } from './import-support.ts';

const VERSION = '2.1.42';

const at = (second: number) => new Date(Date.UTC(2026, 1, 8) + second * 1000).toISOString();

const queue = (operation: string, second: number, content?: string) => ({
  type: 'queue-operation',
  operation,
  timestamp: at(second),
  sessionId: 's',
  ...(content === undefined ? {} : { content }),
});

function session(version: string, between: readonly unknown[], behind: readonly unknown[] = []) {
  const record = (fields: Record<string, unknown>, second: number) => ({
    ...{ sessionId: 's', version, timestamp: at(second), ...fields },
  });
  const call = { type: 'tool_use', id: 'c', name: 'Read', input: {} };
  const result = { type: 'tool_result', tool_use_id: 'c', content: 'bees' };
  const reply = (id: string, block: unknown) => ({
    type: 'assistant',
    message: { id, role: 'assistant', model: 'claude-opus-4-6', content: [block] },
  });
  const user = (content: unknown) => ({ type: 'user', message: { role: 'user', content } });
  return jsonLines([
    record({ ...user('Count the bees.'), uuid: 'u1', parentUuid: null }, 0),
    record({ ...reply('m1', call), uuid: 'a1', parentUuid: 'u1' }, 1),
    ...between,
    record({ ...user([result]), uuid: 'u2', parentUuid: 'a1' }, 5),
    ...behind,
    record({ ...reply('m2', { type: 'text', text: 'Seven.' }), uuid: 'a2', parentUuid: 'u2' }, 9),
  ]);
}

const wordsOf = (imported: Awaited<ReturnType<typeof importText>>): string[] =>
  messagesOf(imported).flatMap(({ content }) =>
    content.map((block) =>
      isText(block) ? block.text : isToolResult(block) ? '(result)' : '(call)',
    ),
  );

/** What was left unused of the queue. */
const unusedOf = ({ unused }: Awaited<ReturnType<typeof importText>>) =>
  Object.fromEntries(Object.entries(unused).filter(([kind]) => kind.startsWith('queue-')));

describe('case 362: Claude Code, messages that only the queue holds', () => {
  const wasps = [queue('enqueue', 2, 'And the wasps.'), queue('remove', 4)];

  test.each([
    ['between the call and its result', wasps, []],
    ['behind the result', wasps.slice(0, 1), wasps.slice(1)],
  ])('one that was given to the model %s follows the result', async (_where, between, behind) => {
    const imported = await importText(session(VERSION, between, behind));
    const words = ['Count the bees.', '(call)', '(result)', 'And the wasps.', 'Seven.'];
    expect(wordsOf(imported)).toEqual(words);
    const message = messagesOf(imported)[3];
    expect(message).toMatchObject({ role: 'user', id: 'queued-L3' });
    expect(message?.origin).toBeUndefined();
    expect(imported.problems).toEqual([]);
    expect(unusedOf(imported)).toEqual({});
  });

  test('what a task in the background says is no word of the user', async () => {
    const note = '<agent-notification>\n<agent-id>a1</agent-id>\n</agent-notification>';
    const operations = [queue('enqueue', 2, note), queue('remove', 4)];
    const imported = await importText(session('2.0.76', operations));
    expect(messagesOf(imported)[3]?.origin).toEqual({ kind: 'reminder' });
  });

  test('several leave in their order, one by its text', async () => {
    const operations = [
      ...['One.', 'Two.', 'Three.'].map((text) => queue('enqueue', 2, text)),
      queue('remove', 3, 'Two.'),
      queue('remove', 4),
    ];
    const imported = await importText(session(VERSION, operations));
    expect(wordsOf(imported).slice(3)).toEqual(['Two.', 'One.', 'Seven.']);
    expect(unusedOf(imported)).toEqual({ 'queue-operation/enqueue': 1 });
  });

  test.each([
    ['a prompt of its own', VERSION, 'dequeue', { 'queue-operation/dequeue': 1 }],
    ['taken back by the user', VERSION, 'popAll', { 'queue-operation/popAll': 1 }],
    ['never sent', VERSION, undefined, {}],
    [
      'an attachment, as later versions write it',
      '2.1.46',
      'remove',
      { 'queue-operation/remove': 1 },
    ],
    [
      'an attachment, also of a version that is none of three numbers',
      '2.1.60-dev.1',
      'remove',
      { 'queue-operation/remove': 1 },
    ],
  ])(
    'one that is %s is read once or not at all, and counted',
    async (_what, version, operation, unused) => {
      const leaves = operation === undefined ? [] : [queue(operation, 4)];
      const operations = [queue('enqueue', 2, 'And the wasps.'), ...leaves];
      const imported = await importText(session(version, operations));
      expect(wordsOf(imported)).toHaveLength(4);
      expect(unusedOf(imported)).toEqual({ 'queue-operation/enqueue': 1, ...unused });
    },
  );

  test.each([
    ['the file', (lines: readonly string[]) => [...lines, ...lines]],
    ['each line', (lines: readonly string[]) => lines.flatMap((line) => [line, line])],
  ])('one is given once where %s was written twice', async (_what, doubled) => {
    const kept = [queue('enqueue', 2, 'Wait.'), queue('enqueue', 3, 'And the wasps.')];
    const operations = [...kept, queue('remove', 4, 'And the wasps.')];
    const lines = session(VERSION, operations).trimEnd().split('\n');
    const imported = await importText(doubled(lines).join('\n'));
    const words = ['Count the bees.', '(call)', '(result)', 'And the wasps.', 'Seven.'];
    expect(wordsOf(imported)).toEqual(words);
    expect(unusedOf(imported)).toEqual({ 'queue-operation/enqueue': 1 });
    expect(new Set(imported.problems.map(({ kind }) => kind))).toEqual(
      new Set(['duplicate-record']),
    );
  });

  test('several that leave in the same millisecond all leave', async () => {
    const operations = [
      ...['One.', 'Two.'].map((text) => queue('enqueue', 2, text)),
      ...[queue('remove', 4), queue('remove', 4)],
    ];
    const imported = await importText(session(VERSION, operations));
    expect(wordsOf(imported).slice(3)).toEqual(['One.', 'Two.', 'Seven.']);
    expect(imported.problems).toEqual([]);
  });

  test('a queue of foreign values is read around', async () => {
    const strange = [{ ...queue('enqueue', 2), content: 7 }, queue('remove', 3), queue('x', 3)];
    const imported = await importText(session(VERSION, [...strange, queue('popAll', 4)]));
    expect(problemKinds(imported)).toEqual([]);
    expect(wordsOf(imported)).toHaveLength(4);
  });
});

describe('case 362: a file that begins with bookkeeping', () => {
  const kinds: readonly Record<string, unknown>[] = [
    { type: 'file-history-snapshot', messageId: 'x', snapshot: {} },
    { type: 'last-prompt', lastPrompt: 'x', sessionId: 's' },
    { type: 'mode', mode: 'plan', sessionId: 's' },
    { type: 'custom-title', customTitle: 'Bees', sessionId: 's' },
    { type: 'summary', summary: 'Bees', leafUuid: 'x' },
    { type: 'permission-mode', permissionMode: 'default', sessionId: 's' },
  ];

  test.each(kinds)('5,000 lines of $type', async (line) => {
    const text = jsonLines(Array.from({ length: 5000 }, () => line)) + session(VERSION, []);
    const imported = await importText(text);
    expect(wordsOf(imported)).toHaveLength(4);
    expect(imported.unused).toMatchObject({ [`${line.type}`]: 5000 });
    await expect(importText(jsonLines([line]))).rejects.toMatchObject({
      code: 'no-messages',
      message: expect.stringContaining('claude-code'),
    });
  });
});
