import type { Block, Message } from '@varve/messages';

/** A body of the Messages API that a violation is put into. */
export interface Body {
  readonly messages: readonly Pick<Message, 'role' | 'content'>[];
  readonly [field: string]: unknown;
}

/** Breaks one rule; undefined where the conversation has no place for it. `pick` chooses among several places. */
export type Violate = (body: Body, pick: (count: number) => number) => Body | undefined;

type Place = readonly [messageIndex: number, blockIndex: number];

function places(body: Body, isPlace: (block: Block, role: string) => boolean): Place[] {
  return body.messages.flatMap(({ role, content }, messageIndex) =>
    content.flatMap((block, index): Place[] =>
      isPlace(block, role) ? [[messageIndex, index]] : [],
    ),
  );
}

/** Changes the blocks of the message at a chosen place. */
const atBlock =
  (
    isPlace: (block: Block, role: string) => boolean,
    change: (content: readonly Block[], index: number) => readonly unknown[],
  ): Violate =>
  (body, pick) => {
    const found = places(body, isPlace);
    const place = found[pick(found.length)];
    if (place === undefined) return undefined;
    return at(body, place[0], (content) => change(content, place[1]));
  };

function at(
  body: Body,
  messageIndex: number,
  change: (content: readonly Block[]) => unknown,
): Body {
  const messages = body.messages.map((message, index) =>
    index === messageIndex
      ? { ...message, content: change(message.content) as readonly Block[] }
      : message,
  );
  return { ...body, messages };
}

const isResult = ({ type }: Block) => type === 'tool_result';
const isCall = ({ type }: Block) => type === 'tool_use';
const isThinking = ({ type }: Block) => type === 'thinking';
const text = (value: string): Block => ({ type: 'text', text: value });
const last = (body: Body) => body.messages.length - 1;
const marked = (n: number) => ({ ...text(`m${n}`), cache_control: { type: 'ephemeral' } });

/** One broken rule each, by name. */
export const VIOLATIONS: Readonly<Record<string, Violate>> = {
  'result missing': atBlock(isResult, (content, index) => content.toSpliced(index, 1)),
  'result twice': atBlock(isResult, (content, index) =>
    content.toSpliced(index, 0, content[index] as Block),
  ),
  'result of another call': atBlock(isResult, (content, index) =>
    content.with(index, { ...(content[index] as Block), tool_use_id: 'never-called' }),
  ),
  'text before a result': atBlock(isResult, (content) => [text('first'), ...content]),
  'call without a result': atBlock(isCall, (content) => [
    ...content,
    { type: 'tool_use', id: 'never-answered', name: 'x', input: {} },
  ]),
  'call id twice': atBlock(isCall, (content, index) => [...content, content[index]]),
  'call input no object': atBlock(isCall, (content, index) =>
    content.with(index, { ...(content[index] as Block), input: 'x' }),
  ),
  'call by the user': (body) =>
    at(body, last(body), (content) => [
      ...content,
      { type: 'tool_use', id: 'u', name: 'x', input: {} },
    ]),
  'thinking by the user': (body) =>
    at(body, last(body), (content) => [
      ...content,
      { type: 'thinking', thinking: 't', signature: 's' },
    ]),
  'thinking without signature': atBlock(isThinking, (content, index) =>
    content.with(index, { ...(content[index] as Block), signature: '' }),
  ),
  'empty text': (body) => at(body, last(body), (content) => [...content, text('')]),
  'no text': (body) => at(body, last(body), (content) => [...content, { type: 'text' }]),
  'empty message': (body) => at(body, last(body), () => []),
  'assistant first': (body) => ({
    ...body,
    messages: [{ role: 'assistant', content: [text('a')] }, ...body.messages],
  }),
  prefill: (body) => ({
    ...body,
    messages: [...body.messages, { role: 'assistant', content: [text('a')] }],
  }),
  'unknown role': (body) => ({
    ...body,
    messages: [...body.messages, { role: 'tool' as never, content: [text('a')] }],
  }),
  'half a surrogate': (body) => at(body, last(body), (content) => [...content, text('\udc00')]),
  'five markers': (body) =>
    at(body, last(body), (content) => [...content, ...[1, 2, 3, 4, 5].map(marked)]),
  'unknown field': (body) => ({ ...body, mesages: [] }),
  'no limit': (body) => ({ ...body, max_tokens: undefined }),
  'limit above the model': (body) => ({ ...body, max_tokens: 128_001 }),
  'tool without a name': (body) => ({ ...body, tools: [{ name: '', input_schema: {} }] }),
  'two tools of one name': (body) => ({
    ...body,
    tools: [1, 2].map(() => ({ name: 'x', input_schema: {} })),
  }),
  'thread asked for': (body) => ({ ...body, thread: { type: 'create' } }),
};
