import { randomUUID } from 'node:crypto';
import type { createFork, createWarmUp, ForkResult } from '@varve/fork-agent';
import type { createMailboxes } from '@varve/fork-agent/mail';
import { type Head, isText, type Message, type Request, type ToolUseBlock } from '@varve/messages';
import { createModelStream, type ModelClient } from '@varve/models';
import type { ToolStorage } from '@varve/tool-storage';
import { openLog } from '@varve/transcript/node';
import type { AgentEvent, Emit } from '../events.ts';
import type { Hooks } from '../hooks/hooks.ts';
import { type OnLost, retrying } from '../model.ts';
import type { Permissions } from '../permissions/permissions.ts';
import { reminder } from '../prompt/reminder.ts';
import { createRounds } from '../rounds.ts';
import type { ToolOutput, Tools } from '../tools/tool.ts';
import { compactChild } from './compact-child.ts';

type Runner = NonNullable<
  Parameters<typeof import('@varve/fork-agent').createFork<undefined>>[0]['tools']
>;
type Inbox = ReturnType<ReturnType<typeof createMailboxes>['open']>;

/** All that is an agent's own. */
export interface ChildOptions {
  readonly id: string;
  readonly type: string;
  readonly callId: string;
  readonly prompt: string;
  readonly maxTurns: number;
  readonly tools: Tools;
  readonly permissions: Permissions;
  readonly hooks: Hooks;
  readonly storage: ToolStorage | undefined;
  readonly client: ModelClient;
  readonly inbox: Inbox;
  /** Where its messages are kept. */
  readonly transcript: string;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** What the agent program says to it by itself: at its beginning, and behind results. */
  readonly remind: (signal: AbortSignal) => Promise<readonly string[]>;
  /** Told of each call that ran. */
  readonly touched: (event: AgentEvent & { readonly kind: 'call-end' }) => void;
  /** Whether it agreed to end. */
  readonly isDismissed: () => boolean;
  readonly warm: ReturnType<typeof createWarmUp>;
  /** Makes the fork or the fresh agent, with this client and this runner of calls. */
  readonly create: (
    client: ModelClient,
    tools: Runner,
  ) => Promise<{
    readonly run: ReturnType<typeof createFork<undefined>>['run'];
    readonly head: Head;
    readonly prefix: readonly Message[];
  }>;
  /** Before each request; throws where none may be sent. */
  readonly onRequest: (request: Request) => void;
  readonly onResponse: (usage: NonNullable<ForkResult['usage']>, model: string) => void;
  /** Told what answers were billed that came to no end. */
  readonly onLost: OnLost;
  /** Told what has arrived of its answer so far, while it arrives. */
  readonly onText: (text: string) => void;
  readonly onMessage: (message: Message) => void;
  readonly windowTokens?: number | undefined;
  readonly percent?: number | undefined;
}

/** Runs an agent to its end: hooks at both ends, its calls as those of the conversation, its messages in a log of its own. */
export async function runChild(options: ChildOptions): Promise<ForkResult> {
  const { id, type, hooks, tools, permissions, storage, signal, remind, inbox } = options;
  const emit: Emit = (event) =>
    event.kind === 'notice'
      ? options.emit(event)
      : options.emit({ kind: 'agent-event', agent: id, callId: options.callId, event });
  const rounds = createRounds({
    ...{ tools, permissions, hooks, agent: id },
    emit(event) {
      if (event.kind === 'call-end') options.touched(event);
      emit(event);
    },
  });
  const client = billed(
    retrying({ client: () => options.client, emit, onLost: options.onLost }),
    options,
  );
  let isHalted = false;

  /** The result as the model gets it: a large one stored, and behind it what it is to know. */
  async function run(call: ToolUseBlock, { signal: until }: { readonly signal: AbortSignal }) {
    const { content, isError } = await outputOf(rounds.run([call], until));
    const given = { toolUseId: call.id, toolName: call.name, content };
    const shown = storage
      ? await storage.offload(given, { signal: until })
      : { content: content instanceof Uint8Array ? new TextDecoder().decode(content) : content };
    const texts = await remind(until);
    isHalted ||= hooks.takeHalt() !== undefined;
    return { content: withTexts(shown.content, texts), isError };
  }

  const { run: start, head, prefix } = await options.create(client, run);
  const log = await openLog(options.transcript);
  const add = (entry: { type: 'head'; head: Head } | { type: 'message'; message: Message }) =>
    log.append({ ...entry, id: randomUUID(), at: new Date().toISOString() });
  try {
    if (prefix.length === 0) await add({ type: 'head', head });
    await hooks.tell('SubagentStart', type, {}, signal);
    const texts = (await remind(signal)).map(reminder);
    let isStopActive = false;
    return await options.warm((onFirstEvent) =>
      start({
        ...{ id, signal, maxTurns: options.maxTurns, mail: inbox, onEvent: onFirstEvent },
        directive: [...texts, options.prompt].join('\n\n'),
        reads: async (call) => {
          const parsed = tools.parse(call);
          return parsed.kind === 'refused' || permissions.reads(parsed.call);
        },
        async onMessage(message) {
          await add({ type: 'message', message });
          options.onMessage(message);
          emit(
            message.role === 'assistant'
              ? { kind: 'reply', message }
              : { kind: 'results', messages: [message] },
          );
        },
        isDone: () => isHalted || options.isDismissed(),
        async goOn(reply) {
          const fields = {
            stop_hook_active: isStopActive,
            agent_transcript_path: options.transcript,
            last_assistant_message: reply.content
              .flatMap((block) => (isText(block) ? [block.text] : []))
              .join('\n'),
          };
          const reason = await hooks.tell('SubagentStop', type, fields, signal);
          isStopActive = reason !== undefined;
          const halt = hooks.takeHalt();
          return reason === undefined || halt !== undefined ? undefined : reminder(reason);
        },
        compact: compactChild({
          ...{ id, head, prefix, client, hooks },
          ...{ windowTokens: options.windowTokens, percent: options.percent },
          onEnd: (text) => emit({ kind: 'notice', level: 'info', text }),
        }),
      }),
    );
  } finally {
    await hooks.close();
    await inbox.close();
    await log.close();
  }
}

async function outputOf(round: AsyncGenerator<ToolOutput[]>): Promise<ToolOutput> {
  for await (const [output] of round) if (output !== undefined) return output;
  throw new Error('The call gave nothing.');
}

type Shown = string | readonly { readonly type: string }[];

function withTexts(content: Shown, texts: readonly string[]) {
  if (texts.length === 0) return content as string;
  const blocks =
    typeof content === 'string' ? [{ type: 'text', text: content }] : [...(content as [])];
  return [...blocks, ...texts.map((text) => ({ type: 'text', text: reminder(text) }))];
}

/** The same client, whose requests are seen before and whose bills after. */
function billed(
  client: ModelClient,
  { onRequest, onResponse, onText }: Pick<ChildOptions, 'onRequest' | 'onResponse' | 'onText'>,
): ModelClient {
  return {
    provider: client.provider,
    stream: (request, options) =>
      createModelStream(async function* (signal) {
        onRequest(request);
        let text = '';
        for await (const event of client.stream(request, { ...options, signal })) {
          // an attempt that failed was begun anew: its words are void
          if (event.type === 'response-start') text = '';
          if (event.type === 'text-delta') {
            text += event.text;
            onText(text);
          }
          if (event.type === 'response-end') onResponse(event.response.usage, request.head.model);
          yield event;
        }
      }, options?.signal),
  };
}
