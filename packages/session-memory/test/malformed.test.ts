import { describe, expect, test } from 'vitest';
import { compactFromNotes } from '../src/index.ts';
import { tailStart } from '../src/tail.ts';
import { DEFAULT_TEMPLATE } from '../src/template.ts';

// siblings looked for: every function that takes messages; the same rows stand in the tests of compact and microcompact
describe.each([
  [
    'a text block without text',
    { role: 'user', content: [{ type: 'text' }] },
    '[1].content[0].text` to be a text',
  ],
  [
    'a result with content 5',
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 5 }] },
    '[1].content[0].content` to be a text or a list of blocks, got `5`',
  ],
  [
    'content 5',
    { role: 'user', content: 5 },
    '[1].content` to be a text or a list of blocks, got `5`',
  ],
  ['null', null, '[1]` to be a message, got `null`'],
  [
    'a message of another library',
    { role: 'assistant', content: null, tool_calls: [] },
    'Chat Completions',
  ],
])('%s is refused with its place by', (_, message, words) => {
  const history = [{ role: 'user', content: 'Go.' }, message] as never;
  const sizeOf = () => 10;
  test.each([
    [
      'compactFromNotes',
      () =>
        compactFromNotes(history, {
          notes: '# A\nb',
          template: DEFAULT_TEMPLATE,
          cursorIndex: 0,
          thresholdTokens: 5,
          sizeOf,
          textSize: sizeOf,
          thinking: 'free',
        }),
    ],
    ['tailStart', () => tailStart(history, { sizeOf, cursorIndex: 0 })],
  ])('%s', (_name, deed) => {
    expect(deed).toThrow(words);
  });
});
