import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  anthropicProfile,
  type Block,
  checkRequest,
  type Message,
  openaiChatProfile,
  openaiResponsesProfile,
  type ProviderProfile,
  type Request,
  type ViewMessage,
} from '@varve/messages';
import { prefixFingerprint } from '@varve/messages/stamps';
import { createMicrocompact } from '@varve/microcompact';
import { renderPrefix } from '@varve/prompt-cache/server';
import { resolveModel } from '@varve/tokens';
import { createToolStorage, memoryStore } from '@varve/tool-storage';
import { expect, onTestFinished } from 'vitest';
import {
  type Context,
  type ContextEvent,
  type ContextOptions,
  createContext,
  type Layer,
} from '../src/index.ts';
import type { Reply } from '../src/options.ts';

/** Thinking is bound to everything before it. */
/** What stands in place of a result that was cleared and that nothing stored. */
export const CLEARED_RESULT = '[Output cleared. Run the tool again if needed.]';

export const BOUND = 'claude-opus-5-5';
/** Thinking of the open tool loop has to come back. */
export const LATEST = 'claude-opus-4-8';
export const OPENAI = 'gpt-5.5';
/** In no table. */
export const UNKNOWN = 'pretend-1';

export const START_MS = Date.UTC(2026, 0, 31, 12);

/** A clock that a test moves. */
export function fakeClock() {
  let ms = START_MS;
  return {
    now: () => ms,
    pass(by: number): void {
      ms += by;
    },
  };
}

/** What the providers of a model accept. */
export function profilesOf(model: string): readonly ProviderProfile[] {
  const { provider, thinking } = resolveModel(model).model;
  if (provider === 'openai') return [openaiChatProfile(), openaiResponsesProfile()];
  const anthropic = anthropicProfile({ thinking });
  return provider === 'anthropic' ? [anthropic] : [anthropic, openaiChatProfile()];
}

/** Every rule that a request breaks at any provider of its model. */
export function violationsOf(request: Request): readonly string[] {
  const view = { head: request.head, messages: request.messages as readonly ViewMessage[] };
  const fingerprintAt = (count: number) => prefixFingerprint(view, count);
  return profilesOf(request.head.model).flatMap((profile) =>
    checkRequest(request, profile, { fingerprintAt }).map(
      ({ code, messageIndex }) => `${profile.name} ${code} ${messageIndex}`,
    ),
  );
}

/** The bytes that a provider reads, one string a block: tools, system, messages. */
export function bytesOf(request: Request): string[] {
  return [...headBytes(request), ...request.messages.flatMap(messageBytes)];
}

const headBytes = ({ head }: Request) => renderPrefix({ head, messages: [], markers: [] });

// a message of a view is the same object in every request that carries it
const known = new WeakMap<Message, readonly string[]>();
const NO_HEAD = { model: '', system: [], tools: [], params: {} };

function messageBytes(message: Message): readonly string[] {
  const found =
    known.get(message) ?? renderPrefix({ head: NO_HEAD, messages: [message], markers: [] });
  known.set(message, found);
  return found;
}

/** That `next` begins with all of `previous`, or with what stands before the message at `changedFrom`. */
export function expectGrown(previous: Request, next: Request, changedFrom = Infinity): void {
  if (next.head !== previous.head) expect(headBytes(next)).toEqual(headBytes(previous));
  for (const [index, message] of previous.messages.slice(0, changedFrom).entries()) {
    const now = next.messages[index];
    if (now !== message) expect(now && messageBytes(now)).toEqual(messageBytes(message));
  }
}

/** Clears old results early: real decisions, at sizes that a test can afford. */
export const earlyClearing = (
  keepRecent = 2,
  { tokens = 1_500, candidateTokens = 100 } = {},
): Layer => ({
  name: 'microcompact',
  planner: createMicrocompact({
    preset: 'classic',
    keepRecent,
    minSavingsTokens: tokens,
    count: { candidateTokens },
  }),
});

/** Stores early; a store of its own, unless one is given. */
export const earlyStorage = (options: Partial<Parameters<typeof createToolStorage>[0]> = {}) =>
  createToolStorage({
    store: memoryStore(),
    sessionId: 'session',
    threshold: 4_000,
    textThreshold: 4_000,
    roundChars: 12_000,
    preview: { maxChars: 400 },
    ...options,
  });

export const text = (value: string): Block => ({ type: 'text', text: value });
export const call = (id: string, name = 'bash', input: object = {}): Block => ({
  type: 'tool_use',
  id,
  name,
  input,
});
export const thinking = (signature: string): Block => ({
  type: 'thinking',
  thinking: `Thought ${signature}.`,
  signature,
});
export const image: Block = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
};
export const says = (...content: Block[]): Reply => ({ content });

/** Lines of output of about so many characters; different for different names. */
export function output(name: string, chars: number): string {
  const lines = Math.ceil(chars / 40);
  return Array.from({ length: lines }, (_, line) => `${name} line ${line} `.padEnd(39, '.')).join(
    '\n',
  );
}

export interface Scene {
  readonly context: Context;
  readonly events: ContextEvent[];
  readonly clock: ReturnType<typeof fakeClock>;
}

/** A context with early layers on a clock that a test moves. */
export function scene(options: Partial<ContextOptions> = {}): Scene {
  const clock = fakeClock();
  const events: ContextEvent[] = [];
  const context = createContext({
    model: LATEST,
    system: 'You fix tests.',
    tools: [{ name: 'bash', description: 'Runs a command.', input_schema: { type: 'object' } }],
    layers: [earlyClearing()],
    now: clock.now,
    onEvent: (event) => void events.push(event),
    ...options,
  });
  return { context, events, clock };
}

/** One round: a request, a reply with calls, their results. */
export async function round(
  context: Context,
  outputs: Readonly<Record<string, string | readonly Block[]>>,
  before: readonly Block[] = [],
): Promise<Request> {
  const request = await context.request();
  await context.reply(says(...before, ...Object.keys(outputs).map((id) => call(id))));
  const results = Object.entries(outputs).map(([toolUseId, content]) => ({ toolUseId, content }));
  await context.results(results);
  return request;
}

/** Fails a promise that must reject, and gives what it rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('it did not reject'),
    (error: unknown) => error,
  );
}

/** A folder that is gone after the test that asks for it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'varve-context-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
