import {
  type Block,
  type Head,
  isText,
  isThinking,
  type Message,
  type ProviderProfile,
  type Request,
  stableStringify,
} from '@varve/messages';
import { isPerson } from '@varve/messages/persons';
import type { CachePolicy } from '@varve/prompt-cache';
import { createRequestCheck } from './request-check.ts';
import type { RequestDigests } from './request-digests.ts';

/** What is wrong with a request, whatever it costs. */
export interface Inspection {
  /** Codes of the rules of the provider that it breaks; empty when the request would be accepted. */
  readonly violations: readonly string[];
  /** Its system prompt is not the recorded one, or a recorded tool is not there as it was. */
  readonly systemChanged: boolean;
  /** The newest message that a person wrote does not reach the model as it was written. */
  readonly personLost: boolean;
}

export interface Gates {
  /** Takes the messages of the past in order. */
  add(message: Message): void;
  /** `seen` is what of it reaches the model. @default all of it */
  inspect(request: Request, seen?: Request): Inspection;
  /** Says which request a recorded message answers: thinking in it is bound to that. */
  bind(reply: Message, request: Request): void;
}

export interface GatesOptions {
  readonly head: Head;
  readonly profile: ProviderProfile;
  readonly policy: CachePolicy;
  readonly digests: RequestDigests;
}

/** Creates the checks of one session; nothing was added yet. */
export function createGates({ head, profile, policy, digests }: GatesOptions): Gates {
  const isHeadChanged = createHeadCheck(head);
  const check = createRequestCheck(profile, policy);
  const bindings = createBindings();
  let holds = createHolding();
  return {
    add(message) {
      if (isPerson(message)) holds = createHolding(message);
    },
    inspect(request, seen = request) {
      const codes = check(request);
      const stale = profile.thinking === 'prefix-bound' && hasStale(request, bindings, digests);
      return {
        violations: stale ? [...new Set([...codes, 'stale-thinking'])] : codes,
        systemChanged: isHeadChanged(request.head),
        personLost: !holds(seen.messages),
      };
    },
    bind(reply, request) {
      if (profile.thinking !== 'prefix-bound' || !reply.content.some(isThinking)) return;
      const count = request.messages.length;
      const binding = { count, hash: digests.running(request)[count] as number };
      for (const block of reply.content.filter(isThinking)) bindings.add(block, binding);
    },
  };
}

/** Whether a head lacks what the recorded one holds; a tool more is no change. Each head is looked at once. */
function createHeadCheck({ system, tools }: Head): (head: Head) => boolean {
  const wanted = stableStringify(system);
  const known = new WeakMap<Head, boolean>();
  const look = (head: Head): boolean => {
    if (head.system !== system && stableStringify(head.system) !== wanted) return true;
    if (head.tools === tools) return false;
    const shown = new Set(head.tools.map(stableStringify));
    return tools.some((tool) => !shown.has(stableStringify(tool)));
  };
  return (head) => {
    const isChanged = known.get(head) ?? look(head);
    known.set(head, isChanged);
    return isChanged;
  };
}

/** The prefix a reply was written behind: how many messages, and their running hash. */
interface Binding {
  readonly count: number;
  readonly hash: number;
}

/** Bindings by the bytes of thinking, so that a copy of it is bound as well; the same bytes may be written twice. */
function createBindings() {
  const keys = new WeakMap<Block, string>();
  const known = new Map<string, Binding[]>();
  const keyOf = (block: Block): string => {
    const key = keys.get(block) ?? stableStringify(block);
    keys.set(block, key);
    return key;
  };
  return {
    add(block: Block, binding: Binding): void {
      known.set(keyOf(block), [...(known.get(keyOf(block)) ?? []), binding]);
    },
    of: (block: Block): readonly Binding[] => known.get(keyOf(block)) ?? [],
  };
}

/** Whether thinking stands behind another prefix than any it was written behind. */
function hasStale(
  request: Request,
  bindings: ReturnType<typeof createBindings>,
  digests: RequestDigests,
): boolean {
  const running = digests.running(request);
  return request.messages.some(({ content }) =>
    content.filter(isThinking).some((block) => {
      const found = bindings.of(block);
      return found.length > 0 && found.every(({ count, hash }) => running[count] !== hash);
    }),
  );
}

/**
 * Whether every block of a person's message stands in a request, in whatever message of the user's. What held them in the request
 * before is looked for first.
 */
function createHolding(wanted?: Message): (messages: readonly Message[]) => boolean {
  const blocks = (wanted?.content ?? []).map((block) => ({ isIt: isSame(block), holder: wanted }));
  return (messages) => {
    for (const each of blocks) {
      if (messages.lastIndexOf(each.holder as Message) !== -1) continue;
      const holder = messages.findLast(
        ({ role, content }) => role === 'user' && content.some(each.isIt),
      );
      if (holder === undefined) return false;
      each.holder = holder;
    }
    return true;
  };
}

/** Word for word, also as a quotation in a longer text, such as a summary, where the words can be no others by chance. */
function says(text: string, wanted: string): boolean {
  return text === wanted || (wanted.length >= LEAST_QUOTED && text.includes(wanted));
}

/** Characters; shorter words stand in any text. */
const LEAST_QUOTED = 16;

const isSame =
  (wanted: Block) =>
  (block: Block): boolean => {
    if (block === wanted) return true;
    if (isText(wanted)) return isText(block) && says(block.text, wanted.text);
    return block.type === wanted.type && stableStringify(block) === stableStringify(wanted);
  };
