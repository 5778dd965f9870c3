import { ForkError } from '../error.ts';
import type { Mail, MailBody } from './mail.ts';
import type { MailRoute } from './mailbox.ts';
import { mailJson } from './parse-mail.ts';

export interface RouterOptions {
  /** Who sends. */
  readonly from: string;
  /** In the order in which they are tried: the same process, the team, other sessions. */
  readonly routes: readonly MailRoute[];
  /** Gives each mail an id nobody else gives. */
  readonly newId: () => string;
}

/** Which recipients were reached by which route, and which by none. */
export interface SendReport {
  readonly id: string;
  readonly delivered: readonly { readonly to: string; readonly route: string }[];
  /** A route that throws is passed over; what it threw is kept, under `*` where it could not tell whom it reaches. */
  readonly failed: readonly {
    readonly to: string;
    readonly reason: 'unknown-recipient' | 'route-failed';
    readonly cause?: unknown;
  }[];
}

export interface MailRouter {
  /**
   * Sends to one agent, or to `*`: everybody any route reaches, but the sender.
   *
   * @throws ForkError `bad-mail` for text without a summary, for requests to all, and for what is no mail
   */
  send(to: string, body: MailBody): Promise<SendReport>;
}

/** Delivers by the first route that reaches the recipient. */
export function createMailRouter({ from, routes, newId }: RouterOptions): MailRouter {
  return {
    async send(to, body) {
      mailJson({ id: '', from, to, body });
      checkBody(to, body);
      const id = newId();
      const { names, failed }: Recipients =
        to === '*' ? await everybody(routes, from) : { names: [to], failed: [] };
      const outcomes = await Promise.all(
        names.map((each) => deliver({ id, from, to: each, body }, routes)),
      );
      return {
        id,
        delivered: outcomes.flatMap(({ delivered }) => delivered),
        failed: [...failed, ...outcomes.flatMap((each) => each.failed)],
      };
    },
  };
}

function checkBody(to: string, body: MailBody): void {
  if (body.kind === 'text' && (body.text.trim() === '' || body.summary.trim() === '')) {
    throw new ForkError('bad-mail', 'Mail needs a text and a short summary; add what is missing.');
  }
  if (to === '*' && body.kind !== 'text' && body.kind !== 'shutdown-request') {
    throw new ForkError(
      'bad-mail',
      'A request or response about one plan or end goes to one agent; name it.',
    );
  }
}

async function everybody(routes: readonly MailRoute[], from: string): Promise<Recipients> {
  const answers = await Promise.allSettled(routes.map(async (route) => route.names()));
  const names = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  const failed = answers.flatMap((each) =>
    each.status === 'rejected'
      ? [{ to: '*', reason: 'route-failed', cause: each.reason } as const]
      : [],
  );
  return { names: [...new Set(names)].filter((name) => name !== from), failed };
}

interface Recipients {
  readonly names: readonly string[];
  /** Of routes that could not tell. */
  readonly failed: SendReport['failed'];
}

async function deliver(
  mail: Mail,
  routes: readonly MailRoute[],
): Promise<Pick<SendReport, 'delivered' | 'failed'>> {
  const { to } = mail;
  let failure: { readonly cause: unknown } | undefined;
  for (const route of routes) {
    try {
      if (await route.deliver(mail)) return { delivered: [{ to, route: route.name }], failed: [] };
    } catch (cause) {
      failure ??= { cause };
    }
  }
  const reason = failure ? 'route-failed' : 'unknown-recipient';
  return { delivered: [], failed: [{ to, reason, ...failure }] };
}
