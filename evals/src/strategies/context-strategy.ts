import {
  type Context,
  ContextError,
  type ContextEvent,
  type ContextOptions,
  createContext,
} from '@varve/context';
import {
  type Edit,
  type Entry,
  isToolResult,
  isToolUse,
  type Message,
  type Request,
  type Tool,
  toolResults,
  type Usage,
} from '@varve/messages';
import { storedHandle } from '@varve/messages/stored';
import type { ToolStorage } from '@varve/tool-storage';
import { createRunningSum } from '../replay/running-sum.ts';
import type { Announcement, OwnCall, Strategy, StrategyContext, StrategyRun } from '../strategy.ts';
import { requestFor } from './request-for.ts';

/** The options of a context that a strategy sets; what it leaves out is as `createContext` has it. */
export interface ContextSetting
  extends Pick<
    ContextOptions,
    'clearBy' | 'compaction' | 'fold' | 'layers' | 'stableTtl' | 'storage'
  > {
  /** Waited for after each reply: for work that goes on beside the conversation. */
  readonly settle?: (() => Promise<void>) | undefined;
}

/** What a setting can be made with. */
export interface SettingInput extends StrategyContext {
  /** Takes a request that was sent for the strategy itself. */
  readonly onCall: (call: OwnCall) => void;
  /** The context that is set up; not there before its first request. */
  readonly context: () => Context;
}

/** A strategy that is a set of options of `createContext`: what it sends is what a user of these options sends. */
export const contextStrategy = (
  name: string,
  settingOf: (input: SettingInput) => ContextSetting,
): Strategy => ({ name, create: (given) => createContextRun(given, settingOf) });

/**
 * A context that is driven as an agent drives it: what people and tools said comes in as recorded, each request is the
 * context's, and each reply is the recorded one with the bill that a provider would send.
 */
function createContextRun(
  given: StrategyContext,
  settingOf: (input: SettingInput) => ContextSetting,
): StrategyRun {
  let [waiting, calls]: [Message[], OwnCall[]] = [[], []];
  let context: Context | undefined;
  let request: Request | undefined;
  /** The request that the next reply answers. */
  let asked: Request | undefined;
  let nowMs = 0;
  const billOf = createBilling(given);
  const news = createNews(() => context?.entries() ?? []);
  const { storage, settle, ...setting } = settingOf({
    ...given,
    onCall: (call) => void calls.push(call),
    context: () => context as Context,
  });

  function start(messages: readonly Message[]): Context {
    const { head, model, window, policy } = given;
    const at = new Date(nowMs).toISOString();
    return createContext({
      ...{
        model: head.model,
        system: head.system,
        tools: head.tools.map(withSchema),
        params: head.params,
      },
      models: [{ ...model, id: head.model, aliases: [], windowTokens: window }],
      ...{ policy, storage, now: () => nowMs, onEvent: news.tell, ...setting },
      entries: messages.map(
        (message, index): Entry => ({
          id: `given-${index}`,
          at,
          type: 'message',
          message: unbilled(message),
        }),
      ),
    });
  }

  async function drain(into: Context): Promise<void> {
    const messages = waiting;
    waiting = [];
    for (const message of messages) {
      nowMs = Math.max(given.now(), Date.parse(message.createdAt ?? '') || 0);
      if (message.role === 'assistant') await reply(into, message);
      else await say(into, message);
    }
  }

  /** A context takes replies as a model's: what an agent wrote in place of one loses its origin (9 replies in 61 recorded sessions). */
  async function reply(into: Context, message: Message): Promise<void> {
    await goOn(into);
    const content = storage ? readingBack(message, into, storage) : message.content;
    const usage = asked && billOf(asked, message);
    await into.reply({ content, usage });
    asked = undefined;
  }

  return {
    add: (message) => void waiting.push(message),
    async replied() {
      if (context === undefined) return;
      await drain(context);
      await settle?.();
    },
    async prepare() {
      nowMs = given.now();
      context ??= start(isInside(waiting) ? waiting.splice(0) : []);
      await drain(context);
      nowMs = given.now();
      await goOn(context);
      news.forget();
      request = await requestOf(context, given);
      asked = request;
      news.check();
    },
    request: () => request as Request,
    announced: news.announced,
    calls() {
      const taken = calls;
      calls = [];
      return taken;
    },
    close: async () => context?.close(),
  };
}

/** Whether messages begin with what no agent adds to a new conversation: a summary, or the round that stays behind one. */
const isInside = (messages: readonly Message[]): boolean =>
  messages.some(({ role, origin }) => role === 'assistant' || origin?.kind === 'summary');

/** Two replies in a row: what stood between them is not in the recording. */
async function goOn(context: Context): Promise<void> {
  if (context.view().messages.at(-1)?.role !== 'assistant') return;
  await context.user('Go on.', { origin: { kind: 'synthetic' } });
}

/** A message of the user as an agent adds it: results of tools, and what else was said. */
async function say(context: Context, { content, origin }: Message): Promise<void> {
  const outputs = content
    .filter(isToolResult)
    .map(({ tool_use_id: toolUseId, content: shown = '', is_error: isError }) => ({
      ...{ toolUseId, content: shown, isError },
    }));
  if (outputs.length > 0) await context.results(outputs);
  const said = content.filter((block) => !isToolResult(block));
  const from = origin && SAID.includes(origin.kind) ? origin : undefined;
  if (said.length > 0) await context.user(said, { origin: from });
}

/** Origins that `user` takes. */
const SAID: readonly string[] = ['reminder', 'command', 'synthetic'];

/**
 * The next request. What the context refuses to send because its window is too small is handed on as it is: whether a
 * provider would refuse it, too, is the replay's to say.
 */
async function requestOf(context: Context, given: StrategyContext): Promise<Request> {
  try {
    return await context.request();
  } catch (error) {
    if (!ContextError.is(error) || error.code !== 'message-too-large') throw error;
    return requestFor(given, context.view().messages);
  }
}

/**
 * What was stored whole is read back with the storage's own tool, whose answers stay in the conversation: what was large from the
 * first, what the model is shown a handle of since it was cleared, and what a conversation knew of which this one is the rest. Any
 * other result, gone behind a summary, is fetched by the tool that gave it.
 */
function readingBack(
  { content, origin }: Message,
  context: Context,
  { readTool: { name }, handleOf }: ToolStorage,
): Message['content'] {
  if (origin?.kind !== 're-read') return content;
  const result = context
    .entries()
    .flatMap((entry) => (entry.type === 'message' ? toolResults(entry.message) : []))
    .findLast(({ tool_use_id: id }) => id === origin.of);
  if (result && storedHandle(result) === undefined) {
    const handle = handleOf(result);
    if (handle === undefined || !isShown(handle, context)) return content;
  }
  return content.map((block) => (isToolUse(block) ? { ...block, name } : block));
}

const isShown = (handle: string, context: Context): boolean =>
  context.view().messages.some((message) => JSON.stringify(message.content).includes(handle));

/** Bills of a provider that counts as the replay does. */
function createBilling({ sizeOf }: StrategyContext): (request: Request, reply: Message) => Usage {
  const sizeOfAll = createRunningSum(sizeOf);
  return ({ head, messages }, reply) => ({
    input_tokens: sizeOf(head) + sizeOfAll(messages),
    output_tokens: sizeOf(reply),
  });
}

/** The recorded bill is that of another request. */
function unbilled(message: Message): Message {
  if (message.response === undefined) return message;
  const { usage: _, ...response } = message.response;
  return { ...message, response };
}

/** What the events of a context say about its next request. */
function createNews(entries: () => readonly Entry[]) {
  let announced: Announcement | undefined;
  let failure: { readonly cause: unknown } | undefined;
  return {
    announced: () => announced,
    forget(): void {
      announced = undefined;
    },
    /** A layer that gives way fails the run: its figures would be those of less than the strategy. */
    check(): void {
      if (failure) throw failure.cause;
    },
    tell(event: ContextEvent): void {
      if (event.kind === 'failed' && LAYER_FAILURES.includes(event.reason)) {
        failure ??= { cause: 'cause' in event ? event.cause : new Error(event.reason) };
      }
      if (event.kind !== 'edited') return;
      const { changedFrom: from, reason, entryIds } = event;
      const ids = new Set(entryIds);
      const isCompaction =
        (announced?.isCompaction ?? false) ||
        entries().some((entry) => ids.has(entry.id) && isSpan(entry));
      const first =
        announced !== undefined && announced.from <= from ? announced : { from, reason };
      announced = { ...first, isCompaction };
    },
  };
}

const LAYER_FAILURES: readonly string[] = ['plan-threw', 'observe-threw', 'edit-refused'];

/** A fold of single calls stands for no conversation. */
const isSpan = (entry: Entry): boolean =>
  entry.type === 'edit' && entry.by !== 'fold' && (entry.edit as Edit).kind === 'replace-span';

/** Some recordings name tools without what they take; a provider refuses those. */
const withSchema = (tool: Tool): Tool =>
  tool.type === undefined && tool.input_schema === undefined
    ? { ...tool, input_schema: { type: 'object' } }
    : tool;
