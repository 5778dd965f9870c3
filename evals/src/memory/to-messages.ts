import type { Block, Message, Origin } from '@varve/messages';
import type { ChainMessage, ChainSession } from './chain.ts';

/** A session of a chain as an agent would hold it: each result behind its call, and what the harness put in by its origin. */
export function messagesOfSession({
  id: session,
  date,
  messages,
}: ChainSession): readonly Message[] {
  const found: Message[] = [];
  const add = (role: 'user' | 'assistant', content: readonly Block[], origin?: Origin) => {
    const at = found.length;
    const createdAt = new Date(Date.parse(`${date}T09:00:00Z`) + at * 60_000).toISOString();
    const id = `session-${session}-${at}`;
    found.push({ id, role, content, createdAt, ...(origin && { origin }) });
  };
  /** A call stands in the assistant's message before it, where there is one that is not answered yet. */
  const addResult = (name: string, input: unknown, text: string) => {
    const call = { type: 'tool_use', id: `call-${session}-${found.length}`, name, input };
    const last = found.at(-1);
    if (last?.role === 'assistant')
      found.splice(-1, 1, { ...last, content: [...last.content, call] });
    else add('assistant', [call]);
    add('user', [{ type: 'tool_result', tool_use_id: call.id, content: text }], { kind: 'tool' });
  };
  const addMessage = (message: ChainMessage) => {
    const text = [{ type: 'text', text: message.text }];
    switch (message.origin) {
      case 'user':
      case 'assistant':
        return add(message.origin, text);
      case 'tool':
        return addResult(message.tool, message.input ?? {}, message.text);
      case 'agent': {
        const input = { subagent_type: message.agent, prompt: message.prompt ?? '' };
        return addResult('Task', input, message.text);
      }
      case 'recalled':
        return add('user', text, { kind: 'reminder', by: 'memory' });
      case 'instruction':
        return add('user', text, { kind: 'reminder', by: 'instructions', path: message.path });
      case 'synthetic':
        return add('user', text, { kind: 'reminder', by: 'harness' });
    }
  };
  for (const message of messages) addMessage(message);
  return found;
}
