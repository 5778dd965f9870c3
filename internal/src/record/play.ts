import type { Block, JsonObject, ToolUseBlock } from '@varve/messages';
import { type LogWriter, replyMs } from './log-writer.ts';
import type { AssistantStep, Call, Recording, Step } from './recording.ts';
import { runTool, type TimedOutcome } from './tools/toolbox.ts';
import type { Workspace } from './workspace.ts';

export interface Stage {
  readonly recording: Recording;
  readonly workspace: Workspace;
  readonly log: LogWriter;
}

/**
 * Plays the steps: every call is run in the scratch project, and what it gave is logged.
 *
 * @throws {Error} when a result is not what the script says, with the call and the result.
 */
export function play(stage: Stage, steps: readonly Step[]): void {
  for (const step of steps) {
    if (typeof step === 'function') play(stage, step(stage.workspace));
    else if (step.kind === 'assistant') playAssistant(stage, step);
    else {
      stage.log.passTime(step.afterMs);
      sayAsUser(stage, step.text);
    }
  }
}

function playAssistant(stage: Stage, step: AssistantStep): void {
  const blocks = step.calls.map((call): ToolUseBlock => {
    const { name, input } = call;
    return { type: 'tool_use', id: stage.log.nextId('call'), name, input };
  });
  const content = [...speech(stage, step), ...blocks];
  stage.log.passTime(replyMs(content));
  const stopReason = blocks.length === 0 ? 'end_turn' : 'tool_use';
  const { model } = stage.recording;
  const response = { id: stage.log.nextId('response'), model, stopReason } as const;
  stage.log.message({ role: 'assistant', content, response });
  const stopFrom = step.interruptedFrom ?? blocks.length;
  for (const [index, block] of blocks.entries()) {
    steer(stage, step, index);
    if (index < stopFrom) logResult(stage, step.calls[index] as Call, block);
  }
  steer(stage, step, blocks.length);
  if (stopFrom < blocks.length) interrupt(stage, step.calls[stopFrom] as Call);
}

function interrupt({ log }: Stage, { tookMs }: Call): void {
  log.passTime(tookMs ?? 20_000);
  log.closeCalls('stopped-by-user');
}

function speech({ log }: Stage, { text, thinking }: AssistantStep): Block[] {
  const spoken: Block[] = text === '' ? [] : [{ type: 'text', text }];
  if (thinking === undefined) return spoken;
  return [{ type: 'thinking', thinking, signature: log.nextId('signature') }, ...spoken];
}

function steer(stage: Stage, { steering }: AssistantStep, results: number): void {
  if (steering?.afterResults !== results) return;
  stage.log.passTime(600);
  sayAsUser(stage, steering.text);
}

function sayAsUser({ log }: Stage, text: string): void {
  log.message({ role: 'user', content: [{ type: 'text', text }] });
}

function logResult(stage: Stage, call: Call, block: ToolUseBlock): void {
  const outcome = runTool(stage.workspace, call.name, call.input);
  check(call, outcome);
  stage.log.passTime(call.tookMs ?? outcome.tookMs);
  const error = outcome.isError ? { is_error: true } : {};
  stage.log.message({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: block.id, content: outcome.text, ...error }],
    origin: { kind: 'tool' },
  });
}

function check(call: Call, { isError, text }: TimedOutcome): void {
  const missing = call.shows.filter((part) => !text.includes(part));
  if (isError === call.fails && missing.length === 0) return;
  const wanted = `${call.fails ? 'an error' : 'success'}${missing.map((part) => `, ${part}`).join('')}`;
  throw new Error(
    `the script expects ${wanted} from\n${describe(call.name, call.input)}\nbut got\n${text}`,
  );
}

function describe(name: string, input: JsonObject): string {
  return `${name} ${JSON.stringify(input, null, 2)}`;
}
