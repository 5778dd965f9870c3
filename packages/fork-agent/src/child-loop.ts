import { untilAborted } from '@varve/guards';
import {
  type Block,
  type Message,
  type StopReason,
  type ToolUseBlock,
  toolUses,
} from '@varve/messages';
import { toolLabel } from '@varve/messages/tools';
import type { ModelResponse } from '@varve/models';
import { checkLimits } from './check-limits.ts';
import { childRequest } from './child-request.ts';
import { toResult } from './child-result.ts';
import { type Child, newRun, type Run } from './child-run.ts';
import { ForkError } from './error.ts';
import { mailBlocks } from './mail/mail-blocks.ts';
import { replyMessage, textOf } from './reply.ts';
import { answerCalls, unrunResults } from './tool-round.ts';
import type { ChildStop, ForkResult, RunOptions } from './types.ts';
import { addUsage } from './usage.ts';

/**
 * Runs a child to its end. Rejects only for an abort, for options that are none and for a first request that is larger than
 * its window; all else is in the result.
 */
export async function runChild<State>(
  child: Child<State>,
  options: RunOptions<State>,
): Promise<ForkResult<State>> {
  checkLimits(options);
  options.signal?.throwIfAborted();
  outputTokens(child, [child.first]);
  const own = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, own.signal]) : own.signal;
  const run = newRun(child, options, signal);
  try {
    const stopReason = await turnsOf(run);
    return toResult(run, stopReason);
  } catch (error) {
    signal.throwIfAborted();
    closeRound(run);
    return { ...toResult(run, isTooLarge(error) ? 'context-full' : 'failed'), error };
  } finally {
    own.abort(); // a tool that is still at work belongs to nobody now
  }
}

/** @throws ForkError `message-too-large` */
function outputTokens<State>({ window, prefix }: Child<State>, own: readonly Message[]): number {
  const tokens = window.outputTokens({ prefix, own });
  if (tokens === undefined) throw window.tooLarge({ prefix, own });
  return tokens;
}

const isTooLarge = (error: unknown): boolean =>
  ForkError.is(error) && error.code === 'message-too-large';

/** A sink that failed at a reply leaves its calls without results. It has failed, so it is not told of these. */
function closeRound<State>(run: Run<State>): void {
  const last = run.tail.at(-1);
  const calls = last?.role === 'assistant' ? toolUses(last) : [];
  if (calls.length === 0) return;
  run.tail = [...run.tail, resultsMessage(run, unrunResults(calls, 'failed'))];
}

async function turnsOf<State>(run: Run<State>): Promise<ChildStop> {
  await append(run, run.child.first);
  for (;;) {
    const response = await ask(run);
    const stopReason = await answer(run, response);
    if (stopReason !== undefined) return stopReason;
    await compactTail(run);
  }
}

async function append<State>(run: Run<State>, message: Message): Promise<void> {
  run.tail = [...run.tail, message];
  if (!run.options.onMessage) return;
  // told also where the child was aborted meanwhile: what ran is kept
  await untilAborted(Promise.resolve(run.options.onMessage(message)), run.signal);
}

async function ask<State>(run: Run<State>): Promise<ModelResponse> {
  const { child, options, signal } = run;
  const maxOutputTokens = outputTokens(child, run.tail);
  const asked = childRequest({ ...child, maxOutputTokens }, run.tail);
  const request = child.mark(asked, run.turns === 0);
  run.turns += 1;
  const stream = child.client.stream(request, { signal, timeoutMs: options.timeoutMs });
  for await (const event of untilAborted(stream, signal)) {
    options.onEvent?.(event);
    signal.throwIfAborted();
  }
  return untilAborted(() => stream.response(), signal);
}

/** Takes a reply in and answers its calls; why the child ends, or undefined where it goes on. */
async function answer<State>(
  run: Run<State>,
  response: ModelResponse,
): Promise<ChildStop | undefined> {
  const message = replyMessage(`${run.child.id}:${run.turns}:reply`, response, run.child);
  run.usage = addUsage(run.usage, response.usage);
  run.content = response.content;
  run.modelStop = response.stopReason;
  run.text = textOf(response.content) || run.text;
  if (message.content.length > 0) await append(run, message);
  const calls = toolUses(message);
  const stopReason = stopOf(run, response, message);
  if (stopReason === undefined) return goOn(run, calls);
  if (calls.length > 0) await append(run, resultsMessage(run, unrunResults(calls, stopReason)));
  return stopReason;
}

/** Why no further request follows, whatever the calls. */
function stopOf<State>(
  run: Run<State>,
  { stopReason }: ModelResponse,
  message: Message,
): ChildStop | undefined {
  const final = FINAL[stopReason];
  if (final !== undefined) return final;
  if (message.content.length === 0) return 'empty';
  const goesOn = toolUses(message).length > 0 || PAUSED.includes(stopReason);
  if (!goesOn) return undefined;
  const { maxTurns = DEFAULT_TURNS, maxTotalOutputTokens = Infinity } = run.options;
  if (run.turns >= maxTurns) return 'turn-limit';
  return run.usage.output_tokens >= maxTotalOutputTokens ? 'output-limit' : undefined;
}

const DEFAULT_TURNS = 20;
const PAUSED: readonly StopReason[] = ['pause_turn', 'compaction'];
const FINAL: Readonly<Partial<Record<StopReason, ChildStop>>> = {
  max_tokens: 'cut',
  model_context_window_exceeded: 'context-full',
  refusal: 'refusal',
  error: 'failed',
  aborted: 'failed',
};

async function goOn<State>(
  run: Run<State>,
  calls: readonly ToolUseBlock[],
): Promise<ChildStop | undefined> {
  if (calls.length === 0) {
    if (PAUSED.includes(run.modelStop as StopReason)) return undefined;
    return endUnlessMore(run);
  }
  const { child, options, signal, denials } = run;
  const results = await answerCalls(calls, {
    runTool: child.runTool,
    canUseTool: options.canUseTool,
    offered: new Set(child.head.tools.map(toolLabel)),
    agentTools: new Set(child.agentTools),
    reads: options.reads,
    context: { state: child.state, signal, turn: run.turns },
    onDenied: (denial) => denials.push(denial),
  });
  const [mail] = await Promise.allSettled([waitingMail(run)]);
  const blocks = mail.status === 'fulfilled' ? mail.value : [];
  await append(run, resultsMessage(run, [...results, ...blocks])); // what ran is kept, whatever the mail
  if (mail.status === 'rejected') throw mail.reason;
  return blocks.length === 0 && options.isDone?.(results) ? 'end' : undefined;
}

/**
 * Mail that came during the last reply is answered, and then what the caller wants beside it, as far as the limits allow; else
 * mail stays where it waits.
 */
async function endUnlessMore<State>(run: Run<State>): Promise<ChildStop | undefined> {
  const { maxTurns = DEFAULT_TURNS, maxTotalOutputTokens = Infinity } = run.options;
  if (run.turns >= maxTurns || run.usage.output_tokens >= maxTotalOutputTokens) return 'end';
  const mail = await waitingMail(run);
  const blocks = mail.length > 0 ? mail : await wishes(run);
  if (blocks.length === 0) return 'end';
  await append(run, resultsMessage(run, blocks));
  return undefined;
}

async function wishes<State>({ options, tail, signal }: Run<State>): Promise<readonly Block[]> {
  const { goOn } = options;
  const reply = tail.at(-1);
  if (!goOn || !reply) return [];
  const text = await untilAborted(async () => goOn(reply), signal);
  return text === undefined || text.trim() === ''
    ? []
    : [{ type: 'text', text: text.toWellFormed() }];
}

async function waitingMail<State>({ mail, signal }: Run<State>): Promise<readonly Block[]> {
  return mail ? mailBlocks(await untilAborted(mail, signal)) : [];
}

const resultsMessage = <State>(
  { child, turns }: Run<State>,
  content: readonly Block[],
): Message => ({
  id: `${child.id}:${turns}:results`,
  role: 'user',
  content,
  origin: { kind: 'tool' },
});

/** A compaction is no end: what it leaves goes on, behind the directive, which it may not lose. */
async function compactTail<State>(run: Run<State>): Promise<void> {
  const { compact } = run.options;
  if (!compact) return;
  const { signal, usage, tail, child } = run;
  const shorter = await untilAborted(() => compact(tail, { signal, usage }), signal);
  if (shorter === tail) return;
  const rest = shorter.filter(({ id }) => id !== child.first.id);
  run.tail = [child.first, ...rest];
}
