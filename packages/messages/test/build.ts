import type { BlockLike, MessageLike } from '../src/blocks.ts';

type Fields = Readonly<Record<string, unknown>>;
export type TestBlock = BlockLike & Fields;
export interface TestMessage extends MessageLike {
  readonly role: string;
  readonly content: string | readonly TestBlock[];
}

export const text = (value: string): TestBlock => ({ type: 'text', text: value });
export const call = (id: string, input: unknown = {}): TestBlock => ({
  type: 'tool_use',
  id,
  name: 'read',
  input,
});
export const result = (id: string, content: unknown = 'ok', fields: Fields = {}): TestBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...fields,
});
/** A result without content. */
export const bare = (id: string): TestBlock => ({ type: 'tool_result', tool_use_id: id });
export const thinking = (signature = 'signed'): TestBlock => ({
  type: 'thinking',
  thinking: 'hm',
  signature,
});
export const image: TestBlock = { type: 'image', source: { type: 'url', url: 'https://x.test' } };

const message = (role: string, content: readonly (TestBlock | string)[]): TestMessage => ({
  role,
  content: content.map((block) => (typeof block === 'string' ? text(block) : block)),
});

export const user = (...content: (TestBlock | string)[]): TestMessage => message('user', content);
export const assistant = (...content: (TestBlock | string)[]): TestMessage =>
  message('assistant', content);
export const system = (...content: (TestBlock | string)[]): TestMessage =>
  message('system', content);
