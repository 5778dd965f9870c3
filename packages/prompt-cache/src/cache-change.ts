import { stableStringify } from '@varve/messages';
import type { Section } from './policy.ts';
import type { ThreadPrefix } from './thread-prefix.ts';

/** A block of a message. */
export interface BlockPlace {
  readonly messageIndex: number;
  readonly blockIndex: number;
}

/** The first thing in which a request differs from the one before it on its thread. */
export interface PrefixChange {
  readonly cause:
    | 'model-changed'
    | 'params-changed'
    | 'tools-changed'
    | 'system-changed'
    | 'messages-changed'
    /** The first image came in, or the last went: a provider may then read all messages anew, although none of them changed. */
    | 'images-changed'
    /** The same of documents with citations, which may lose the system prompt. */
    | 'citations-changed';
  /** With `messages-changed`: the first block that differs, counted in the new request; with `images-changed` and `citations-changed`: the first message with one. */
  readonly place?: BlockPlace;
  /** With `params-changed`: the parameter, its path joined with dots. */
  readonly param?: string;
}

/** What has to be remembered of a thread before it moves on, so that the change can be named afterwards. */
export interface ThreadBefore
  extends Pick<ThreadPrefix, 'head' | 'headParts' | 'toolsEnd' | 'headEnd'> {
  readonly hadImages: boolean;
  readonly hadCitations: boolean;
}

export function rememberThread(thread: ThreadPrefix): ThreadBefore {
  const { head, headParts, toolsEnd, headEnd, images, citations } = thread;
  const had = { hadImages: hasAny(images), hadCitations: hasAny(citations) };
  return { head, headParts, toolsEnd, headEnd, ...had };
}

const hasAny = (counts: readonly number[]): boolean => (counts.at(-1) ?? 0) > 0;

/** Undefined where everything the request before had is still there: something was only added. */
export function changeSince(before: ThreadBefore, thread: ThreadPrefix): PrefixChange | undefined {
  const { shared, previousLength } = thread.columns;
  if (!before.head || shared >= previousLength) return undefined;
  if (before.head.model !== thread.head?.model) return { cause: 'model-changed' };
  const param = (section: Section) => changedParam(before, thread, section);
  const toolsParam = param('tools');
  if (toolsParam) return toolsParam;
  if (shared < Math.max(before.toolsEnd, thread.toolsEnd)) return { cause: 'tools-changed' };
  if (before.headParts?.serverTools !== thread.headParts?.serverTools) {
    return { cause: 'tools-changed' };
  }
  const systemParam = param('system');
  if (systemParam) return systemParam;
  const systemEnd = Math.max(before.headEnd, thread.headEnd) - 1;
  if (shared > thread.toolsEnd && shared < systemEnd) return { cause: 'system-changed' };
  const messagesParam = param('messages');
  if (messagesParam) return messagesParam;
  const place = placeOf(shared, thread);
  return {
    cause: shared < thread.headEnd ? causeInHead(before, thread) : 'messages-changed',
    place,
  };
}

/** A difference before the messages that nothing in the head explains. */
function causeInHead(before: ThreadBefore, { images, citations }: ThreadPrefix) {
  if (before.hadCitations !== hasAny(citations)) return 'citations-changed';
  return before.hadImages === hasAny(images) ? 'messages-changed' : 'images-changed';
}

function changedParam(
  before: ThreadBefore,
  thread: ThreadPrefix,
  section: Section,
): PrefixChange | undefined {
  const old = before.headParts?.params[section] ?? {};
  const young = thread.headParts?.params[section] ?? {};
  const names = [...Object.keys(old), ...Object.keys(young)];
  const param = names.find((name) => stableStringify(old[name]) !== stableStringify(young[name]));
  return param === undefined ? undefined : { cause: 'params-changed', param };
}

/** A difference before the messages that nothing in the head explains comes from an image or citations among them. */
function placeOf(position: number, thread: ThreadPrefix): BlockPlace {
  if (position < thread.headEnd) {
    const isMarked = (counts: readonly number[]) => counts.findIndex((count) => count > 0);
    const found = [isMarked(thread.images), isMarked(thread.citations)].filter((at) => at >= 0);
    return { messageIndex: found.length > 0 ? Math.min(...found) : 0, blockIndex: 0 };
  }
  let messageIndex = thread.ends.length;
  while (messageIndex > 0 && (thread.ends[messageIndex - 1] as number) > position) messageIndex--;
  const start = thread.ends[messageIndex - 1] ?? thread.headEnd;
  return { messageIndex, blockIndex: position - start };
}
