import type { Marker } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { cachePolicy, createCacheSimulator } from '../src/index.ts';
import { checkMarkers } from '../src/server.ts';
import { characters, request, user } from './support.ts';

const policy = cachePolicy('claude-opus-5-5');
const tool = (name: string, tokens: number) => ({ name, description: name.repeat(tokens) });
const search = { type: 'web_search_20250305', name: 'web_search', description: 'w'.repeat(50) };
const block = (tokens: number, fill: string) => ({
  type: 'text' as const,
  text: fill.repeat(tokens),
});

const head = (changing: string) => ({
  id: 'h',
  model: 'claude-opus-5-5',
  tools: [tool('a', 1_000), search, tool('b', 1_000), tool(changing, 1_000)],
  system: [block(2_000, 's'), block(3_000, changing), block(100, 'e')],
  params: {},
});

/** Two requests whose third tool or second system block differs, marked in the same places. */
function readAfter(change: 'tools' | 'system', markers: readonly Marker[]): number {
  const cache = createCacheSimulator(policy, { sizeOf: characters });
  const send = (fill: string, startMs: number) => {
    const changed = { ...head('x'), [change]: head(fill)[change] };
    return cache.send(request([user(10)], { head: changed, markers }), { startMs }).tokens;
  };
  send('y', 0);
  return send('z', 1).read;
}

describe('a marker inside of the head (A1)', () => {
  test.each<[string, 'tools' | 'system', readonly Marker[], number]>([
    ['at its end is lost with what changes', 'system', [{ at: 'system' }], 0],
    ['before the change is read', 'system', [{ at: 'system', blockIndex: 0 }], 5_050],
    ['behind the change is lost', 'system', [{ at: 'system', blockIndex: 1 }], 0],
    [
      'before the change is read beside one at the end',
      'system',
      [{ at: 'system' }, { at: 'system', blockIndex: 0 }],
      5_050,
    ],
    ['on a tool is lost with any other tool', 'tools', [{ at: 'tools', blockIndex: 0 }], 0],
    ['on a tool before changed text is read', 'system', [{ at: 'tools', blockIndex: 2 }], 2_000],
    ['on the first tool', 'system', [{ at: 'tools', blockIndex: 0 }], 1_000],
    [
      'on a tool of the server counts as the one before',
      'system',
      [{ at: 'tools', blockIndex: 1 }],
      1_000,
    ],
  ])('%s', (_name, change, markers, read) => {
    expect(readAfter(change, markers)).toBe(read);
  });

  test.each<[Marker[], string[]]>([
    [[{ at: 'system', blockIndex: 2 }], []],
    [[{ at: 'system', blockIndex: 3 }], ['marker-target']],
    [[{ at: 'tools', blockIndex: 4 }], ['marker-target']],
    [
      [
        { at: 'system', blockIndex: 1 },
        { at: 'system', blockIndex: 1 },
      ],
      ['duplicate-marker'],
    ],
    [
      [
        { at: 'system', ttl: '1h' },
        { at: 'system', blockIndex: 0 },
      ],
      ['marker-order'],
    ],
    [[{ at: 'system' }, { at: 'system', blockIndex: 0, ttl: '1h' }], []],
  ])('%j has the problems %j', (markers, codes) => {
    const found = checkMarkers(request([user(10)], { head: head('x'), markers }), policy);
    expect(found.map(({ code }) => code)).toEqual(codes);
  });
});
