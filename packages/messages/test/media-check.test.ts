import { describe, expect, test } from 'vitest';
import { anthropicProfile, checkHistory, openaiChatProfile, repairHistory } from '../src/index.ts';
import { assistant, call, result, type TestBlock, text, user } from './build.ts';

const CLAUDE = anthropicProfile({ thinking: 'free' });
const base64 = (type: string, media_type: unknown, data = 'AA==') =>
  ({ type, source: { type: 'base64', media_type, data } }) as unknown as TestBlock;

// A5. Siblings looked for: images and documents, in messages and in results, sources that are texts, missing, of another shape, data
// URLs, and types that no provider takes; blocks of the AI SDK and of OpenAI in our lists.
describe('N341: blocks that no provider takes are found, and a repair leaves them out', () => {
  test.each<[string, string, unknown]>([
    ['an image by its URL', 'malformed-media', { type: 'image', source: 'https://x/y.png' }],
    ['a document by its URL', 'malformed-media', { type: 'document', source: 'https://x/y.pdf' }],
    ['an image without a source', 'malformed-media', { type: 'image' }],
    ['a source without its URL', 'malformed-media', { type: 'image', source: { type: 'url' } }],
    ['a bitmap', 'malformed-media', base64('image', 'image/bmp')],
    ['a type of no name', 'malformed-media', base64('image', undefined)],
    ['a text file as base64', 'malformed-media', base64('document', 'text/csv')],
    ['a data URL', 'malformed-media', base64('image', 'image/png', 'data:image/png;base64,AA==')],
    ['JSON of the AI SDK', 'foreign-block', { type: 'json', value: { a: 1 } }],
    ['a list of the AI SDK', 'foreign-block', { type: 'content', value: [] }],
    ['a failure of the AI SDK', 'foreign-block', { type: 'error-text', value: 'x' }],
    [
      'a call of OpenAI',
      'foreign-block',
      { type: 'function', id: 'c', function: { name: 'x', arguments: '{}' } },
    ],
  ])('%s: %s', (_name, code, block) => {
    const odd = block as TestBlock;
    const history = [
      user(text('Go.'), odd),
      assistant(call('a')),
      user(result('a', [text('out'), odd])),
    ];
    expect(checkHistory(history, CLAUDE).map((each) => each.code)).toEqual([code, code]);
    const { messages, repairs } = repairHistory(history, { profile: CLAUDE });
    expect(repairs.map(({ kind }) => kind)).toEqual(['dropped-block', 'trimmed-result']);
    expect(checkHistory(messages, CLAUDE)).toEqual([]);
    expect(JSON.stringify(messages)).toContain('out');
  });

  test('what providers take passes: images, a PDF, URLs, files, text, and a source of a later kind', () => {
    const fine = [
      ...['image/png', 'image/jpeg', 'image/gif', 'image/webp'].map((type) =>
        base64('image', type),
      ),
      base64('document', 'application/pdf'),
      { type: 'image', source: { type: 'url', url: 'https://x/y.bmp' } },
      { type: 'image', source: { type: 'file', file_id: 'f' } },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' } },
      { type: 'document', source: { type: 'later', anything: 1 } },
    ] as readonly TestBlock[];
    const history = [user(...fine), assistant(call('a')), user(result('a', fine))];
    expect(checkHistory(history, CLAUDE)).toEqual([]);
    expect(repairHistory(history, { profile: CLAUDE }).messages).toBe(history);
    expect(checkHistory([user(base64('document', 'text/csv'))], openaiChatProfile())).toEqual([]);
  });
});
