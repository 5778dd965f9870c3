import { MessagesError } from './error.ts';
import { isThinking, isToolResult, toolUses } from './guards.ts';
import type { Block, Message, ToolResultBlock, ViewMessage } from './types.ts';

/** Anything that counts only while it has not been undone. */
export interface Undoable {
  live: boolean;
}

/** A message of the log with everything that was put in place of its blocks, in log order. */
export interface Logged<Owner extends Undoable = Undoable> {
  readonly message: Message;
  /** The entry that brought it. */
  readonly entryId: string;
  /** The edit that brought it, if it is not an entry of its own. */
  readonly owner?: Owner | undefined;
  readonly replacements: { readonly by: Undoable; readonly index: number; block: Block | null }[];
  /** Set once the message is in the view or could be: not while its round is open. */
  group?: Group<Owner>;
}

/** What stays together in the view: one message, or a round of calls with their results. */
export interface Group<Owner extends Undoable = Undoable> {
  /** In log order; more than one only in a round, whose first is the assistant message. */
  readonly members: readonly Logged<Owner>[];
  readonly callIds: readonly string[];
  readonly owner?: Owner | undefined;
  /** Position among all groups, in the order of the view; -1 in a message that stands for a span. */
  place: number;
  view: readonly ViewMessage[];
}

export function createGroup<Owner extends Undoable>(
  members: readonly Logged<Owner>[],
): Group<Owner> {
  const [first, ...results] = members as [Logged<Owner>, ...Logged<Owner>[]];
  const callIds = toolUses(first.message).map((call) => call.id);
  const view = [renderMessage(first)];
  if (results.length > 0) view.push(renderResults(callIds, results));
  const group: Group<Owner> = { members, callIds, owner: first.owner, place: -1, view };
  for (const member of members) member.group = group;
  return group;
}

/** The messages of a group after something of `logged` was replaced; the other message stays the same object. */
export function renderAgain({ members, callIds, view }: Group, logged: Logged): ViewMessage[] {
  const isFirst = members[0] === logged;
  return isFirst
    ? view.with(0, renderMessage(logged))
    : view.with(1, renderResults(callIds, members.slice(1)));
}

export function renderMessage(logged: Logged): ViewMessage {
  const { message } = logged;
  return { ...message, content: currentContent(logged), sources: [message.id] };
}

/** The blocks of a message after all live replacements; the logged list itself where there are none. */
export function currentContent({ message, replacements }: Logged): readonly Block[] {
  if (replacements.length === 0) return message.content;
  const live = new Map<number, Block | null>();
  for (const { by, index, block } of replacements) if (by.live) live.set(index, block);
  if (live.size === 0) return message.content;
  const content = message.content.flatMap((block, index) => {
    const replacement = live.get(index);
    return replacement === null ? [] : [replacement ?? block];
  });
  checkEnd(content, message);
  return content;
}

function checkEnd(content: readonly Block[], message: Message): void {
  const last = content.at(-1);
  if (last === undefined) {
    throw new MessagesError('empty-content', `The edit leaves message ${message.id} no content.`);
  }
  const before = message.content.at(-1) as Block;
  if (isThinking(last) && !isThinking(before)) {
    throw new MessagesError(
      'trailing-thinking',
      `The edit leaves message ${message.id} ending in thinking; drop the thinking as well.`,
    );
  }
}

function renderResults(callIds: readonly string[], members: readonly Logged[]): ViewMessage {
  const first = (members[0] as Logged).message;
  const sources = members.map(({ message }) => message.id);
  if (members.length === 1) {
    const current = currentContent(members[0] as Logged);
    return { ...first, content: resultsFirst(callIds, current), sources };
  }
  const createdAt = members.findLast(({ message }) => message.createdAt)?.message.createdAt;
  return {
    id: first.id,
    role: 'user',
    content: resultsFirst(callIds, members.flatMap(currentContent)),
    origin: { kind: 'tool' },
    ...(createdAt !== undefined && { createdAt }),
    sources,
  };
}

/** Results in the order of the calls, then the rest; the same list where it is so already. */
function resultsFirst(callIds: readonly string[], content: readonly Block[]): readonly Block[] {
  if (content.length === 1) return content;
  const { results, rest } = splitResults(callIds, content);
  const ordered: Block[] = [...results, ...rest];
  return ordered.every((block, index) => block === content[index]) ? content : ordered;
}

/** The results of `content` in the order of the calls, and every other block in its own order. */
export function splitResults(
  callIds: readonly string[],
  content: readonly Block[],
): { readonly results: readonly ToolResultBlock[]; readonly rest: readonly Block[] } {
  if (content.length === 0) return { results: [], rest: [] };
  const byCall = new Map<string, ToolResultBlock>();
  for (const block of content) if (isToolResult(block)) byCall.set(block.tool_use_id, block);
  return {
    results: callIds.flatMap((id) => byCall.get(id) ?? []),
    rest: content.filter((block) => !isToolResult(block)),
  };
}
