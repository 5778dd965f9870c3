import { textOf as textIn } from '@varve/guards';
import { isToolResult, isToolUse, type Message, type View } from '@varve/messages';
import { isPerson } from '@varve/messages/persons';
import type { AgentEvent } from '../events.ts';
import { textOf } from '../loop.ts';
import { saidIn } from '../said.ts';
import type { ToolOutput } from '../tools/tool.ts';
import { changedLines } from './change.ts';
import { oneLine } from './clean.ts';
import {
  createRetryLines,
  describeCall,
  describeDream,
  describeLayer,
  endOfCall,
  MARKS,
} from './describe.ts';
import type { Face } from './face.ts';

/** Shows what the agent does. */
export interface Follower {
  event(event: AgentEvent): void;
  /** The person stopped it: what ran has no end of its own. */
  stopped(): void;
}

/** Shows on a face what the agent does. */
export function follow(face: Face): Follower {
  const running = new Map<string, string>();
  const changes = new Map<string, string[]>();
  const retryLine = createRetryLines();
  const working = () => face.working([...running.values()].join(' · ') || 'thinking');
  const nameOf = (id: string) => (running.get(id) ?? '').split(' ▸ ')[0];
  const onEvent: Follower['event'] = (event) => {
    switch (event.kind) {
      case 'text-delta':
        return face.stream(event.text, 'answer');
      case 'thinking-delta':
        return face.stream(event.text, 'thinking');
      case 'reply':
        running.clear(); // an aborted call has no end
        return face.endStream();
      case 'call-start':
        running.set(event.call.id, describeCall(event.call));
        return working();
      case 'call-output': {
        const line = event.text.trimEnd().split('\n').at(-1) ?? '';
        if (line.trim() !== '') running.set(event.id, `${nameOf(event.id)} ▸ ${oneLine(line, 60)}`);
        return working();
      }
      case 'call-end': {
        const { call, output, durationMs } = event;
        running.delete(call.id);
        working();
        showEnd(face, call, output, durationMs);
        if (output.isError) return undefined;
        const change = changes.get(call.id)?.map((line) => `    ${line}`);
        if (change !== undefined) face.show(change.join('\n'), 'note');
        changes.delete(call.id);
        return undefined;
      }
      case 'call-refused':
        return face.show(`⊘ ${describeCall(event.call)} · ${oneLine(event.reason)}`, 'warning');
      case 'task-start': {
        const { id, what, isBackground } = event.task;
        if (!isBackground) return working();
        return face.show(`◦ ${id} · ${oneLine(what)} · in the background`, 'call');
      }
      case 'task-progress': {
        const { id, callId, progress, kind } = event.task;
        if (kind === 'agent' && running.has(callId))
          running.set(callId, `${id} ▸ ${oneLine(progress, 60)}`);
        return working();
      }
      case 'task-end': {
        const { id, what, state, isBackground } = event.task;
        if (!isBackground) return undefined;
        return face.show(
          `◦ ${id} · ${oneLine(what)} · ${state}`,
          state === 'failed' ? 'failure' : 'call',
        );
      }
      case 'agent-event': {
        const { agent, callId, event: inner } = event;
        if (inner.kind !== 'call-start' || !running.has(callId)) return undefined;
        running.set(callId, `${agent} ▸ ${describeCall(inner.call)}`);
        return working();
      }
      case 'todos':
        return face.show(
          event.todos.map((each) => `${MARKS[each.status]} ${oneLine(each.content)}`).join('\n'),
          'call',
        );
      case 'retry':
        return face.show(retryLine(event), 'warning');
      case 'notice':
        return face.show(event.text, event.level === 'warning' ? 'warning' : 'note');
      case 'layer': {
        const text = describeLayer(event.event);
        return text === undefined ? undefined : face.show(`· ${text}`, 'note');
      }
      case 'dream': {
        const text = describeDream(event.event);
        return text === undefined ? undefined : face.show(`· ${text}`, 'note');
      }
      case 'notes':
        return event.event.kind === 'extracted' ? face.show('· notes: taken', 'note') : undefined;
      case 'hook':
      case 'summary-attempt':
      case 'session':
      case 'results':
        return undefined;
      case 'call-change': {
        const lines = changedLines(event.before ?? '', event.after);
        if (lines.length > 0) changes.set(event.id, lines);
        return undefined;
      }
    }
  };
  return {
    event: onEvent,
    stopped() {
      for (const id of running.keys()) face.show(`✗ ${nameOf(id)} · stopped`, 'failure');
      running.clear();
    },
  };
}

/** Messages of a session that is gone on with, shown again. */
const MOST_SHOWN = 40;

export function showEarlier(face: Face, { messages }: View): void {
  const shown = messages.slice(-MOST_SHOWN);
  if (shown.length < messages.length)
    face.show(`(${messages.length - shown.length} earlier messages)`, 'note');
  if (messages.some(({ origin }) => origin?.kind === 'summary'))
    face.show('(what was said before stands in a summary; /transcript shows it)', 'note');
  showMessages(face, shown);
}

/** Messages as they were shown when they came, each call with how it ended. */
export function showMessages(face: Face, messages: readonly Message[]): void {
  const results = new Map(messages.flatMap(resultsIn));
  for (const message of messages) {
    if (isPerson(message)) {
      const said = saidIn(message);
      if (said !== '') face.show(`\n> ${said}\n`, 'person');
    }
    if (message.role !== 'assistant') continue;
    const text = textOf(message).trim();
    if (text !== '') face.show(text, 'answer');
    for (const call of message.content) {
      if (!isToolUse(call)) continue;
      const result = results.get(call.id);
      if (result === undefined) face.show(`· ${describeCall(call)}`, 'call');
      else showEnd(face, call, result);
    }
  }
}

/** What calls gave; of one that gave nothing why. */
const resultsIn = ({ content, origin }: Message): (readonly [string, ToolOutput])[] =>
  content.flatMap((block) => {
    if (!isToolResult(block)) return [];
    const why = origin?.kind === 'synthetic' ? textIn(origin.reason) : '';
    return [
      [block.tool_use_id, { content: why || (block.content ?? ''), isError: block.is_error }],
    ];
  });

function showEnd(face: Face, ...call: Parameters<typeof endOfCall>): void {
  const { text, tone, last } = endOfCall(...call);
  face.show(text, tone);
  if (last.length > 0) face.show(last.map((line) => `    ${line}`).join('\n'), 'note');
}
