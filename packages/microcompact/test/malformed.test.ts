import { describe, expect, test } from 'vitest';
import { explainClearing, microcompact } from '../src/index.ts';

// siblings looked for: every function that takes messages; the same rows stand in the tests of compact and session-memory
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
])('%s is refused with its place by', (_, message, words) => {
  const history = [{ role: 'user', content: [] }, message] as never;
  test.each([
    ['microcompact', () => microcompact(history)],
    ['explainClearing', () => explainClearing(history)],
  ])('%s', (_name, deed) => {
    expect(deed).toThrow(TypeError);
    expect(deed).toThrow(words);
  });
});
