import { withinTime } from '@varve/guards';
import type { Message } from '@varve/messages';
import { redact } from '@varve/redact';
import type { Emit } from '../events.ts';
import type { Answer } from '../permissions/permissions.ts';
import { messageOf } from '../shown.ts';
import type { ToolCall, ToolOutput } from '../tools/tool.ts';
import { type CommandHook, failureKind, type HookEvent, type HookOutput } from './events.ts';
import { fitsMatcher } from './match.ts';
import { runHook } from './run.ts';

/** What a hook says about a call before it runs. */
export type HookDecision = 'allow' | 'ask' | 'none';

/** Where programs of the user take part in a turn. */
export interface Hooks {
  promptSubmit(
    prompt: string,
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'asked' } | { readonly kind: 'blocked'; readonly reason: string }>;
  /** May change the input, decide in place of the person, or refuse. */
  preTool(
    call: ToolCall,
    signal: AbortSignal,
  ): Promise<
    | { readonly kind: 'go-on'; readonly call: ToolCall; readonly decision: HookDecision }
    | { readonly kind: 'denied'; readonly reason: string }
  >;
  /** May add to what the model reads behind a result; it changes nothing of what ran. */
  postTool(call: ToolCall, output: ToolOutput, signal: AbortSignal): Promise<void>;
  /** `go-on` keeps the model working, and says why. */
  stop(
    reply: Message,
    at: { readonly turn: number; readonly signal: AbortSignal },
  ): Promise<{ readonly kind: 'done' } | { readonly kind: 'go-on'; readonly reason: string }>;
  /** Tells that a turn ends because a request failed. Nothing that a hook says changes that. */
  stopFailure(error: unknown, signal: AbortSignal): Promise<void>;
  /** Answers a question in place of the person; undefined where no hook does. */
  permissionRequest(call: ToolCall, signal: AbortSignal): Promise<Answer | undefined>;
  /** Tells of any other event, and gives why a hook blocks it. `name` is what matchers are about, such as a trigger. */
  tell(
    event: HookEvent,
    name: string,
    fields: object,
    signal?: AbortSignal,
  ): Promise<string | undefined>;
  /** What hooks want the model to know, once. */
  takeContext(): readonly string[];
  /** Why a hook wants the agent to stop, once. */
  takeHalt(): string | undefined;
  /** Waits a moment for hooks that nothing waits for. */
  close(): Promise<void>;
}

export interface HooksOptions {
  readonly hooks: readonly CommandHook[];
  readonly cwd: string;
  /** The folder that holds the project's settings. */
  readonly projectDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly sessionId: string;
  readonly transcriptPath: string;
  readonly permissionMode: () => string;
  /** Reads a changed input as its tool would. */
  readonly parse: (call: ToolCall, input: object) => ToolCall | string;
  readonly emit: Emit;
  /** Of a child, in each of its events. */
  readonly agent?: { readonly agent_id: string; readonly agent_type: string } | undefined;
}

/** How often hooks may keep a model working that does nothing more, and how often in one turn. */
const MOST_STOPS = { idle: 5, all: 50 };

/** How long the end of a session waits for hooks that run beside it. */
const CLOSE_MS = 2_000;

/** Runs the hooks that fit an event, one after the other in the order of their settings. The first that blocks ends it. */
export function createHooks(options: HooksOptions): Hooks {
  const { hooks, cwd, projectDir, sessionId, transcriptPath, emit } = options;
  const env = { ...options.env, CLAUDE_PROJECT_DIR: projectDir, VARVE_PROJECT_DIR: projectDir };
  const context: string[] = [];
  const beside = new Set<Promise<unknown>>();
  let halt: string | undefined;
  let isStopActive = false;
  let stops = { idle: 0, all: 0 };

  const notice = (level: 'info' | 'warning', text: string) =>
    emit({ kind: 'notice', level, text: redact(text) });

  /** Gives what each hook said, until `isEnd` says that the others do not matter. */
  async function* run(
    event: HookEvent,
    name: string,
    fields: () => object,
    signal?: AbortSignal,
  ): AsyncGenerator<{ output: HookOutput; text: string; blocked?: string }> {
    for (const hook of hooks) {
      if (hook.event !== event || !fitsMatcher(hook.matcher, name)) continue;
      const input = {
        session_id: sessionId,
        transcript_path: transcriptPath,
        cwd,
        permission_mode: options.permissionMode(),
        hook_event_name: event,
        ...options.agent,
        ...fields(),
      };
      if (hook.isAsync) {
        runBeside(hook, input);
        continue;
      }
      const startedAt = performance.now();
      const result = await runHook(hook, input, { cwd, env, signal });
      const durationMs = performance.now() - startedAt;
      emit({ kind: 'hook', event, outcome: result.kind, durationMs });
      switch (result.kind) {
        case 'failed':
          notice('warning', `A hook for ${event} failed (${result.reason}): ${hook.command}`);
          break;
        case 'blocked':
          yield { output: {}, text: '', blocked: result.reason };
          return;
        case 'said': {
          const { output, text } = result;
          take(output);
          const blocked = blockOf(output);
          yield blocked === undefined ? { output, text } : { output, text, blocked };
          if (blocked !== undefined) return;
        }
      }
    }
  }

  function take(output: HookOutput): void {
    if (output.systemMessage !== undefined) notice('info', output.systemMessage);
    if (output.continue === false) halt ??= output.stopReason ?? 'A hook stopped the agent.';
  }

  function runBeside(hook: CommandHook, input: object): void {
    const running = runHook(hook, input, { cwd, env }).then((result) => {
      if (result.kind === 'failed')
        notice('warning', `A hook for ${hook.event} failed (${result.reason}): ${hook.command}`);
      else if (result.kind === 'said') {
        if (result.output.systemMessage !== undefined) notice('info', result.output.systemMessage);
        addContext(result.output);
      }
    });
    beside.add(running);
    void running.finally(() => beside.delete(running));
  }

  const addContext = ({ hookSpecificOutput }: HookOutput): void => {
    const added = hookSpecificOutput?.additionalContext;
    if (added !== undefined && added.trim() !== '') context.push(added);
  };

  return {
    async promptSubmit(prompt, signal) {
      isStopActive = false;
      stops = { idle: 0, all: 0 };
      for await (const said of run('UserPromptSubmit', '', () => ({ prompt }), signal)) {
        if (said.blocked !== undefined) return { kind: 'blocked', reason: said.blocked };
        if (said.text !== '') context.push(said.text);
        addContext(said.output);
      }
      if (halt !== undefined) return { kind: 'blocked', reason: takeHalt() as string };
      return { kind: 'asked' };
    },

    async preTool(first, signal) {
      stops.idle = 0;
      let call = first;
      let decision: HookDecision = 'none';
      const fields = () => ({ tool_name: call.name, tool_input: call.input, tool_use_id: call.id });
      for await (const { output, blocked } of run('PreToolUse', call.name, fields, signal)) {
        if (blocked !== undefined) return { kind: 'denied', reason: blocked };
        addContext(output);
        const { permissionDecision, updatedInput } = output.hookSpecificOutput ?? {};
        const said =
          permissionDecision ?? (output.decision === 'approve' ? 'allow' : output.decision);
        if (said === 'ask') decision = 'ask';
        if (said === 'allow' && decision === 'none') decision = 'allow';
        if (updatedInput === undefined) continue;
        const read = options.parse(call, updatedInput);
        if (typeof read === 'string')
          return { kind: 'denied', reason: `A hook changed the input, and ${read}` };
        call = read;
      }
      if (halt !== undefined) return { kind: 'denied', reason: halt };
      return { kind: 'go-on', call, decision };
    },

    async postTool(call, output, signal) {
      const event = output.isError ? 'PostToolUseFailure' : 'PostToolUse';
      const fields = () => ({
        ...{ tool_name: call.name, tool_input: call.input, tool_use_id: call.id },
        ...(output.isError ? { error: textOf(output) } : { tool_response: textOf(output) }),
      });
      for await (const { output: said, blocked } of run(event, call.name, fields, signal)) {
        if (blocked !== undefined)
          context.push(`A hook says of ${call.name} (${call.id}): ${blocked}`);
        addContext(said);
      }
    },

    async stop(reply, { signal }) {
      const fields = () => ({
        stop_hook_active: isStopActive,
        last_assistant_message: textOf({ content: reply.content }),
      });
      for await (const { blocked } of run('Stop', '', fields, signal)) {
        if (blocked === undefined || halt !== undefined) continue;
        isStopActive = true;
        stops = { idle: stops.idle + 1, all: stops.all + 1 };
        if (stops.idle <= MOST_STOPS.idle && stops.all <= MOST_STOPS.all)
          return { kind: 'go-on', reason: blocked };
        notice(
          'warning',
          `A hook for Stop kept the model working ${stops.all - 1} times, and is not asked any more: ${blocked}`,
        );
        break;
      }
      halt = undefined; // it stops anyway
      return { kind: 'done' };
    },

    async stopFailure(error, signal) {
      const kind = failureKind(error);
      const text = messageOf(error);
      const fields = () => ({ error: kind, error_details: text });
      for await (const { output } of run('StopFailure', kind, fields, signal)) addContext(output);
    },

    async permissionRequest(call, signal) {
      const fields = () => ({ tool_name: call.name, tool_input: call.input, tool_use_id: call.id });
      for await (const { output, blocked } of run('PermissionRequest', call.name, fields, signal)) {
        if (blocked !== undefined) return { kind: 'no', reason: blocked };
        const decision = output.hookSpecificOutput?.decision;
        if (decision === undefined) continue;
        const { behavior, message = 'A hook refused this call.' } = decision;
        return behavior === 'allow' ? { kind: 'once' } : { kind: 'no', reason: message };
      }
      return undefined;
    },

    async tell(event, name, fields, signal) {
      for await (const { output, text, blocked } of run(event, name, () => fields, signal)) {
        if (blocked !== undefined) return blocked;
        if (event === 'SessionStart' && text !== '') context.push(text);
        addContext(output);
      }
      return undefined;
    },

    takeContext: () => context.splice(0),
    takeHalt,

    async close() {
      const ended = withinTime(() => Promise.allSettled(beside), { limitMs: CLOSE_MS });
      await ended.catch(() => undefined); // what has not ended by then is left alone
    },
  };

  function takeHalt(): string | undefined {
    const reason = halt;
    halt = undefined;
    return reason;
  }
}

/** Why an output blocks. `continue: false` stops the agent, which is something else. */
function blockOf({ decision, reason, hookSpecificOutput }: HookOutput): string | undefined {
  const isDenied =
    decision === 'block' ||
    decision === 'deny' ||
    hookSpecificOutput?.permissionDecision === 'deny';
  if (!isDenied) return undefined;
  return hookSpecificOutput?.permissionDecisionReason ?? reason ?? 'A hook refused this.';
}

const MOST_RESPONSE_BYTES = 100_000;

/** What a tool gave, as a hook reads it. */
function textOf({ content }: Pick<ToolOutput, 'content'>): string {
  if (typeof content === 'string') return content.slice(0, MOST_RESPONSE_BYTES);
  if (content instanceof Uint8Array)
    return Buffer.from(content.subarray(0, MOST_RESPONSE_BYTES)).toString('utf8');
  return content
    .flatMap((block) => (block.type === 'text' && 'text' in block ? [String(block.text)] : []))
    .join('\n')
    .slice(0, MOST_RESPONSE_BYTES);
}
