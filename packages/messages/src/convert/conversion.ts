import type { MessageLike } from '../like.ts';
import type { Block, Role } from '../types.ts';

/**
 * What a conversion could not carry over:
 * - `block`: the other side has nothing like it
 * - `block-fields`: fields of a block that have no place there
 * - `block-order`: blocks stand in another order now
 * - `call-id`: an id the other side refuses, or has seen in an earlier turn, became another, the same for call and result
 * - `call-input`: an input that will read back as something else
 * - `media`: an image, document or recording became a text that names it
 * - `message`: nothing was left of it
 * - `message-boundary`: it will read back as one message with the one before it
 * - `message-fields`: fields of the message beside role and content
 * - `refusal`: a refusal became text
 * - `result-content`: no content at all became empty text
 * - `result-error`: the mark that a call failed
 * - `result-media`: an image or document in a result became a text that names it
 * - `thinking`: it belongs to the provider that wrote it
 */
export type LossKind =
  | 'block'
  | 'block-fields'
  | 'block-order'
  | 'call-id'
  | 'call-input'
  | 'media'
  | 'message'
  | 'message-boundary'
  | 'message-fields'
  | 'refusal'
  | 'result-content'
  | 'result-error'
  | 'result-media'
  | 'thinking';

/** One thing that was not carried over, by its place in the messages that were given. */
export interface Loss {
  readonly kind: LossKind;
  readonly messageIndex: number;
  /** Position in the message's content (or parts); left out where the message itself is meant. */
  readonly blockIndex?: number;
}

export interface Conversion<T> {
  readonly messages: readonly T[];
  /** In the order of the messages. Empty: converting back gives the same roles and blocks (`is_error: false` aside). */
  readonly losses: readonly Loss[];
}

/** A message as the other formats know it: without id, origin and time, which the caller adds. */
export interface PlainMessage {
  readonly role: Role;
  readonly content: readonly Block[];
}

/** Reports a loss in a message of the group being converted, counted from its first. */
export type Lose = (kind: LossKind, blockIndex?: number, offset?: number) => void;

export interface ConvertContext<In> {
  readonly lose: Lose;
  /** The last message before the group that `isCaller` holds for. */
  readonly caller: In | undefined;
}

export interface ConvertStep<In, Out> {
  /** Where the group that starts at `start` ends, exclusive; groups are converted as one. */
  readonly groupEnd: (messages: readonly In[], start: number) => number;
  /** Whether what follows may depend on a message; left out where nothing does. */
  readonly isCaller?: (message: In) => boolean;
  /** Whether two messages in a row will read back as one. */
  readonly merges?: (message: In, previous: In) => boolean;
  readonly convert: (group: readonly In[], context: ConvertContext<In>) => readonly Out[];
}

interface Remembered<In, Out> {
  readonly group: readonly In[];
  readonly caller: In | undefined;
  readonly messages: readonly Out[];
  readonly losses: readonly Loss[];
  /** Where the group started, for the places of its losses. */
  readonly start: number;
}

/**
 * Runs a conversion group by group and remembers each by reference, so that a history that grew is read only where it
 * is new and yields the same objects for what it shares with the last one.
 */
export function createMemo<In extends object, Out>(
  step: ConvertStep<In, Out>,
): (messages: readonly In[]) => Conversion<Out> {
  const { isCaller = () => false, merges = () => false } = step;
  const known = createGroupMemory<In, Out>();
  return (messages) => {
    const converted: Out[] = [];
    const losses: Loss[] = [];
    let caller: In | undefined;
    for (let start = 0; start < messages.length; ) {
      const end = step.groupEnd(messages, start);
      const span = { start, end, caller };
      const found = known.get(messages, span) ?? known.add(convertGroup(step, messages, span));
      for (const message of found.messages) converted.push(message);
      for (const loss of placed(found, start)) losses.push(loss);
      const previous = messages[start - 1];
      if (previous && merges(messages[start] as In, previous)) {
        losses.push({ kind: 'message-boundary', messageIndex: start });
      }
      caller = found.group.findLast(isCaller) ?? caller;
      start = end;
    }
    return { messages: converted, losses };
  };
}

interface Span<In> {
  readonly start: number;
  readonly end: number;
  readonly caller: In | undefined;
}

/** Groups by their first message; the same message behind another caller is another group. */
function createGroupMemory<In extends object, Out>() {
  const memory = new WeakMap<In, readonly Remembered<In, Out>[]>();
  return {
    get(messages: readonly In[], { start, end, caller }: Span<In>) {
      return memory.get(messages[start] as In)?.find((known) => {
        if (known.caller !== caller || known.group.length !== end - start) return false;
        return known.group.every((message, offset) => message === messages[start + offset]);
      });
    },
    add(found: Remembered<In, Out>): Remembered<In, Out> {
      const first = found.group[0] as In;
      memory.set(first, [found, ...(memory.get(first) ?? [])].slice(0, MOST_REMEMBERED));
      return found;
    },
  };
}

// one for each place where the same message object stands; more only ever come from edits that have since passed
const MOST_REMEMBERED = 16;

function convertGroup<In, Out>(
  step: ConvertStep<In, Out>,
  messages: readonly In[],
  { start, end, caller }: Span<In>,
): Remembered<In, Out> {
  const group = messages.slice(start, end);
  const losses: Loss[] = [];
  const lose: Lose = (kind, blockIndex, offset = 0) =>
    void losses.push({
      kind,
      messageIndex: start + offset,
      ...(blockIndex !== undefined && { blockIndex }),
    });
  const converted = step.convert(group, { lose, caller });
  return { group, caller, messages: converted, losses, start };
}

function placed(
  found: { readonly losses: readonly Loss[]; readonly start: number },
  start: number,
) {
  if (found.start === start) return found.losses;
  const moved = start - found.start;
  return found.losses.map((loss) => ({ ...loss, messageIndex: loss.messageIndex + moved }));
}

/** Converts every message by itself. */
export const oneByOne = (_messages: readonly unknown[], start: number): number => start + 1;

export const isAssistant = (message: MessageLike): boolean => message.role === 'assistant';
