import { type Block, fingerprint, isToolResult, isToolUse, type Message } from '@varve/messages';

export interface WithReminderOptions {
  /**
   * Whether the model takes system messages between turns (`serverFeatures` of `@varve/tokens` has `system-messages`, or
   * it is one of OpenAI's): the reminder is then none of the user's words. @default false
   */
  readonly systemMessages?: boolean | undefined;
  /** Id of the new message. @default derived from the text and the last message, so that equal input gives equal bytes */
  readonly id?: string | undefined;
}

export type WithReminderResult =
  | {
      readonly kind: 'appended';
      readonly messages: readonly Message[];
      readonly role: 'user' | 'system';
    }
  | {
      readonly kind: 'unchanged';
      readonly messages: readonly Message[];
      /** `open-round`: calls wait for results, which have to come first; append them and ask again. */
      readonly reason: 'blank-text' | 'open-round';
    };

/**
 * Injects a reminder without touching anything that was sent before: it is appended, as a system message where the model
 * takes one there (after a user turn), else as a message of the user.
 */
export function withReminder(
  messages: readonly Message[],
  text: string,
  options: WithReminderOptions = {},
): WithReminderResult {
  const { systemMessages = false } = options;
  if (text.trim() === '') return { kind: 'unchanged', messages, reason: 'blank-text' };
  if (hasOpenRound(messages)) return { kind: 'unchanged', messages, reason: 'open-round' };
  const last = messages.at(-1);
  const role = systemMessages && last?.role === 'user' ? 'system' : 'user';
  const { id = reminderId(text, last, messages.length) } = options;
  const reminder: Message = {
    id,
    role,
    content: [{ type: 'text', text }],
    origin: { kind: 'reminder' },
  };
  return { kind: 'appended', messages: [...messages, reminder], role };
}

const reminderId = (text: string, last: Message | undefined, count: number): string =>
  `reminder-${fingerprint(text, fingerprint(`${last?.id} ${count}`))}`;

/** Whether calls of the last assistant message have no result yet; only what follows it is read. */
function hasOpenRound(messages: readonly Message[]): boolean {
  const index = messages.findLastIndex(({ role }) => role === 'assistant');
  const calls = messages[index]?.content.filter(isToolUse) ?? [];
  if (calls.length === 0) return false;
  const after = messages.slice(index + 1).flatMap(({ content }): readonly Block[] => content);
  const answered = new Set(after.filter(isToolResult).map((result) => result.tool_use_id));
  return calls.some(({ id }) => !answered.has(id));
}
