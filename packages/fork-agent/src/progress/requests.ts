import {
  fingerprint,
  isText,
  isThinking,
  isToolUse,
  type Message,
  type Request,
} from '@varve/messages';
import { cutText } from '@varve/messages/text';
import { placeMarkers } from '@varve/prompt-cache';
import { delimited } from '../delimited.ts';
import { type OwnModels, policyFor } from '../known-model.ts';

/** A child as it stands: its latest request, and the messages that came since. */
export interface ProgressState {
  readonly sent: Request;
  /** When `sent` was sent, by the same clock. */
  readonly sentMs: number;
  readonly since: readonly Message[];
}

const ASK = `Say in three to five words what you are doing at this moment, for somebody who watches.
Present tense, and name the file or function, as in "Reading parser tests in cases.ts". No tools, nothing else.`;

/** The child's own prefix, tools included, which it is only asked not to use. */
export function forkRequest({ sent, since }: ProgressState, models: OwnModels): Request {
  const messages = closed([...sent.messages, ...since]);
  const request = { ...sent, messages: [...messages, question(messages, ASK)] };
  return placeMarkers(request, { policy: policyFor(sent.head.model, models) });
}

/** Calls whose tools are at work get a result that says so. */
function closed(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1);
  const calls = last?.role === 'assistant' ? last.content.filter(isToolUse) : [];
  if (calls.length === 0) return messages;
  const content = calls.map(({ id }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: 'Still running.',
  }));
  return [...messages, { id: `${last?.id}:running`, role: 'user', content }];
}

function question(messages: readonly Message[], text: string): Message {
  const role = messages.at(-1)?.role === 'system' ? 'system' : 'user';
  const id = `progress-${fingerprint(text, fingerprint(String(messages.at(-1)?.id))).slice(0, 16)}`;
  return { id, role, content: [{ type: 'text', text }] };
}

export interface TailOptions {
  readonly model: string;
  readonly tailUnits: number | undefined;
}

/** A short text of the newest steps for a model that knows nothing of the rest. */
export function tailRequest({ sent, since }: ProgressState, options: TailOptions): Request {
  const { model, tailUnits = 2_000 } = options;
  const text = delimited('agent-log', tailText([...sent.messages, ...since], tailUnits));
  const ask = `An agent at work, its last steps:\n${text}\n${ASK.replaceAll('you are', 'it is')}`;
  return {
    head: { id: 'progress', model, system: [], tools: [], params: {} },
    messages: [question([], ask)],
    markers: [],
    maxOutputTokens: Math.min(sent.maxOutputTokens, 1_000),
  };
}

/** The newest steps, as many as there is room for; no more of the history is read. */
function tailText(messages: readonly Message[], units: number): string {
  const lines: string[] = [];
  let left = units;
  for (let at = messages.length - 1; at >= 0 && left > 0; at--) {
    for (const block of [...(messages[at]?.content ?? [])].reverse()) {
      if (left <= 0 || isThinking(block)) continue;
      const line = cutText(toLine(block), Math.min(left, MAX_LINE_UNITS));
      left -= line.length + 1;
      lines.unshift(line);
    }
  }
  return lines.join('\n');
}

const MAX_LINE_UNITS = 400;

function toLine(block: Message['content'][number]): string {
  if (isToolUse(block)) return `call ${block.name} ${JSON.stringify(block.input)}`;
  return isText(block) ? block.text : block.type;
}
