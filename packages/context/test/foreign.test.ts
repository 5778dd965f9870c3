import { describe, expect, test } from 'vitest';
import { call, rejection, says, scene, text } from './support.ts';

const OPENAI_CALL = { id: 'a', type: 'function', function: { name: 'x', arguments: '{}' } };
const AI_SDK_CALL = { type: 'tool-call', toolCallId: 'a', toolName: 'x', input: {} };

/** N341 at the doors of a conversation; siblings looked for: messages, lists of them, blocks, replies, results and their content. */
describe('N341: what another library made is refused by name, and nothing changes', () => {
  test.each<[string, unknown, string]>([
    [
      'a message of OpenAI chat',
      { role: 'tool', tool_call_id: 'a', content: 'x' },
      'fromOpenAIChat',
    ],
    ['a list of them', [{ role: 'assistant', content: null }], 'fromOpenAIChat'],
    ['an image of OpenAI chat', [{ type: 'image_url', image_url: { url: 'x' } }], 'fromOpenAIChat'],
    ['a text of Responses', [{ type: 'input_text', text: 'x' }], 'fromOpenAIResponses'],
    ['an image of the AI SDK', [{ type: 'image', image: 'x' }], 'fromAISDK'],
    [
      'a message of the AI SDK',
      { role: 'user', parts: [{ type: 'text', text: 'x' }] },
      'UIMessage',
    ],
    ['a content of Gemini', { role: 'user', parts: [{ text: 'x' }] }, 'Gemini'],
    ['an output of the AI SDK', [{ type: 'json', value: { a: 1 } }], 'AI SDK'],
    ['an image by its URL', [{ type: 'image', source: 'https://x/y.png' }], "type: 'url'"],
    ['a bitmap', [text('x'), bitmap('image')], 'image/bmp'],
    ['a bitmap as a document', [bitmap('document')], 'image/bmp'],
    ['an image of an MCP tool', [{ type: 'image', data: 'x', mimeType: 'image/png' }], 'MCP'],
  ])('user: %s', async (_name, given, named) => {
    const { context } = scene();
    await context.user('Go.');
    await unchanged(context, () => context.user(given as never), {
      code: 'malformed-message',
      named,
    });
  });

  test.each<[string, unknown, string]>([
    [
      'a chat completion',
      { choices: [{ message: { role: 'assistant', content: 'x' } }] },
      'fromOpenAIChat',
    ],
    [
      'its message',
      { role: 'assistant', content: null, tool_calls: [OPENAI_CALL] },
      'fromOpenAIChat',
    ],
    ['a response', { output: [{ type: 'message', content: [] }] }, 'fromOpenAIResponses'],
    ['its text', { content: [{ type: 'output_text', text: 'x' }] }, 'fromOpenAIResponses'],
    ['its call', { content: [{ type: 'function_call', name: 'x' }] }, 'fromOpenAIResponses'],
    ['a call of the AI SDK', { content: [AI_SDK_CALL] }, 'fromAISDK'],
    ['a call of OpenAI as a block', { content: [text('x'), OPENAI_CALL] }, 'fromOpenAIChat'],
    [
      'reasoning of the AI SDK',
      { content: [{ type: 'reasoning', text: 'x' }, text('x')] },
      'fromAISDK',
    ],
    ['an answer of Gemini', { candidates: [{ content: { parts: [{ text: 'x' }] } }] }, 'Gemini'],
    ['a part of Bedrock Converse', { content: [{ toolUse: { toolUseId: 'a' } }] }, 'Converse'],
  ])('reply: %s', async (_name, given, named) => {
    const { context } = scene();
    await context.user('Go.');
    await context.request();
    await unchanged(context, () => context.reply(given as never), {
      code: 'malformed-reply',
      named,
    });
  });

  test.each([
    'reasoning',
    'web_search_call',
    'shell_call',
    'apply_patch_call',
    'mcp_call',
    'mcp_tool_use',
  ])('reply: a block %s, as converters leave it, is none', async (type) => {
    const { context } = scene();
    await context.user('Go.');
    await context.request();
    const block = { type, id: 'r', name: 'x', input: {}, summary: [] };
    await context.reply({ content: [block, text('x')] } as never);
    expect(context.view().messages.at(-1)?.content).toEqual([block, text('x')]);
  });

  test.each<[string, unknown, string]>([
    ['a tool message', { role: 'tool', tool_call_id: 'a', content: 'x' }, 'fromOpenAIChat'],
    [
      'an output of Responses',
      { type: 'function_call_output', call_id: 'a', output: 'x' },
      'fromOpenAIResponses',
    ],
    ['a result of the AI SDK', { type: 'tool-result', toolCallId: 'a', output: 'x' }, 'toolUseId'],
    [
      'a block of Anthropic',
      { type: 'tool_result', tool_use_id: 'a', content: 'x' },
      'tool_result',
    ],
    ['no id', { content: 'x' }, 'toolUseId'],
    [
      'a sound of an MCP tool',
      output([{ type: 'audio', data: 'x', mimeType: 'audio/wav' }]),
      'MCP',
    ],
    ['JSON of the AI SDK', output([{ type: 'json', value: { a: 1 } }]), 'AI SDK'],
    ['JSON of the AI SDK, in no list', output({ type: 'json', value: { a: 1 } }), 'AI SDK'],
    ['a list of the AI SDK', output([{ type: 'content', value: [text('x')] }]), 'AI SDK'],
    ['an image by its URL', output([{ type: 'image', source: 'https://x/y.png' }]), "type: 'url'"],
    ['a bitmap', output([bitmap('image')]), 'image/bmp'],
    ['a file of an MCP tool', output([{ type: 'resource', resource: { uri: 'x' } }]), 'MCP'],
    ['a text of Responses', output([{ type: 'input_text', text: 'x' }]), 'fromOpenAIResponses'],
    [
      'media of the AI SDK',
      output([{ type: 'media', data: 'x', mediaType: 'image/png' }]),
      'fromAISDK',
    ],
  ])('results: %s', async (_name, given, named) => {
    const { context } = scene();
    await context.user('Go.');
    await context.request();
    await context.reply(says(call('a')));
    const results = () => context.results([given as never]);
    await unchanged(context, results, { code: 'malformed-result', named });
  });
});

function bitmap(type: string): unknown {
  return { type, source: { type: 'base64', media_type: 'image/bmp', data: 'AA==' } };
}

function output(content: unknown): unknown {
  return { toolUseId: 'a', content };
}

async function unchanged(
  context: ReturnType<typeof scene>['context'],
  act: () => Promise<unknown>,
  { code, named }: { readonly code: string; readonly named: string },
): Promise<void> {
  const before = JSON.stringify(context.view());
  const thrown = (await rejection(act())) as { code: string; message: string };
  expect(thrown.code).toBe(code);
  expect(thrown.message).toContain(named);
  expect(JSON.stringify(context.view())).toBe(before);
}
