import type { Step } from './sessions.ts';

export interface ClaudeOptions {
  readonly sessionId?: string;
  /** Goes into the ids of its replies; equal in copies, resumes and forks of what they share. */
  readonly replyIds?: (at: number) => string;
  /** Of a sub-agent. */
  readonly agentId?: string;
  readonly model?: string;
  readonly startMs?: number;
}

/** A session as Claude Code writes it, one record a line, each reply with a bill. */
export function claudeLines(steps: readonly Step[], options: ClaudeOptions = {}): string[] {
  const { sessionId = 's', agentId, model = 'claude-opus-4-8', startMs = START_MS } = options;
  const { replyIds = (at) => `msg_${at}` } = options;
  const lines: string[] = [];
  let parentUuid: string | null = null;
  const add = (type: string, message: object): void => {
    const uuid = `${sessionId}-${agentId ?? 'main'}-${lines.length}`;
    const timestamp = new Date(startMs + lines.length * 10_000).toISOString();
    const agent = { isSidechain: agentId !== undefined, ...(agentId && { agentId }) };
    lines.push(JSON.stringify({ type, uuid, parentUuid, sessionId, timestamp, ...agent, message }));
    parentUuid = uuid;
  };
  const reply = (at: number, content: object): void => {
    const usage = { input_tokens: 100 + at, output_tokens: 50, cache_read_input_tokens: 1000 * at };
    const facts = { id: replyIds(at), type: 'message', role: 'assistant', model };
    add('assistant', { ...facts, stop_reason: 'end_turn', usage, content: [content] });
  };
  for (const [at, step] of steps.entries()) {
    if ('user' in step) add('user', { role: 'user', content: step.user });
    else if ('say' in step) reply(at, { type: 'text', text: step.say });
    else {
      const [name, input] = step.call;
      reply(at, { type: 'tool_use', id: `call_${at}`, name, input });
      const result = { type: 'tool_result', tool_use_id: `call_${at}`, content: step.result };
      add('user', { role: 'user', content: [result] });
    }
  }
  return lines;
}

const START_MS = Date.UTC(2026, 5, 1, 9);
