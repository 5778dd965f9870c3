import type { TextBlock } from '@varve/messages';
import { delimited } from '../delimited.ts';
import type { Mail } from './mail.ts';

/** Mail as blocks of a user message: each inside a tag that says who wrote it, as data. */
export function mailBlocks(mails: readonly Mail[]): TextBlock[] {
  return mails.map((mail) => ({ type: 'text', text: showMail(mail) }));
}

function showMail({ id, from, body }: Mail): string {
  const [text, more] = contentOf(body);
  return delimited('agent-message', text, { id, from, kind: body.kind, ...more });
}

function contentOf(body: Mail['body']): [text: string, attributes?: Record<string, string>] {
  switch (body.kind) {
    case 'text':
      return [body.text, { summary: body.summary }];
    case 'shutdown-request':
      return [body.reason ?? 'Finish what you are doing, report, and end.'];
    case 'shutdown-response':
      return [body.reason ?? '', { request: body.requestId, accepted: String(body.accepted) }];
    case 'plan-approval-request':
      return [body.plan];
    case 'plan-approval-response':
      return [body.feedback ?? '', { request: body.requestId, approved: String(body.approved) }];
  }
}
