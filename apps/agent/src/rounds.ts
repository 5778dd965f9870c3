import type { ToolUseBlock } from '@varve/messages';
import type { Emit } from './events.ts';
import type { Hooks } from './hooks/hooks.ts';
import type { Permissions, RefusedBy } from './permissions/permissions.ts';
import type { ToolCall, ToolOutput, Tools } from './tools/tool.ts';

export interface RoundsOptions {
  readonly tools: Tools;
  readonly permissions: Permissions;
  readonly hooks: Hooks;
  readonly emit: Emit;
  /** The agent whose calls they are. @default the conversation's own */
  readonly agent?: string | undefined;
}

/** The result of a call, for the context. */
export interface RoundOutput extends ToolOutput {
  readonly toolUseId: string;
}

/** Runs the calls of an answer. */
export interface Rounds {
  /**
   * Gives results in the order of the calls, as soon as they are there, so that what ran is in the log before anything else
   * runs. Calls that only read run beside each other, others alone. After an abort it gives what had ended, and rejects.
   */
  run(calls: readonly ToolUseBlock[], signal: AbortSignal): AsyncGenerator<RoundOutput[]>;
}

/** Calls that run at the same time. */
const MOST_READERS = 10;

export function createRounds(options: RoundsOptions): Rounds {
  return {
    async *run(calls, signal) {
      for (const group of await groupsOf(calls, options)) {
        signal.throwIfAborted();
        const settled = await Promise.allSettled(
          group.map((call) => runCall(call, options, signal)),
        );
        const outputs = settled.flatMap((each) =>
          each.status === 'fulfilled' ? [each.value] : [],
        );
        if (outputs.length > 0) yield outputs;
        for (const each of settled) if (each.status === 'rejected') throw each.reason;
        signal.throwIfAborted(); // what a stopped call had given is a result, too
      }
    },
  };
}

/** Readers that follow each other together, every other call by itself. */
async function groupsOf(
  calls: readonly ToolUseBlock[],
  { tools, permissions }: RoundsOptions,
): Promise<ToolUseBlock[][]> {
  const groups: { readonly reads: boolean; readonly calls: ToolUseBlock[] }[] = [];
  for (const block of calls) {
    const parsed = tools.parse(block);
    const reads = parsed.kind === 'refused' || (await permissions.reads(parsed.call));
    const last = groups.at(-1);
    if (reads && last?.reads && last.calls.length < MOST_READERS) last.calls.push(block);
    else groups.push({ reads, calls: [block] });
  }
  return groups.map((group) => group.calls);
}

/** Deny rules first, which no hook can lift; then hooks, then mode and person, with what a hook made of the input. */
async function runCall(
  block: ToolUseBlock,
  { tools, permissions, hooks, emit, agent }: RoundsOptions,
  signal: AbortSignal,
): Promise<RoundOutput> {
  const refuse = (call: ToolCall, reason: string, by: RefusedBy): RoundOutput => {
    emit({ kind: 'call-refused', call, reason, by });
    return { toolUseId: block.id, content: reason, isError: true };
  };
  const parsed = tools.parse(block);
  if (parsed.kind === 'refused') {
    const output = refused(block.id, parsed.reason);
    emit({ kind: 'call-end', call: parsed.call, output, durationMs: 0 });
    return output;
  }
  const denied = await permissions.denied(parsed.call);
  if (denied !== undefined) return refuse(parsed.call, denied, 'rule');
  const pre = await hooks.preTool(parsed.call, signal);
  if (pre.kind === 'denied') return refuse(parsed.call, pre.reason, 'hook');
  const { call, decision } = pre;
  const allowed = await permissions.decide(call, {
    ...{ hook: decision, signal, agent },
    askHooks: (asked, until) => hooks.permissionRequest(asked, until),
  });
  if (allowed.kind === 'refused') {
    const { name: tool_name, input: tool_input, id: tool_use_id } = call;
    const fields = { tool_name, tool_input, tool_use_id, reason: allowed.reason };
    await hooks.tell('PermissionDenied', call.name, fields, signal);
    return refuse(call, allowed.reason, allowed.by);
  }
  emit({ kind: 'call-start', call, by: allowed.by });
  const startedAt = performance.now();
  const output = await tools.run(call, signal);
  await hooks.postTool(call, output, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error; // what ran is kept
  });
  emit({ kind: 'call-end', call, output, durationMs: performance.now() - startedAt });
  return { toolUseId: call.id, ...output };
}

/** A call that no tool takes: nobody forbade it, the model only has to ask differently. */
const refused = (toolUseId: string, content: string): RoundOutput => ({
  toolUseId,
  content,
  isError: true,
});
