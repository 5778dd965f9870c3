import { compact, SUMMARY_PROMPT_VERSION } from '@varve/compact';
import { fingerprint, type Message, type Request, stableStringify } from '@varve/messages';
import { EvalsError } from '../../error.ts';
import type { SessionPlan } from '../../replay/session-plan.ts';
import type { LeftAfter } from '../recorded-compactions.ts';
import type { RecordedSummary } from '../recorded-summaries.ts';
import { summariesIn } from '../summaries-in.ts';

/** Names a request for a summary: another head, message or instruction gives another name. */
export const requestName = ({ head, messages }: Pick<Request, 'head' | 'messages'>): string =>
  fingerprint(stableStringify({ head, messages } as never));

/** The request for a summary of everything before a message, and a recording that still lacks the answer. */
export async function summaryRequest(
  { recording }: SessionPlan,
  { session, messageIndex }: Pick<RecordedSummary, 'session' | 'messageIndex'>,
): Promise<{ readonly request: Request; readonly unanswered: RecordedSummary }> {
  const past = recording.history.slice(0, messageIndex);
  let asked: Request | undefined;
  const summarize = (request: Request) => {
    asked ??= request;
    return Promise.reject(new Error('There is no model here.'));
  };
  await compact<Message>(past, { ...AT_ONCE, head: recording.head, summarize });
  if (asked === undefined) {
    throw new EvalsError('bad-arguments', `${session} has nothing to summarise there.`);
  }
  const version = 1;
  const names = { version, session, messageIndex, prompt: SUMMARY_PROMPT_VERSION } as const;
  return { request: asked, unanswered: { ...names, request: requestName(asked), text: '' } };
}

const AT_ONCE = { wait: () => Promise.resolve(), fallback: 'none' } as const;

/**
 * What `compact` makes of a session with a recorded answer of a model, checked and repaired; and the same answer as it was
 * written. Throws `stale-recording` where the product would ask for something else now.
 */
export async function compactAnswered(
  { recording }: SessionPlan,
  { session, messageIndex, prompt, request: recorded, text }: RecordedSummary,
): Promise<readonly LeftAfter[]> {
  const past = recording.history.slice(0, messageIndex);
  const isStale = (request: Request): boolean =>
    prompt !== SUMMARY_PROMPT_VERSION || requestName(request) !== recorded;
  let stale = false;
  const result = await compact<Message>(past, {
    head: recording.head,
    ...AT_ONCE,
    summarize: async (request) => {
      stale ||= isStale(request);
      return { content: [{ type: 'text', text }], stopReason: 'end_turn' };
    },
  });
  if (stale || result.kind === 'failed') {
    const words = `The recorded summary of ${session} before message ${messageIndex} answers another request than is made now. Record it again.`;
    throw new EvalsError('stale-recording', words);
  }
  const plain = withSummary(result.messages, text.replace(SCRATCHPAD, '').replace(TAGS, '').trim());
  return [
    { name: 'full-compact', messages: result.messages, synthesised: summariesIn(result.messages) },
    { name: 'summary unchecked', messages: plain, synthesised: summariesIn(plain) },
  ];
}

const SCRATCHPAD = /<scratchpad>[\s\S]*?<\/scratchpad>/;
const TAGS = /<\/?summary>/g;

const withSummary = (messages: readonly Message[], text: string): readonly Message[] =>
  messages.map((message) =>
    message.origin?.kind === 'summary'
      ? { ...message, content: [{ type: 'text', text }] }
      : message,
  );
