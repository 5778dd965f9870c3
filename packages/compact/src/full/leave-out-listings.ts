import { type Block, isText, type Message, type Origin } from '@varve/messages';

/**
 * Puts a short text in place of what is announced again after a compaction anyway: lists of skills, tools and agents that the
 * agent put into the conversation. Everything else stays the same object, and so does the list where there is none.
 */
export function leaveOutListings(messages: readonly Message[]): readonly Message[] {
  const left = messages.map((message) => {
    const { origin, content } = message;
    if (origin?.kind !== 'reminder') return message;
    const without = content.map((block) => (isListing(block, origin) ? LEFT_OUT : block));
    return without.some((block, index) => block !== content[index])
      ? { ...message, content: without }
      : message;
  });
  return left.some((message, index) => message !== messages[index]) ? left : messages;
}

const LEFT_OUT: Block = { type: 'text', text: '[A list that is announced again was here.]' };

function isListing(block: Block, { attachment }: Origin): boolean {
  if (!isText(block)) return false;
  return ANNOUNCED.test(block.text) || LISTINGS.has(String(attachment));
}

/** What a restoration announces, and an agent in its reminders. */
const ANNOUNCED = /^(?:<system-reminder>\s*)?<(?:skill-listing|announcement)-*>/;

/** Kinds of attachments in sessions of Claude Code, as `@varve/transcript` imports them. */
const LISTINGS: ReadonlySet<string> = new Set([
  'agent_listing_delta',
  'deferred_tools_delta',
  'mcp_instructions_delta',
  'skill_discovery',
  'skill_listing',
]);
