import { checkOptions, required } from '@varve/guards';
import {
  type Block,
  fingerprint,
  type Message,
  type Role,
  type ToolResultBlock,
} from '@varve/messages';
import { type ChildPrefix, FORK_MARK } from './child-prefix.ts';

/** What every open call of the parent gets in every child: the same bytes, whatever the directive. */
export function placeholderResult(toolUseId: string): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: toolUseId, content: PLACEHOLDER };
}

const PLACEHOLDER = 'Handed to forks of this conversation; its result is not shown here.';

const FRAME = `You are now a fork of the agent above, working for it on one task. Everything so far is yours to use.
- Do the task below and nothing else; the other calls above are taken care of.
- Do not start forks or agents of your own: such calls are refused.
- Nobody can answer questions. Decide, and say what you assumed.
- Your last message is the only thing the agent above will see: findings first, with paths and names.

The task follows.`;

/**
 * The one message that makes a child: placeholders for the open calls, what holds for every child, then the directive as
 * the last block. All but the last are the same bytes in all children. After a system message only another may follow, so
 * there the directive is one.
 */
export function directiveMessage(prefix: ChildPrefix, directive: string, id: string): Message {
  requireDirective(directive);
  const placeholders: Block[] = prefix.openCalls.map(placeholderResult);
  const role: Role = prefix.messages.at(-1)?.role === 'system' ? 'system' : 'user';
  return {
    id: `${id}:directive`,
    role,
    content: [
      ...placeholders,
      { type: 'text', text: FRAME },
      { type: 'text', text: directive.toWellFormed() },
    ],
    origin: { kind: 'reminder', [FORK_MARK]: prefix.messages.at(-1)?.id ?? '' },
  };
}

/** @throws TypeError for a blank one, which no provider takes */
export function requireDirective(directive: string): void {
  checkOptions({ directive }, { directive: required('a text that is not blank') });
}

/** The same parent and directive give the same id. */
export function forkId({ messages }: ChildPrefix, directive: string): string {
  const place = `${messages.at(-1)?.id} ${messages.length}`;
  return `fork-${fingerprint(directive, fingerprint(place)).slice(0, ID_DIGITS)}`;
}

const ID_DIGITS = 16;
