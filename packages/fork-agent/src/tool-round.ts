import { untilAborted } from '@varve/guards';
import type { ToolResultBlock, ToolUseBlock } from '@varve/messages';
import { failure, resultContent, textOfThrown } from './tool-content.ts';
import type { Denial, GateAnswer, ToolContext, ToolGate, ToolRunner } from './types.ts';

export interface ToolRound<State> {
  readonly runTool: ToolRunner<State> | undefined;
  readonly canUseTool: ToolGate<State> | undefined;
  /** Names the head offers. */
  readonly offered: ReadonlySet<string>;
  /** Names that would start another child. */
  readonly agentTools: ReadonlySet<string>;
  /** Whether a call changes nothing. */
  readonly reads?: ((call: ToolUseBlock) => boolean | Promise<boolean>) | undefined;
  readonly context: ToolContext<State>;
  readonly onDenied: (denial: Denial) => void;
}

/**
 * Answers the calls of one reply, in their order: two that write the same file never run at once, those that only read run
 * beside each other.
 */
export async function answerCalls<State>(
  calls: readonly ToolUseBlock[],
  round: ToolRound<State>,
): Promise<ToolResultBlock[]> {
  const results: ToolResultBlock[] = [];
  for (const group of await groupsOf(calls, round)) {
    round.context.signal.throwIfAborted();
    results.push(...(await Promise.all(group.map((call) => answerCall(call, round)))));
  }
  return results;
}

const MOST_READERS = 10;

/** Calls that read and follow each other together, every other one by itself. */
async function groupsOf<State>(
  calls: readonly ToolUseBlock[],
  { reads }: ToolRound<State>,
): Promise<ToolUseBlock[][]> {
  const isReader = async (call: ToolUseBlock) => {
    try {
      return (await reads?.(structuredClone(call))) === true;
    } catch {
      return false;
    }
  };
  const groups: { readonly isReading: boolean; readonly calls: ToolUseBlock[] }[] = [];
  for (const call of calls) {
    const isReading = await isReader(call);
    const last = groups.at(-1);
    if (isReading && last?.isReading && last.calls.length < MOST_READERS) last.calls.push(call);
    else groups.push({ isReading, calls: [call] });
  }
  return groups.map((group) => group.calls);
}

async function answerCall<State>(
  call: ToolUseBlock,
  round: ToolRound<State>,
): Promise<ToolResultBlock> {
  const copy = structuredClone(call); // a gate or a tool may complete its input; the reply stays as it came
  const reason = await refusal(copy, round);
  if (reason !== undefined) return denied(call, reason, round);
  return { ...(await runCall(copy, round)), tool_use_id: call.id };
}

/** Results for calls that are not run because the child ends here. */
export const unrunResults = (calls: readonly ToolUseBlock[], why: string): ToolResultBlock[] =>
  calls.map(({ id }) => errorResult(id, `Not run: this agent ended (${why}).`));

async function refusal<State>(
  call: ToolUseBlock,
  round: ToolRound<State>,
): Promise<string | undefined> {
  if (round.agentTools.has(call.name))
    return 'a fork or agent may not start another; do it yourself';
  if (!round.offered.has(call.name)) return 'there is no tool of this name';
  if (!round.runTool) return 'tools do not run here; answer from what you have';
  if (!round.canUseTool) return undefined;
  const answer = await ask(call, round.canUseTool, round.context);
  if (answer === true) return undefined;
  // a gate without types may answer anything, and only a plain yes is one
  const { allow, reason }: { allow?: unknown; reason?: unknown } = Object(answer);
  if (allow === true) return undefined;
  return typeof reason === 'string' && reason.trim() !== ''
    ? reason
    : 'this tool is not allowed here';
}

/** A gate that fails has allowed nothing. */
async function ask<State>(
  call: ToolUseBlock,
  gate: ToolGate<State>,
  context: ToolContext<State>,
): Promise<GateAnswer> {
  try {
    return await untilAborted(() => gate(call, context), context.signal);
  } catch {
    context.signal.throwIfAborted();
    return { allow: false, reason: 'the permission check failed' };
  }
}

async function runCall<State>(
  call: ToolUseBlock,
  { runTool, context }: ToolRound<State>,
): Promise<ToolResultBlock> {
  try {
    const run = () => (runTool as ToolRunner<State>)(call, context);
    const outcome = await untilAborted(run, context.signal);
    const { content, isError = false } = Object(
      typeof outcome === 'string' ? { content: outcome } : outcome,
    );
    return isError
      ? { type: 'tool_result', tool_use_id: call.id, ...failure(resultContent(content)) }
      : { type: 'tool_result', tool_use_id: call.id, content: resultContent(content) };
  } catch (error) {
    context.signal.throwIfAborted();
    return errorResult(call.id, `The tool failed: ${textOfThrown(error)}`);
  }
}

function denied<State>(call: ToolUseBlock, reason: string, round: ToolRound<State>) {
  round.onDenied({ callId: call.id, toolName: call.name, reason });
  return errorResult(call.id, `Denied: ${reason}.`);
}

const errorResult = (id: string, text: string): ToolResultBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content: resultContent(text),
  is_error: true,
});
