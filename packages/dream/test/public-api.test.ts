import { createMemdir, inMemoryFolder } from '@varve/memdir';
import { expect, test } from 'vitest';
import * as agent from '../src/agent.ts';
import * as dream from '../src/index.ts';
import * as node from '../src/node/index.ts';

test('the public names of the entries are deliberate', () => {
  expect(Object.keys(dream).sort()).toEqual(['createDream', 'reportText']);
  expect(Object.keys(agent)).toEqual(['agentFork']);
  expect(Object.keys(node).sort()).toEqual(['consolidateLock', 'gitLookup', 'sessionFolder']);
});

test('options that make no sense are refused at once', () => {
  const memory = createMemdir({ folder: inMemoryFolder(), now: () => 0 });
  const options = { memory, now: () => 0 };
  expect(() => dream.createDream({ ...options, now: 1 as never })).toThrow(TypeError);
  expect(() => dream.createDream({ ...options, mostRemoved: 2 })).toThrow(RangeError);
  expect(() => dream.createDream({ ...options, maxTurns: 0 })).toThrow(RangeError);
  expect(() => dream.createDream({ now: () => 0 } as never)).toThrow(TypeError);
});
