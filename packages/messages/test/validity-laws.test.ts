import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkHistory } from '../src/index.ts';
import type { TestMessage } from './build.ts';
import { damagedHistory, validHistory } from './damage.ts';
import { chat, free, profiles, responses } from './profiles.ts';

describe('checkHistory laws', () => {
  test('never throws, writes to nothing and orders what it finds', () => {
    fc.assert(
      fc.property(damagedHistory(), fc.constantFrom(...profiles), (history, profile) => {
        const places = checkHistory(history, profile).map(({ messageIndex = -1 }) => messageIndex);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }),
    );
  });

  test('never throws on any JSON in place of role and content', () => {
    const junk = fc.array(fc.record({ role: fc.jsonValue(), content: fc.jsonValue() }));
    fc.assert(
      fc.property(junk, fc.constantFrom(...profiles), (history, profile) => {
        expect(Array.isArray(checkHistory(history as never, profile))).toBe(true);
      }),
    );
  });

  test('finds whatever makes a valid history of turns invalid: any call or result taken out', () => {
    fc.assert(
      fc.property(validHistory(), fc.nat(), (history, pick) => {
        const places = history.flatMap((message, messageIndex) =>
          typeof message.content === 'string'
            ? []
            : message.content.flatMap((block, blockIndex) =>
                block.type === 'tool_use' || block.type === 'tool_result'
                  ? { messageIndex, blockIndex }
                  : [],
              ),
        );
        fc.pre(places.length > 0);
        const { messageIndex, blockIndex } = places[
          pick % places.length
        ] as (typeof places)[number];
        const { role, content } = history[messageIndex] as TestMessage;
        const left = history.with(messageIndex, {
          role,
          content: (content as never[]).toSpliced(blockIndex, 1),
        });
        for (const profile of profiles) expect(checkHistory(left, profile)).not.toEqual([]);
      }),
    );
  });

  test('what Anthropic takes, OpenAI takes', () => {
    fc.assert(
      fc.property(damagedHistory(), (history) => {
        fc.pre(checkHistory(history, free).length === 0);
        expect(checkHistory(history, chat)).toEqual([]);
        expect(checkHistory(history, responses)).toEqual([]);
      }),
    );
  });
});
