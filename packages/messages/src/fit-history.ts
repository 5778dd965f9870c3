import { recordOf, textOf } from '@varve/guards';
import { createFreeNames, isPlainId, plainId, plainName, withServerIds } from './call-ids.ts';
import { isEmptyText, isSilentFailure, NO_OUTPUT } from './failed-result.ts';
import { isToolResult, isToolUse } from './guards.ts';
import { field } from './like.ts';
import { mediaFault } from './media-check.ts';
import type { ProviderProfile } from './profiles.ts';
import { createSharedStart } from './shared-start.ts';
import type { Block, Message } from './types.ts';

/** How many blocks of a message went out otherwise than they came. */
export interface FitNews {
  readonly message: Message;
  readonly reason: 'call-ids' | 'failed-results' | 'media';
  readonly count: number;
}

/**
 * Writes a history so that a provider takes ids, names and results that another one made: `call_x|fc_y` becomes an id of
 * letters, digits, `_` and `-`, in the call and in its result; a failed tool that gave no output says so, blank text in a
 * result is left out, and in place of an image or a document that a provider does not take stands a text that says so. The
 * log keeps what came. Ids and names stay where any of the providers takes them: some want their own back.
 *
 * Same history and providers, same messages, whatever was asked in between: one that needs nothing is the same object, and so
 * is each message of it. Each message is read once for providers that want the same, and `onFit` hears of it then; what a
 * history has in common with the one before costs nothing.
 */
export function createHistoryFit(onFit: (news: FitNews) => void = () => undefined) {
  const knownBy = new Map<string, WeakMap<Message, Known>>();
  const renamed = new WeakMap<Message, Names>();
  const sharedWithLast = createSharedStart<Message>();
  let last = NOTHING;
  return (
    messages: readonly Message[],
    profiles: readonly Pick<ProviderProfile, 'callIds' | 'blankText' | 'mediaTypes'>[],
  ): readonly Message[] => {
    const plain = profiles.every(({ callIds }) => callIds === 'plain');
    const filled = profiles.some(({ blankText }) => blankText === 'refused');
    const mediaTypes = profiles.find((profile) => profile.mediaTypes)?.mediaTypes;
    if (!plain && !filled && mediaTypes === undefined) return messages;
    const ways = { plain, filled, mediaTypes };
    const way = `${plain} ${filled} ${mediaTypes ?? '-'}`;
    const known = knownBy.get(way) ?? new WeakMap<Message, Known>();
    knownBy.set(way, known);
    const start = sharedWithLast(messages);
    const before = last.way === way ? last : NOTHING;
    last = NOTHING; // until this one is done
    const shared = before === NOTHING ? 0 : start;
    let firstChanged = before.firstChanged < shared ? before.firstChanged : messages.length;
    let fitted = firstChanged < shared ? before.messages.slice(0, shared) : undefined;
    let names = plain ? namesBefore(messages, shared) : NO_NAMES;
    for (let at = shared; at < messages.length; at++) {
      const message = messages[at] as Message;
      if (plain && message.role === 'assistant') names = namesOf(message);
      const one = fitOnce(message, { ...ways, names }, known);
      if (one !== message && fitted === undefined) {
        firstChanged = at;
        fitted = messages.slice(0, at);
      }
      fitted?.push(one);
    }
    last = { way, messages: fitted ?? messages, firstChanged };
    return last.messages;
  };

  function namesBefore(messages: readonly Message[], end: number): Names {
    for (let at = end - 1; at >= 0; at--) {
      const message = messages[at] as Message;
      if (message.role === 'assistant') return namesOf(message);
    }
    return NO_NAMES;
  }

  /** What the calls of a message are called where they are sent. */
  function namesOf(message: Message): Names {
    let names = renamed.get(message);
    if (names === undefined) {
      const ids = message.content.filter(isToolUse).map(({ id }) => id);
      const free = createFreeNames(ids);
      const odd = [...new Set(ids)].filter((id) => !isPlainId(id));
      names = odd.length === 0 ? NO_NAMES : new Map();
      for (const id of odd) {
        const name = plainId(id, free);
        free.take(name);
        (names as Map<string, string>).set(id, name);
      }
      renamed.set(message, names);
    }
    return names;
  }

  function fitOnce(message: Message, how: How, known: WeakMap<Message, Known>): Message {
    const found = known.get(message);
    if (found?.names === how.names) return found.fitted;
    const fitted = fitMessage(message, how, onFit);
    known.set(message, { names: how.names, fitted });
    return fitted;
  }
}

/** What was made of a message behind calls of these names. */
interface Known {
  readonly names: Names;
  readonly fitted: Message;
}

/** Ids of calls by what stood there. */
type Names = ReadonlyMap<string, string>;

const NO_NAMES: Names = new Map();

/** What was made of a history; from the first message on that is another one, if there is one. */
interface Fitted {
  /** The ways of its providers in one text. */
  readonly way: string;
  readonly messages: readonly Message[];
  readonly firstChanged: number;
}

const NOTHING: Fitted = { way: '', messages: [], firstChanged: 0 };

/** What is done to a whole history. */
interface Ways {
  readonly plain: boolean;
  readonly filled: boolean;
  readonly mediaTypes: readonly string[] | undefined;
}

interface How extends Ways {
  readonly names: Names;
}

function fitMessage(message: Message, how: How, onFit: (news: FitNews) => void): Message {
  const { content } = message;
  // without types a content may be a plain text
  if (!Array.isArray(content)) return message;
  const counts = { 'call-ids': 0, 'failed-results': 0, media: 0 };
  const named = how.plain ? withNames(content, how.names) : content;
  const fitted = named.map((block: Block, at: number) => {
    if (block !== content[at]) counts['call-ids'] += 1;
    const filled = how.filled ? withOutput(block) : block;
    if (filled !== block) counts['failed-results'] += 1;
    const taken = withTakenMedia(filled, how.mediaTypes);
    if (taken !== filled) counts.media += 1;
    return taken;
  });
  for (const reason of ['call-ids', 'failed-results', 'media'] as const) {
    if (counts[reason] > 0) onFit({ message, reason, count: counts[reason] });
  }
  return fitted.every((block: Block, at: number) => block === content[at])
    ? message
    : { ...message, content: fitted };
}

function withNames(content: readonly Block[], names: Names): readonly Block[] {
  const blocks = content.map((block) => {
    if (isToolResult(block)) {
      const free = names.get(block.tool_use_id);
      return free === undefined ? block : { ...block, tool_use_id: free };
    }
    if (!isToolUse(block)) return block;
    const { id, name } = block;
    const [free, plain] = [names.get(id) ?? id, plainName(name)];
    return free === id && plain === name ? block : { ...block, id: free, name: plain };
  });
  return withServerIds(blocks, { plain: true });
}

function withOutput(block: Block): Block {
  if (!isToolResult(block)) return block;
  const { content } = block;
  const kept = Array.isArray(content) ? content.filter((inner) => !isEmptyText(inner)) : content;
  const isSame = !Array.isArray(content) || kept?.length === content.length;
  const trimmed = isSame || kept === undefined ? block : { ...block, content: kept };
  return isSilentFailure(trimmed) ? { ...trimmed, content: NO_OUTPUT } : trimmed;
}

/** In place of media that the provider does not take, in a result too, a text that says so: without it a message may hold nothing. */
function withTakenMedia(block: Block, mediaTypes: readonly string[] | undefined): Block {
  if (mediaTypes === undefined) return block;
  if (mediaFault(block, mediaTypes) !== undefined) return { type: 'text', text: leftOut(block) };
  if (!isToolResult(block) || !Array.isArray(block.content)) return block;
  const content = block.content.map((inner) => withTakenMedia(inner, mediaTypes));
  const isSame = content.every((inner, at) => inner === (block.content as readonly Block[])[at]);
  return isSame ? block : { ...block, content };
}

function leftOut(block: Block): string {
  const mediaType = textOf(recordOf(field(block, 'source')).media_type);
  const what = block.type === 'image' ? 'An image' : 'A document';
  return `[${what}${mediaType && ` of type ${mediaType}`} stood here, which cannot be sent to this model.]`;
}
