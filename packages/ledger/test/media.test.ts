import type { Block, Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { renderLedger } from '../src/index.ts';
import { factsOf, ledgerOf, runs, says, sizeOf, valuesOf } from './session.ts';

const DATA = Buffer.from('pixels '.repeat(2_000)).toString('base64');
const IMAGE: Block = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: DATA },
} as never;

function shows(name: string, input: object, content: string | readonly Block[]): Message[] {
  const [call, result] = runs(name, input) as [Message, Message];
  const block = { ...result.content[0], content } as Block;
  return [call, { ...result, content: [block] }];
}

// siblings looked for: blocks, images inside of JSON text, data URLs, files read as images, messages of the person
describe('what only an image shows leaves a trace', () => {
  test.each([
    ['a block', [IMAGE]],
    ['JSON text', JSON.stringify([{ type: 'image', source: { data: DATA } }])],
    ['a data URL', `data:image/png;base64,${DATA}`],
  ])('of a tool, as %s', (_, content) => {
    const ledger = ledgerOf(shows('mcp__browser__screenshot', { url: 'http://a.b' }, content));
    expect(factsOf(ledger, 'command')).toEqual([
      'mcp__browser__screenshot http://a.b: showed an image, nothing in words',
    ]);
  });

  test('of a file', () => {
    const ledger = ledgerOf(shows('Read', { file_path: '/w/a.png' }, [IMAGE]));
    expect(factsOf(ledger, 'file-read')).toEqual(['/w/a.png: seen as an image']);
    expect(factsOf(ledger, 'command')).toEqual([]);
  });

  test('of the person', () => {
    const message = { ...says(''), content: [IMAGE, IMAGE] };
    expect(valuesOf(ledgerOf(message), 'user-message')).toEqual([
      '[2 images or documents, without words]',
    ]);
  });

  test('and what has words beside it has no other', () => {
    const content = `The page has 3 errors. ${JSON.stringify({ type: 'image', data: DATA })}`;
    expect(factsOf(ledgerOf(shows('screenshot', {}, content)), 'command')).toEqual([]);
  });
});

describe('texts of hooks', () => {
  test.each([400_000, 2_000_000])(
    'of %i characters are bounded where they are quoted',
    (length) => {
      const hook = 'Never trust the cache. Hook says so.\n'.repeat(length / 37);
      const said = says(`fix it\n<system-reminder>${hook}</system-reminder>\n${hook}`);
      const reminder = says(hook, { kind: 'reminder' });
      const { text, tokens } = renderLedger(ledgerOf(said, reminder), {
        budgetTokens: 1_000,
        sizeOf,
      });
      expect(tokens).toBeLessThanOrEqual(1_000);
      expect(text).toContain('- Never trust the cache.');
      expect(text).toContain('characters…]');
    },
  );
});
