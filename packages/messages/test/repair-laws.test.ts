import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MessageLike } from '../src/blocks.ts';
import { checkHistory, repairHistory } from '../src/index.ts';
import { messageHistory } from '../src/testing.ts';
import { assistant, call, type TestBlock, type TestMessage, text, user } from './build.ts';
import { accident, damagedHistory, validHistory } from './damage.ts';
import { free, profiles } from './profiles.ts';

const codes = (...input: Parameters<typeof checkHistory>) =>
  checkHistory(...input).map((violation) => violation.code);

describe('repairHistory laws', () => {
  test('makes any damaged history valid for every provider, once and for all, and writes to none', () => {
    fc.assert(
      fc.property(damagedHistory(), (history) => {
        for (const profile of profiles) {
          const { messages, repairs } = repairHistory(history, { profile });
          expect(codes(messages, profile)).toEqual([]);
          expect(repairHistory(messages, { profile }).messages).toBe(messages);
          expect(repairs.length === 0).toBe(messages === history);
        }
      }),
    );
  });

  test('leaves a history alone that is valid', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          { weight: 4, arbitrary: validHistory() },
          { weight: 1, arbitrary: messageHistory() },
        ),
        (history: readonly MessageLike[]) => {
          for (const profile of profiles) {
            if (codes(history, profile).length > 0) continue;
            expect(repairHistory(history, { profile }).messages).toBe(history);
          }
          expect(codes(history, free)).toEqual([]);
        },
      ),
    );
  });

  test('touches no healthy message of a damaged history', () => {
    fc.assert(
      fc.property(validHistory(), validHistory(), (before, after) => {
        const damaged = [...before, user('go'), assistant(call('open')), ...after];
        const { messages, repairs } = repairHistory(damaged);
        expect(repairs.map(({ kind }) => kind)).toEqual(['added-result']);
        const start = before.length + 2;
        const first = after.length > 0 ? 1 : 0;
        expect(messages.slice(0, start).every((message, index) => message === damaged[index])).toBe(
          true,
        );
        expect(
          messages.slice(start + 1).every((message, index) => message === after[index + first]),
        ).toBe(true);
      }),
    );
  });

  test('mends a log whose entries were lost, doubled, swapped or cut off', () => {
    const histories = fc
      .tuple(messageHistory(), fc.array(accident(), { minLength: 1, maxLength: 3 }))
      .map(([history, strikes]) =>
        strikes.reduce<readonly MessageLike[]>((left, strike) => strike(left), history),
      );
    fc.assert(
      fc.property(histories, fc.constantFrom(...profiles), (history, profile) => {
        const { messages } = repairHistory(history, { profile });
        expect(codes(messages, profile)).toEqual([]);
        expect(repairHistory(messages, { profile }).messages).toBe(messages);
      }),
    );
  });

  test('loses no block without saying so, and keeps the order of the others', () => {
    fc.assert(
      fc.property(damagedHistory(), fc.constantFrom(...profiles), (history, profile) => {
        const { messages, repairs } = repairHistory(history, { profile });
        const before = history.filter((message) => ROLES.includes(message.role)).flatMap(blocks);
        const after = messages.flatMap(blocks);
        const count = (prefix: string) =>
          repairs.filter(({ kind }) => kind.startsWith(prefix) && kind !== 'dropped-message')
            .length;
        expect(after.length).toBe(before.length - count('dropped-') + count('added-'));
        const others = after.filter((block) => block?.type !== 'tool_result');
        expect(
          isSubsequence(
            others.filter((block) => before.includes(block)),
            before,
          ),
        ).toBe(true);
      }),
    );
  });

  test('invents exactly the results that are missing, in the order of the calls', () => {
    const loss = fc.tuple(validHistory(), fc.infiniteStream(fc.boolean()));
    fc.assert(
      fc.property(loss, ([history, coin]) => {
        const lost = new Set<TestBlock>();
        const damaged = history.map((message) => {
          const kept = blocks(message).filter((block) => {
            if (block.type !== 'tool_result' || coin.next().value) return true;
            lost.add(block);
            return false;
          });
          return kept.length === blocks(message).length ? message : { ...message, content: kept };
        });
        const { messages, repairs } = repairHistory(damaged);
        expect(repairs.filter(({ kind }) => kind === 'added-result').length).toBe(lost.size);
        const mended = new Set(messages.flatMap(blocks));
        expect(damaged.flatMap(blocks).filter((block) => !mended.has(block))).toEqual([]);
        expect(mended.size).toBe(history.flatMap(blocks).length);
      }),
    );
  });
});

const ROLES = ['user', 'assistant', 'system'];

function blocks({ content }: TestMessage): readonly TestBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [text(content)];
  return Array.isArray(content) ? content : [];
}

function isSubsequence(part: readonly unknown[], whole: readonly unknown[]): boolean {
  let at = 0;
  for (const item of whole) if (item === part[at]) at++;
  return at === part.length;
}
