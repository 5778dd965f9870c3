import { createMailboxes, createMailRouter, mailBlocks } from '@varve/fork-agent/mail';
import { fileMailboxes } from '@varve/fork-agent/node';
import type { MailInput } from './team.ts';

type Boxes = ReturnType<typeof createMailboxes>;
type Inbox = ReturnType<Boxes['open']>;
type Route = Parameters<typeof createMailRouter>[0]['routes'][number];
type Mail = Parameters<Route['deliver']>[0];
type Body = Mail['body'];

export interface PostOptions {
  /** How agents call the conversation that started them. */
  readonly main: string;
  /** Whether other sessions know it by that name. */
  readonly hasName: boolean;
  /** Mailboxes of the sessions of one folder. */
  readonly folder: string;
  readonly sessionId: string;
  /** Has mail for the conversation, as a text for the model. */
  readonly onMail: (text: string) => void;
}

/** Mail between the agents of a session, and with other sessions of the folder (F7). */
export function createPost({ main, hasName, folder, sessionId, onMail }: PostOptions) {
  const boxes = createMailboxes();
  const files = fileMailboxes(folder);
  const conversation: Route = {
    name: 'in-process',
    names: async () => [main],
    async deliver(mail) {
      if (mail.to !== main && mail.to !== 'main') return false;
      onMail(textOf([mail]));
      return true;
    },
  };
  const routes = [boxes, conversation, files];
  const opened = hasName ? files.open(main) : undefined;
  opened?.catch(() => undefined); // said where it is read
  let handedOut: readonly string[] = [];
  let count = 0;

  return {
    async send(from: string, input: MailInput): Promise<string> {
      const own = routes.filter((route) => route !== conversation || from !== main);
      const newId = () => `${sessionId.slice(0, 8)}-${++count}`;
      const router = createMailRouter({ from, routes: own, newId });
      const { id, delivered, failed } = await router.send(input.to, bodyOf(input));
      const [first] = failed;
      if (delivered.length > 0)
        return `Message ${id} was delivered to ${delivered.map(({ to }) => to).join(', ')}.`;
      if (first === undefined) return 'There is nobody to send it to.';
      if (first.reason === 'route-failed')
        throw new Error(`It could not be delivered to ${first.to}: ${first.cause}`);
      const names = (await Promise.all(own.map((route) => route.names()))).flat();
      const known = [...new Set(names)].filter((name) => name !== from);
      throw new Error(`There is no agent ${first.to}. There are: ${known.join(', ') || 'none'}.`);
    },
    /** The inbox of an agent. What is said of its plan is told beside. */
    open(name: string, onPlan: (isApproved: boolean) => void): Inbox {
      const inbox = boxes.open(name);
      return {
        ...inbox,
        async receive() {
          const mails = await inbox.receive();
          for (const { body, from } of mails)
            if (body.kind === 'plan-approval-response' && from === main) onPlan(body.approved);
          return mails;
        },
      };
    },
    /** Mail of other sessions; it is taken out once it is asked for again, as it stands in the log by then. */
    async receive(): Promise<string[]> {
      const inbox = await opened;
      if (inbox === undefined) return [];
      if (handedOut.length > 0) await inbox.acknowledge(handedOut);
      const mails = await inbox.receive();
      handedOut = mails.map(({ id }) => id);
      return mails.map((mail) => textOf([mail]));
    },
    async close(): Promise<void> {
      const inbox = await opened?.catch(() => undefined);
      if (inbox === undefined) return;
      if (handedOut.length > 0) await inbox.acknowledge(handedOut);
      await inbox.close();
    },
  };
}

const textOf = (mails: readonly Mail[]): string =>
  mailBlocks(mails)
    .map(({ text }) => text)
    .join('\n');

function bodyOf({ kind, text, summary, request_id, accept }: MailInput): Body {
  const reason = text === undefined ? {} : { reason: text };
  const answered = () => {
    if (request_id === undefined || accept === undefined)
      throw new Error('An answer needs request_id and accept.');
    return { requestId: request_id, accept };
  };
  switch (kind) {
    case 'text':
      return { kind: 'text', text: text ?? '', summary: summary ?? (text ?? '').slice(0, 80) };
    case 'shutdown':
      return { kind: 'shutdown-request', ...reason };
    case 'shutdown-answer': {
      const { requestId, accept: accepted } = answered();
      return { kind: 'shutdown-response', requestId, accepted, ...reason };
    }
    case 'plan':
      return { kind: 'plan-approval-request', plan: text ?? '' };
    case 'plan-answer': {
      const { requestId, accept: approved } = answered();
      return {
        ...{ kind: 'plan-approval-response', requestId, approved },
        ...(text !== undefined && { feedback: text }),
      } as const;
    }
  }
}
