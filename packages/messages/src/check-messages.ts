import { expected, isRecord } from '@varve/guards';
import { refuseForeign } from './foreign-messages.ts';

/**
 * Refuses what is no history at the door of a function that takes one: messages of another library, and those whose content
 * nothing could read, with the place of what is wrong. What may be left out of a block stays left out.
 * Costs a look at each block of a message that was not looked at before. The first `known` were checked in a call before.
 *
 * @throws MessagesError `foreign-messages`
 * @throws TypeError ``Expected `history[3].content[0].text` to be a text, got `undefined` ``
 */
export function checkMessages(messages: readonly unknown[], name = 'history', known = 0): void {
  if (!Array.isArray(messages)) throw expected(name, { what: 'a list of messages' }, messages);
  let from = known;
  while (from < messages.length && sound.has(messages[from])) from++;
  if (from >= messages.length) return;
  refuseForeign(messages, from);
  const odd = messages.findIndex((message, index) => index >= from && !isRecord(message));
  if (odd >= 0) throw expected(`${name}[${odd}]`, { what: 'a message' }, messages[odd]);
  for (let index = from; index < messages.length; index++) {
    const message = messages[index] as { readonly role?: unknown; readonly content?: unknown };
    const { role, content } = message;
    if (role === undefined) throw expected(`${name}[${index}].role`, A_ROLE, role);
    // a system message of Anthropic's beta API may have none
    if (content !== undefined || role !== 'system')
      checkContent(content, `${name}[${index}].content`);
    sound.add(message);
  }
}

// Memory of a pure function: dropping it changes nothing but time.
const sound = new WeakSet<object>();

function checkContent(content: unknown, path: string): void {
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) throw expected(path, A_CONTENT, content);
  for (const [index, block] of content.entries()) checkBlock(block, `${path}[${index}]`);
}

function checkBlock(block: unknown, path: string): void {
  if (!isRecord(block)) throw expected(path, A_BLOCK, block);
  if (block.type === 'text' && typeof block.text !== 'string') {
    throw expected(`${path}.text`, { what: 'a text' }, block.text);
  }
  if (block.type === 'tool_result' && block.content !== undefined) {
    checkContent(block.content, `${path}.content`);
  }
}

const A_CONTENT = { what: 'a text or a list of blocks' };
const A_ROLE = { what: '`user`, `assistant` or `system`' };
const A_BLOCK = { what: 'a block' };
