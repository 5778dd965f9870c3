import type { Head, Message } from '@varve/messages';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import { isSummaryMessage, summaryBody } from './summary-text.ts';

/**
 * A ledger of a conversation without a log. What head and earlier summaries say is no invention, and what these quote is
 * not put in the user's mouth.
 */
export function plainLedger(head: Head, messages: readonly Message[]): Ledger {
  const ledger = createLedger();
  ledger.observe({ id: head.id, at: '', type: 'head', head });
  for (const message of messages) {
    ledger.add(isSummaryMessage(message) ? { ...message, origin: { kind: 'summary' } } : message);
  }
  const earlier = messages.filter(isSummaryMessage).map(summaryBody);
  if (earlier.length === 0) return ledger;
  return {
    ...ledger,
    words: () => [...earlier, ...ledger.words()],
    mentions: (name) => earlier.some((body) => body.includes(name)) || ledger.mentions(name),
  };
}
