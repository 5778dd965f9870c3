import {
  anthropicProfile,
  checkHistory,
  checkRequest,
  type Message,
  openaiChatProfile,
  openaiResponsesProfile,
  type Request,
  stableStringify,
} from '@varve/messages';
import { messageHistory } from '@varve/messages/testing';
import { renderPrefix } from '@varve/prompt-cache/server';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFork } from '../src/index.ts';
import { deepFreeze, HEAD, requestOf, scripted } from './support.ts';

const PROFILES = [
  anthropicProfile({ thinking: 'prefix-bound' }),
  anthropicProfile({ thinking: 'latest-turn' }),
  openaiChatProfile(),
  openaiResponsesProfile(),
];

/** A history up to any message after which a request or a fork is possible: a round is never halved. */
const parent = (): fc.Arbitrary<Request> =>
  fc
    .tuple(messageHistory(), fc.nat(), fc.constantFrom('claude-opus-5-5', 'gpt-5.6-sol', 'gpt-5.5'))
    .map(([messages, at, model]) => {
      const history = messages.slice(0, messages.length === 0 ? 0 : (at % messages.length) + 1);
      return requestOf(history, { ...HEAD, model, params: {} });
    })
    .filter(({ messages }) => messages.length > 0);

const directive = fc.string({ minLength: 1, unit: 'binary' }).filter((text) => text.trim() !== '');
const client = scripted([]);

/** Which rules a parent keeps: a fork of a history some provider refuses is refused there as well. */
const accepts = (messages: readonly Message[], profile: (typeof PROFILES)[number]) =>
  checkHistory(messages, profile).every(({ code }) => code === 'open-round');

describe('createFork (F1, F4)', () => {
  test('extends any history to a request that every provider accepts which accepts the history', () => {
    let checked = 0;
    fc.assert(
      fc.property(parent(), directive, (request, text) => {
        const child = createFork({ client, parent: request }).request({ directive: text });
        for (const profile of PROFILES) {
          if (!accepts(request.messages, profile)) continue;
          checked += 1;
          const markers = child.markers.length <= (profile.maxMarkers ?? 4) ? child.markers : [];
          expect(checkRequest({ ...child, markers }, profile)).toEqual([]);
        }
      }),
    );
    expect(checked).toBeGreaterThan(0);
  });

  test('passes head and messages on by reference, so that the child begins with the bytes of its parent', () => {
    fc.assert(
      fc.property(parent(), directive, (request, text) => {
        const child = createFork({ client, parent: request }).request({ directive: text });
        expect(child.head).toBe(request.head);
        expect(child.messages.length).toBe(request.messages.length + 1);
        for (const [index, message] of request.messages.entries()) {
          expect(child.messages[index]).toBe(message);
        }
        const bytes = renderPrefix(request);
        expect(renderPrefix(child).slice(0, bytes.length)).toEqual(bytes);
      }),
    );
  });

  test('gives equal bytes for equal input, and siblings that differ in the last block only', () => {
    fc.assert(
      fc.property(parent(), directive, directive, (request, one, other) => {
        const fork = createFork({ client, parent: deepFreeze(request) });
        const first = fork.request({ directive: one });
        const again = createFork({ client, parent: structuredClone(request) });
        expect(stableStringify(again.request({ directive: one }))).toBe(stableStringify(first));
        const sibling = renderPrefix(fork.request({ directive: other }));
        expect(sibling.slice(0, -1)).toEqual(renderPrefix(first).slice(0, -1));
      }),
    );
  });
});
