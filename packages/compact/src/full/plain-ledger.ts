import { createLedger, type Ledger, quotedWords } from '@varve/ledger';
import type { Head, Message } from '@varve/messages';
import { isSummary } from '@varve/messages/persons';
import { summaryBody } from './summary-text.ts';

/**
 * A ledger of a conversation without a log. What head and earlier summaries name is no invention. Of what an earlier summary
 * says, only its lists of the user's words are the user's: the rest is a model's, or a tool's.
 */
export function plainLedger(
  head: Head,
  messages: readonly Message[],
  { redact }: Pick<NonNullable<Parameters<typeof createLedger>[0]>, 'redact'> = {},
): Ledger {
  const ledger = createLedger({ redact });
  ledger.observe({ id: head.id, at: '', type: 'head', head }, { messages: [], changedFrom: 0 });
  const earlier: string[] = [];
  for (const message of messages) {
    if (!isSummary(message)) ledger.add(message);
    else {
      const body = ledger.redact(summaryBody(message));
      earlier.push(body);
      for (const said of saidMessages(message.id, body)) ledger.add(said);
    }
  }
  if (earlier.length === 0) return ledger;
  return {
    ...ledger,
    mentions: (name) => earlier.some((body) => body.includes(name)) || ledger.mentions(name),
  };
}

const saidMessages = (id: string, body: string): Message[] =>
  quotedWords(body).map((text, index) => ({
    id: `${id}-said-${index}`,
    role: 'user',
    content: [{ type: 'text', text }],
  }));
