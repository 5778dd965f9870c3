import { MessagesError } from './error.ts';
import { fingerprint } from './fingerprint.ts';
import { renderBytes } from './render.ts';
import { orRefuse, stableStringify } from './stable-json.ts';
import type { Head, Message, RequestStamp, View, ViewMessage } from './types.ts';

type Prefix = Pick<View, 'head' | 'messages'>;

/**
 * The running fingerprint of head and messages after `messageCount` messages, as 32 hexadecimal digits; undefined when
 * the view is shorter. Each message is read once in its life; a view that grew costs only what is new.
 */
export function prefixFingerprint(view: Prefix, messageCount: number): string | undefined {
  const { head, messages } = view;
  if (messageCount > messages.length) return undefined;
  const start = head ? headFingerprint(head) : NO_HEAD;
  const running = runningOf(messages, start);
  for (let index = running.length; index < messageCount; index++) {
    const before = running[index - 1] ?? start;
    running.push(fingerprint(digest(messages[index] as ViewMessage), before));
  }
  return messageCount === 0 ? start : running[messageCount - 1];
}

/**
 * Records which prefix a request carries: the whole view, as it stands now.
 *
 * @param startedAtMs when the request was sent, in milliseconds since 1970.
 * @throws MessagesError `no-head`
 */
export function createRequestStamp(view: View, startedAtMs: number): RequestStamp {
  const { head, messages } = view;
  if (!head)
    throw new MessagesError('no-head', 'A request needs a head; append one to the log first.');
  return {
    headId: head.id,
    messageCount: messages.length,
    fingerprint: prefixFingerprint(view, messages.length) as string,
    startedAtMs,
  };
}

/** Whether the view still starts with exactly the bytes the stamped request carried, head included. */
export function stampHolds(view: Prefix, stamp: RequestStamp): boolean {
  return prefixFingerprint(view, stamp.messageCount) === stamp.fingerprint;
}

/** Model, system, tools and parameters of a head as one fingerprint; its id is not part of it. */
export function headFingerprint(head: Head): string {
  let found = heads.get(head);
  if (found === undefined) {
    const { model, system, tools, params } = head;
    const written = orRefuse(() => JSON.stringify([model, system, tools]));
    found = fingerprint(written + stableStringify(params));
    heads.set(head, found);
  }
  return found;
}

const NO_HEAD = fingerprint('');

/** Fingerprints by how many messages they cover, less one. Lists that only grew share one. */
interface Running {
  start: string;
  fingerprints: string[];
}

// Memory of pure functions: dropping it changes nothing but time.
const heads = new WeakMap<Head, string>();
const digests = new WeakMap<Message, string>();
const runnings = new WeakMap<readonly ViewMessage[], Running>();

function runningOf(messages: readonly ViewMessage[], start: string): string[] {
  let running = runnings.get(messages);
  if (!running) {
    running = { start, fingerprints: [] };
    runnings.set(messages, running);
  }
  if (running.start !== start) {
    running.start = start;
    running.fingerprints = [];
  }
  return running.fingerprints;
}

/** Lets `after` use what is known of `before`, with which it has its first `sameCount` messages in common. */
export function shareRunning(
  before: readonly ViewMessage[],
  after: readonly ViewMessage[],
  sameCount: number,
): void {
  const known = runnings.get(before) ?? { start: '', fingerprints: [] };
  const grown = sameCount === before.length;
  runnings.set(
    after,
    grown ? known : { ...known, fingerprints: known.fingerprints.slice(0, sameCount) },
  );
}

function digest(message: Message): string {
  let found = digests.get(message);
  if (found === undefined) {
    found = fingerprint(renderBytes(message));
    digests.set(message, found);
  }
  return found;
}
