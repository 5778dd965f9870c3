import { recordOf } from '@varve/guards';
import { isToolUse } from '@varve/messages';
import { type ClaudeRecord, contentOf, plainText } from './claude-code-record.ts';
import type { ImportContext } from './context.ts';
import { textOf, wordsOf } from './json.ts';
import { createThread, type ThreadBuilder } from './thread.ts';

export interface ClaudeThread {
  readonly builder: ThreadBuilder;
  /** The message that each record became, by the record's uuid. */
  readonly messages: Map<string, string>;
  /** The message of each result, by the call's id. */
  readonly results: Map<string, string>;
  /** Every record of the thread by its uuid, also those that became no message. */
  readonly known: { has(uuid: string): boolean };
  /** Marks that the agent was started again; marks without a message between them are one. */
  resume(via: 'hook' | 'synthetic-reply' | 'session-id', at: string | undefined): void;
}

/**
 * Tells the main thread from sub-agents: versions 1.0.x write the turns of a sub-agent between those of the main thread
 * (`isSidechain`), each chained to the record before it.
 */
export function createClaudeThreads(context: ImportContext) {
  const byUuid = new Map<string, ClaudeThread>();
  const main = createClaudeThread(context, byUuid);
  const agents: ClaudeThread[] = [];
  const tasks = new Map<string, string[]>();
  let known = false;

  function agentOf(entry: ClaudeRecord): ClaudeThread {
    const parent = byUuid.get(wordsOf(entry.record.parentUuid));
    if (parent !== undefined && parent !== main) return parent;
    const isResult = entry.record.type === 'assistant' || hasResult(entry);
    const newest = agents.at(-1);
    if (isResult && newest !== undefined) return newest;
    const prompt = plainText(contentOf(recordOf(entry.record.message).content));
    const parentCallId = tasks.get(prompt.trim())?.shift();
    const agent = createClaudeThread(context, byUuid, {
      id: `agent-${agents.length + 1}`,
      parentCallId,
    });
    agents.push(agent);
    return agent;
  }

  return {
    main,
    /** The thread a record belongs to; takes note of calls that start a sub-agent and of links to nowhere. */
    of(entry: ClaudeRecord): ClaudeThread {
      const { record, uuid, line } = entry;
      const parent = textOf(record.parentUuid);
      const isLost = parent !== undefined && !byUuid.has(parent);
      const thread = record.isSidechain === true ? agentOf(entry) : main;
      if (isLost && !known) main.builder.markMidSession(entry.at);
      else if (isLost)
        context.problem(
          'broken-link',
          line,
          'the record before this one is missing; file order was used',
        );
      known = true;
      byUuid.set(uuid, thread);
      noteTasks(entry, tasks);
      return thread;
    },
    /** A record that belongs to the tree and to no thread. */
    skip(uuid: string): void {
      byUuid.set(uuid, main);
    },
    all: (): readonly ClaudeThread[] => [main, ...agents],
  };
}

const hasResult = ({ record }: ClaudeRecord): boolean =>
  contentOf(recordOf(record.message).content).some((block) => block.type === 'tool_result');

/** Calls whose input holds a prompt: a sub-agent's first message repeats it word for word. */
function noteTasks({ record }: ClaudeRecord, tasks: Map<string, string[]>): void {
  if (record.type !== 'assistant') return;
  for (const call of contentOf(recordOf(record.message).content).filter(isToolUse)) {
    const prompt = textOf(recordOf(call.input).prompt)?.trim();
    if (prompt === undefined) continue;
    const waiting = tasks.get(prompt);
    if (waiting === undefined) tasks.set(prompt, [call.id]);
    else waiting.push(call.id);
  }
}

function createClaudeThread(
  context: ImportContext,
  known: ClaudeThread['known'],
  agent?: { readonly id: string; readonly parentCallId: string | undefined },
): ClaudeThread {
  const builder = createThread(
    agent === undefined ? { id: 'main', context } : { ...agent, kind: 'sub-agent', context },
  );
  let resumedAfter = -1;
  return {
    builder,
    messages: new Map(),
    results: new Map(),
    known,
    resume(via, at) {
      const count = builder.messageCount();
      if (count === resumedAfter) context.unused('repeated-resume-mark');
      else builder.note({ kind: 'resume', via }, at);
      resumedAfter = count;
    },
  };
}
