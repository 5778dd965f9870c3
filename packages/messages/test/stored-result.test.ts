import { describe, expect, test } from 'vitest';
import { storedHandle, storedHandleOf } from '../src/stored.ts';

const HASH = '0123456789abcdef0123';
const envelope = (handle: string, hash = HASH): string =>
  `<persisted-output handle="${handle}" size="1.0 kB" lines="9" sha256="${hash}">\nStored.\nHead.\n</persisted-output>`;
const own = storedHandleOf('call_1', HASH, 'txt');

describe('storedHandle', () => {
  test.each([
    ['our own', envelope(own), own],
    ['blocks', [{ type: 'text', text: envelope(own) }], own],
    ['blocks with media in front', [{ type: 'image' }, { type: 'text', text: envelope(own) }], own],
    ['an id that is no file name', envelope(storedHandleOf('a b/c', HASH, 'bin')), undefined],
    ['nothing', undefined, undefined],
    ['an empty text', '', undefined],
    ['plain text', 'plain', undefined],
    ['media only', [{ type: 'image' }], undefined],
    ['words in front', `grep: ${envelope(own)}`, undefined],
    ['words behind', `${envelope(own)}\nexit 0`, undefined],
    ['a cut one', envelope(own).slice(0, -5), undefined],
    ['the envelope of another call', envelope(storedHandleOf('call_2', HASH, 'txt')), undefined],
    ['the hash of other bytes', envelope(own, 'ffff456789abcdef0123'), undefined],
    ['a handle in capitals', envelope('OTHER-0123456789abcdef.txt'), undefined],
  ])('N346: of %s', (_, content, handle) => {
    const block = { tool_use_id: 'call_1', ...(content !== undefined && { content }) };
    expect(storedHandle(block as Parameters<typeof storedHandle>[0])).toBe(handle);
  });

  test('N346: an id that is no file name has a handle of its own', () => {
    const handle = storedHandleOf('a b/c', HASH, 'json');
    expect(handle).not.toBe(storedHandleOf('a_b_c', HASH, 'json'));
    expect(storedHandle({ tool_use_id: 'a b/c', content: envelope(handle) })).toBe(handle);
    expect(storedHandle({ tool_use_id: 'a_b_c', content: envelope(handle) })).toBeUndefined();
  });
});
