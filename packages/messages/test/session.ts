import {
  type Block,
  createProjection,
  type Edit,
  type Entry,
  type EntryBody,
  type Message,
  MessagesError,
  type Role,
  type View,
} from '../src/index.ts';

/** A log that a test writes by hand; entry `e0` is the first. */
export function createSession() {
  const projection = createProjection();
  const entries: Entry[] = [];
  let view: View = { messages: [], changedFrom: 0 };
  function put(body: EntryBody): View {
    const entry: Entry = { id: `e${entries.length}`, at: '2026-01-31T12:00:00Z', ...body };
    view = projection.append(entry);
    entries.push(entry);
    return view;
  }
  const say = (role: Role, id: string, blocks: readonly (Block | string)[]) =>
    put({ type: 'message', message: toMessage(role, id, blocks) });
  const edit = (change: Edit) =>
    put({ type: 'edit', by: 'test', reason: change.kind, edit: change });
  return {
    entries,
    put,
    edit,
    view: () => view,
    user: (id: string, ...blocks: (Block | string)[]) => say('user', id, blocks),
    assistant: (id: string, ...blocks: (Block | string)[]) => say('assistant', id, blocks),
    system: (id: string, ...blocks: (Block | string)[]) => say('system', id, blocks),
    clear: (...blocks: (readonly [messageId: string, index: number, block: Block | null])[]) =>
      edit({
        kind: 'replace-content',
        blocks: blocks.map(([messageId, index, block]) => ({ messageId, index, block })),
      }),
    span: (fromId: string, toId: string, options: { with?: Message[]; then?: Message[] } = {}) =>
      edit({
        kind: 'replace-span',
        fromId,
        toId,
        with: options.with ?? [],
        then: options.then ?? [],
      }),
    undo: (entryId: string) => edit({ kind: 'undo', entryId }),
  };
}

export type Session = ReturnType<typeof createSession>;

export function toMessage(role: Role, id: string, blocks: readonly (Block | string)[]): Message {
  const content = blocks.map((block) => (typeof block === 'string' ? text(block) : block));
  return { id, role, content };
}

export const userMessage = (id: string, ...blocks: (Block | string)[]): Message =>
  toMessage('user', id, blocks);

export const text = (value: string): Block => ({ type: 'text', text: value });
export const call = (id: string, input: unknown = {}): Block => ({
  type: 'tool_use',
  id,
  name: 'read',
  input,
});
export const result = (id: string, content = `of ${id}`): Block => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});
export const thinking: Block = { type: 'thinking', thinking: 'hm', signature: 'signed' };

/** The logged ids behind each message of the view: `u1 a1 r1+r2`. */
export const shown = ({ messages }: View): string =>
  messages.map(({ sources }) => sources.join('+')).join(' ');

/** The code of what `run` throws; undefined when it throws nothing. */
export function codeOf(run: () => unknown): MessagesError['code'] | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (!MessagesError.is(error)) throw error;
    return error.code;
  }
}
