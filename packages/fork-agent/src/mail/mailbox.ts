import type { Mail } from './mail.ts';
import { mailJson } from './parse-mail.ts';

/** Where the mail of one agent waits. */
export interface Inbox {
  /** Mail that waits, in the order in which it came; it waits until it is acknowledged. */
  receive(): Promise<readonly Mail[]>;
  /** Takes mail out, once what came of it is safe. Unknown ids are fine. */
  acknowledge(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** A way to reach agents. */
export interface MailRoute {
  /** Stands in reports. */
  readonly name: string;
  /** Whom it reaches now. */
  names(): Promise<readonly string[]>;
  /** False where it does not reach the recipient. Throws `bad-mail` for what is no mail. */
  deliver(mail: Mail): Promise<boolean>;
}

/** The agents of one process. */
export interface Mailboxes extends MailRoute {
  /** Opens the inbox of an agent; mail can be sent to it from then on. */
  open(name: string): Inbox;
}

/** Mailboxes in memory, for agents in the same process. */
export function createMailboxes(): Mailboxes {
  const waiting = new Map<string, readonly Mail[]>();
  return {
    name: 'in-process',
    names: async () => [...waiting.keys()],
    async deliver(mail) {
      mailJson(mail);
      const queue = waiting.get(mail.to);
      if (!queue) return false;
      if (!queue.some(({ id }) => id === mail.id)) waiting.set(mail.to, [...queue, mail]);
      return true;
    },
    open(name) {
      if (!waiting.has(name)) waiting.set(name, []);
      return {
        receive: async () => waiting.get(name) ?? [],
        async acknowledge(ids) {
          const left = waiting.get(name)?.filter(({ id }) => !ids.includes(id));
          if (left) waiting.set(name, left);
        },
        close: async () => void waiting.delete(name),
      };
    },
  };
}

/** Hands out what waits, each mail once, and takes the mail before out of the inbox. */
export function drain(
  inbox: Pick<Inbox, 'receive' | 'acknowledge'>,
): () => Promise<readonly Mail[]> {
  let handedOut: readonly string[] = [];
  return async () => {
    // handed out with the round before, so it stands in the child's messages by now
    if (handedOut.length > 0) await inbox.acknowledge(handedOut);
    const mails = await inbox.receive();
    handedOut = mails.map(({ id }) => id);
    return mails;
  };
}
