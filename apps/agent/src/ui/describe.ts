import type { ContextEvent } from '@varve/context';
import type { DreamEvent } from '@varve/dream';
import { recordOf, textOf as textOfField } from '@varve/guards';
import { isText } from '@varve/messages';
import type { AgentEvent } from '../events.ts';
import { INTERRUPTED } from '../model.ts';
import { visible } from '../shown.ts';
import { PLAN_TOOL } from '../tools/plan.ts';
import { WAS_INTERRUPTED } from '../tools/shell.ts';
import type { ToolCall, ToolOutput } from '../tools/tool.ts';
import { clean, oneLine } from './clean.ts';

/** A call on one line: the tool, and of its input what says most. */
export function describeCall({ name, input }: Pick<ToolCall, 'name' | 'input'>): string {
  const fields = input as Readonly<Record<string, unknown>>;
  const told = TELLING.map((field) => fields?.[field]).find((value) => typeof value === 'string');
  const isUntold =
    name === 'TodoWrite' || name === PLAN_TOOL || Object.keys(recordOf(input)).length === 0;
  const what = typeof told === 'string' ? told : isUntold ? '' : JSON.stringify(input);
  return oneLine(`${name} ${what}`);
}

/** A call for a person who is to allow it: nothing of what says what it does is cut or hidden; of a tool of a server all. */
export function askedText({ name, input }: Pick<ToolCall, 'name' | 'input'>): string {
  const fields = recordOf(input);
  const told = TELLING.map((field) => fields[field]).find((value) => typeof value === 'string');
  const isWhole = told === undefined || name.startsWith('mcp__');
  return visible(`${name} ${isWhole ? JSON.stringify(input) : told}`);
}

/** How items of a list are marked. */
export const MARKS = { pending: '☐', in_progress: '▸', completed: '☑' };

/** The plan that a call wants approved. */
export function planIn({ name, input }: Pick<ToolCall, 'name' | 'input'>): string | undefined {
  return name === PLAN_TOOL ? textOfField(recordOf(input).plan) : undefined;
}

const TELLING = [
  ...[
    'command',
    'file_path',
    'notebook_path',
    'pattern',
    'url',
    'query',
    'path',
    'prompt',
    'skill',
  ],
];

/** What a call did, on one line: the first line of a failure, the size of what it gave or changed. */
export function describeOutput(
  { name, input }: Pick<ToolCall, 'name' | 'input'>,
  output: ToolOutput,
): string {
  const text = textOf(output).trim();
  if (text.endsWith(WAS_INTERRUPTED)) return 'interrupted';
  if (output.isError) return oneLine(text.slice(text.lastIndexOf('\n') + 1) || text);
  const { old_string, new_string, content } = recordOf(input);
  if (name === 'Edit' && typeof old_string === 'string' && typeof new_string === 'string')
    return `+${lines(new_string)} -${lines(old_string)}`;
  if (name === 'Write' && typeof content === 'string') return count(lines(content), 'line');
  if (text.startsWith(STORED)) return 'stored';
  const number = lines(text);
  return number <= 1 && name !== 'Read' ? oneLine(text, 80) : count(number, 'line');
}

/** How a call ended, as a person sees it: now, and when the session is gone on with. */
export function endOfCall(
  call: Pick<ToolCall, 'name' | 'input'>,
  output: ToolOutput,
  durationMs = 0,
): { readonly text: string; readonly tone: 'call' | 'failure'; readonly last: readonly string[] } {
  const took = durationMs < 1_000 ? '' : ` · ${seconds(durationMs)}`;
  const { isError = false } = output;
  return {
    text: `${isError ? '✗' : '✓'} ${describeCall(call)} · ${describeOutput(call, output)}${took}`,
    tone: isError ? 'failure' : 'call',
    last: isError && call.name === 'Bash' ? lastLines(output) : [],
  };
}

/** Lines of a failed command that are shown. */
const MOST_LAST = 5;

/** What a command printed last before it failed, which is where the error stands. */
const lastLines = (output: ToolOutput): string[] =>
  clean(textOf(output))
    .trimEnd()
    .split('\n')
    .slice(0, -1) // how it ended
    .filter((line) => line.trim() !== '')
    .slice(-MOST_LAST)
    .map((line) => (line.length > 200 ? `${line.slice(0, 199)}…` : line));

function textOf({ content }: ToolOutput): string {
  if (typeof content === 'string') return content;
  if (content instanceof Uint8Array) return new TextDecoder().decode(content);
  return content.map((block) => (isText(block) ? block.text : `[${block.type}]`)).join('\n');
}

/** What the model gets of an output that is stored. */
export const STORED = '<persisted-output handle=';

const lines = (text: string): number =>
  text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;

export const count = (number: number, word: string): string =>
  `${number.toLocaleString('en-US')} ${word}${number === 1 ? '' : 's'}`;

export const seconds = (ms: number): string =>
  ms < 950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;

/** Tokens as people read them: 812, 12.4K, 1.2M. */
export function tokens(number: number): string {
  if (number < 1_000) return String(Math.round(number));
  if (number < 999_500) return `${(number / 1_000).toFixed(number < 99_950 ? 1 : 0)}K`;
  return `${(number / 1_000_000).toFixed(2)}M`;
}

export function dollars(amount: number): string {
  if (amount === 0) return '$0';
  if (amount < 0.00005) return '<$0.0001';
  return `$${amount.toFixed(amount < 0.1 ? 4 : 2)}`;
}

/** What a layer did, where a person wants to know of it; undefined where not. */
export function describeLayer(event: ContextEvent): string | undefined {
  if (event.kind === 'edited')
    return BY_HAND.has(event.reason) ? undefined : `${event.layer}: ${event.reason}`;
  if (event.kind === 'failed' && event.reason === 'no-room-for-attachments')
    return 'compact: not all that is told at the beginning has room behind the summary';
  if (event.kind === 'failed') return `${event.layer} failed: ${event.reason}`;
  if (event.layer === 'prompt-cache' && event.kind === 'unexpected-break') {
    const { breaks, expectedReadTokens, readTokens } = event;
    const causes = breaks.map(({ cause }) => cause).join(', ');
    return `cache lost: ${tokens(expectedReadTokens - readTokens)} tokens written again (${causes})`;
  }
  if (event.kind === 'extraction' && event.event.kind === 'finished')
    return describeWrites(event.event.writes.map(({ path }) => path));
  if (event.layer === 'compact' && event.kind === 'paused')
    return 'compact: paused, because each one was full again at once';
  if (event.layer === 'compact' && event.kind === 'recovered')
    return `compact: the request was too long and is made smaller (${event.step})`;
  return undefined;
}

/** Edits that a command of the person makes and tells of. */
const BY_HAND: ReadonlySet<string> = new Set(['manual', 'rewind', 'undo']);

const describeWrites = (paths: readonly string[]): string | undefined =>
  paths.length === 0 ? undefined : `memory: saved ${paths.join(', ')}; /memory undo takes it back`;

/** What a dream that runs by itself did; undefined where nobody has to know. */
export function describeDream(event: DreamEvent): string | undefined {
  if (event.kind === 'started') return 'memory is being tidied; /dream stop ends it';
  if (event.kind === 'completed' && event.report.improved === 0)
    return 'memory was looked through: nothing was changed';
  if (event.kind === 'completed')
    return `memory was tidied: ${count(event.report.improved, 'file')} improved; /dream undo takes it back`;
  return event.kind === 'failed' ? `memory could not be tidied: ${event.reason}` : undefined;
}

/** Who called a model, in a bill: of answers that came to no end nobody says what they cost. */
export const callerName = (by: string): string =>
  by === INTERRUPTED ? `${by} (estimate)` : by === 'reply' ? by : `calls of ${by}`;

/** That a request is sent again: why, where it is the first time or something else, and what comes next. */
export function createRetryLines() {
  let last = '';
  return ({ attempt, most, waitMs, reason }: AgentEvent & { readonly kind: 'retry' }): string => {
    const isSame = attempt > 1 && reason === last;
    last = reason;
    const next = `Trying again in ${seconds(waitMs)} (attempt ${attempt + 1} of ${most}).`;
    return isSame ? next : `${oneLine(reason, 400)} ${next}`;
  };
}
