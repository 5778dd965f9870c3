import type { Block, Head, Marker, Message, Request } from '@varve/messages';
import fc from 'fast-check';
import { type CachePolicy, placeMarkers } from '../src/index.ts';
import { checkMarkers } from '../src/server.ts';
import { call, head, message, result } from './support.ts';

/** One request of a made-up day: which thread, when, and what it does to the thread before it is sent. */
export interface Step {
  readonly thread: 'main' | 'other';
  readonly gapMs: number;
  readonly latencyMs: number;
  readonly change:
    | { readonly kind: 'turn'; readonly calls: number; readonly tokens: number }
    | { readonly kind: 'edit'; readonly at: number; readonly tokens: number }
    | { readonly kind: 'drop'; readonly keep: number }
    | { readonly kind: 'image' }
    | { readonly kind: 'head'; readonly head: Head }
    | { readonly kind: 'clone' };
  /** How the markers are set: by `placeMarkers`, with a parked one, or anywhere. */
  readonly markers: { readonly parkedAt: number } | { readonly at: readonly number[] };
  readonly ttl: '5m' | '1h';
}

const HEADS: readonly Head[] = [
  head({ systemTokens: 700 }),
  head({ systemTokens: 700, params: { tool_choice: { type: 'none' } } }),
  head({ systemTokens: 700, params: { speed: 'fast' } }),
  head({ systemTokens: 900, tools: [{ name: 'grep', description: 'g'.repeat(300) }] }),
  head({ systemTokens: 0, tools: [{ name: 'grep', description: 'g'.repeat(300) }] }),
  head({ systemTokens: 700, model: 'claude-opus-5' }),
];

const change = fc.oneof(
  {
    weight: 16,
    arbitrary: fc.record({
      kind: fc.constant('turn' as const),
      calls: fc.integer({ min: 1, max: 6 }),
      tokens: fc.integer({ min: 1, max: 400 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      at: fc.nat(),
      tokens: fc.integer({ min: 1, max: 50 }),
    }),
  },
  fc.record({ kind: fc.constant('drop' as const), keep: fc.nat() }),
  fc.constant({ kind: 'image' as const }),
  fc.record({ kind: fc.constant('head' as const), head: fc.constantFrom(...HEADS) }),
  fc.constant({ kind: 'clone' as const }),
);

const markers = fc.oneof(
  fc.record({ parkedAt: fc.nat() }),
  fc.record({ at: fc.array(fc.nat(), { maxLength: 3 }) }),
);

export const traffic: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    thread: fc.constantFrom('main' as const, 'main' as const, 'other' as const),
    gapMs: fc.oneof(
      { weight: 8, arbitrary: fc.nat(60_000) },
      { weight: 2, arbitrary: fc.nat(700_000) },
      { weight: 1, arbitrary: fc.constantFrom(300_000, 300_001, 3_600_001) },
    ),
    latencyMs: fc.nat(20_000),
    change,
    markers,
    ttl: fc.constantFrom('5m' as const, '5m' as const, '1h' as const),
  }),
  { minLength: 1, maxLength: 20, size: 'max' },
);

export interface Sent {
  readonly request: Request;
  readonly thread: string;
  readonly startMs: number;
  readonly firstTokenMs: number;
}

/** Plays steps as the requests an agent would send. */
export function play(steps: readonly Step[], policy: CachePolicy): Sent[] {
  const threads = new Map<string, { head: Head; messages: readonly Message[] }>();
  let nowMs = 0;
  return steps.map((step, index) => {
    const before = threads.get(step.thread) ?? { head: HEADS[0] as Head, messages: [] };
    const thread = changed(before, step, index);
    threads.set(step.thread, thread);
    nowMs += step.gapMs;
    const request = marked({ ...thread, markers: [], maxOutputTokens: 1 }, step, policy);
    const times = { startMs: nowMs, firstTokenMs: nowMs + step.latencyMs };
    return { request, thread: step.thread, ...times };
  });
}

function changed(
  { head: ownHead, messages }: { head: Head; messages: readonly Message[] },
  { change: { ...what } }: Step,
  index: number,
) {
  const at = (position: number) => position % Math.max(1, messages.length);
  switch (what.kind) {
    case 'turn':
      return { head: ownHead, messages: [...messages, ...turn(messages.length, what)] };
    case 'edit':
      return {
        head: ownHead,
        messages: messages.map((each, place) =>
          place === at(what.at) ? edited(each, `${index}`.repeat(what.tokens)) : each,
        ),
      };
    case 'drop':
      return { head: ownHead, messages: messages.slice(0, at(what.keep) + 1) };
    case 'image': {
      const image: Block = { type: 'image', source: { index } };
      return { head: ownHead, messages: [...messages, message('user', image)] };
    }
    case 'head':
      return { head: what.head, messages };
    case 'clone':
      return structuredClone({ head: ownHead, messages });
  }
}

function turn(index: number, { calls, tokens }: { calls: number; tokens: number }): Message[] {
  const text: Block = { type: 'text', text: `${index} `.repeat(tokens).slice(0, tokens) };
  if (index === 0) return [message('user', text)];
  const ids = Array.from({ length: calls }, (_, at) => `${index}-${at}`);
  return [
    message('assistant', text, ...ids.map(call)),
    ...ids.map((id) => message('user', result(id, tokens))),
  ];
}

const edited = (each: Message, text: string): Message => ({
  ...each,
  content: each.content.map((block, index) => (index === 0 ? { type: 'text', text } : block)),
});

function marked(request: Request, step: Step, policy: CachePolicy): Request {
  const { messages } = request;
  if ('parkedAt' in step.markers) {
    const parkedAt = step.markers.parkedAt % (messages.length + 1);
    return placeMarkers(request, { policy, parkedAt, ttl: step.ttl });
  }
  const anywhere = step.markers.at.flatMap((at): Marker[] => {
    const messageIndex = at % Math.max(1, messages.length);
    const blockIndex = (messages[messageIndex]?.content.length ?? 0) - 1;
    return [{ at: 'message', messageIndex, blockIndex, ttl: step.ttl }];
  });
  const placed = anywhere.filter(
    (marker) => checkMarkers({ ...request, markers: [marker] }, policy).length === 0,
  );
  const distinct = placed.filter(
    (marker, index) => placed.findIndex((each) => isSame(each, marker)) === index,
  );
  return { ...request, markers: distinct };
}

const isSame = (left: Marker, right: Marker) => JSON.stringify(left) === JSON.stringify(right);
