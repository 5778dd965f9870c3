import { checkOptions as check, expected, required } from '@varve/guards';
import {
  checkHistory,
  createProjection,
  type Edit,
  type EntryBody,
  isThinking,
  type JsonObject,
  type Message,
  MessagesError,
  type ProviderProfile,
  type ThinkingRule,
  type View,
} from '@varve/messages';
import { syntheticResult } from '@varve/messages/fit';
import { writtenForm } from '@varve/messages/log';
import { thinkingDrops } from '@varve/messages/thinking';
import type { CleanUpOccasion } from './clean-up.ts';
import { ContextError } from './error.ts';
import type { Tell } from './event.ts';
import type { Keeper } from './keeper.ts';
import type { ModelFacts } from './model-facts.ts';
import type { CallOptions } from './options.ts';

export interface EditOptions extends CallOptions {
  /** Who edits: it stands in the log, in events and in the reason of the cache break. */
  readonly by: string;
  /** Kebab-case. */
  readonly reason: string;
  /** Stands in the log beside the edits: what was dropped, kept and freed. */
  readonly receipt?: JsonObject | undefined;
}

export interface UndoOptions extends CallOptions {
  /** @default 'context' */
  readonly by?: string | undefined;
  /** @default 'undo' */
  readonly reason?: string | undefined;
}

/** What an edit became. */
export interface EditOutcome {
  /** Ids of the entries, for `undo`. */
  readonly entryIds: readonly string[];
  /** Index of the first message of the view that changed. */
  readonly changedFrom: number;
}

export interface EditingOptions {
  readonly keeper: Keeper;
  readonly facts: () => ModelFacts;
  readonly at: () => string;
  readonly tell: Tell;
  /** Makes the edits without which the provider would refuse the next request. */
  readonly makeSendable: () => void;
  readonly cleanUp: (occasion: CleanUpOccasion, signal?: AbortSignal) => Promise<void>;
  readonly thread: () => 'main' | 'sub-agent';
}

type EditBody = Extract<EntryBody, { readonly type: 'edit' }>;

/** Edits that a caller makes by hand: rewinding, snipping, undoing. */
export function createEditing(options: EditingOptions) {
  const { keeper, at, tell, makeSendable, cleanUp, thread } = options;
  const { layered } = keeper;

  async function edit(edits: readonly Edit[], given: EditOptions): Promise<EditOutcome> {
    checkEditing(edits, given);
    const { by, reason, receipt, signal } = given;
    signal?.throwIfAborted();
    const bodies = edits.map(
      (each): EditBody => ({ type: 'edit', by, reason, ...(receipt && { receipt }), edit: each }),
    );
    const time = at();
    refuseUnfit(bodies, time, options);
    const entryIds: string[] = [];
    let changedFrom = layered.view().messages.length;
    for (const body of bodies) {
      entryIds.push(layered.nextId(body.type));
      changedFrom = Math.min(changedFrom, keeper.append(body, time).changedFrom);
    }
    tell({ layer: by, kind: 'edited', reason, entryIds, changedFrom });
    makeSendable();
    await keeper.write();
    if (edits.some(({ kind }) => kind === 'replace-span')) {
      const tokensAfter = keeper.meter.size().tokens;
      await cleanUp({ by, reason, thread: thread(), restoredFiles: [], tokensAfter }, signal);
    }
    return { entryIds, changedFrom };
  }

  return {
    edit,
    undo(entryId: string, given: UndoOptions): Promise<EditOutcome> {
      const { by = 'context', reason = 'undo', signal } = given;
      return edit([{ kind: 'undo', entryId }], { by, reason, signal });
    },
  };
}

function checkEditing(edits: readonly Edit[], given: EditOptions): void {
  if (!Array.isArray(edits) || edits.length === 0) {
    throw expected('edits', { what: 'a list of edits that is not empty' }, edits);
  }
  check(given, {
    by: required('a text that is not blank'),
    reason: required('a text that is not blank'),
  });
}

/** Tries the edits on a copy of the log, which reads all of it; throws `edit-refused` for what may not stand in it. */
function refuseUnfit(
  bodies: readonly EditBody[],
  at: string,
  { keeper, facts }: Pick<EditingOptions, 'keeper' | 'facts'>,
): void {
  const before = keeper.layered.view();
  const projection = createProjection();
  for (const entry of keeper.entries) projection.append(entry);
  const { model, profiles } = facts();
  let after = before;
  try {
    for (const [index, body] of bodies.entries()) {
      after = projection.append(writtenForm({ id: `trial-${index}-${at}`, at, ...body }));
    }
  } catch (cause) {
    if (!MessagesError.is(cause)) throw cause;
    throw new ContextError('edit-refused', `${NOTHING_CHANGED} ${cause.message}`, { cause });
  }
  if (altersLoop(before, after, model.thinking)) {
    throw new ContextError('edit-refused', `${NOTHING_CHANGED} ${OPEN_LOOP}`);
  }
  const known = new Set(profiles.flatMap((profile) => refusals(before, profile)));
  for (const each of profiles.flatMap((profile) => refusals(after, profile))) {
    if (!known.has(each)) throw new ContextError('edit-refused', `${NOTHING_CHANGED} ${each}`);
  }
}

const NOTHING_CHANGED = 'The edit was refused, and nothing has changed.';
const OPEN_LOOP =
  'It would take thinking out of the tool loop that is under way, which the model wants back as it is; edit once the turn is over.';

/** What a provider would refuse, each named with its message. */
function refusals(view: View, profile: ProviderProfile): string[] {
  const messages = withOpenRound(view);
  return checkHistory(messages, profile).map(
    ({ code, text, messageIndex = 0 }) =>
      `${profile.name}: ${code} in message ${messages[messageIndex]?.id}. ${text}`,
  );
}

/** The messages as they will be sent once the open round has its results. */
function withOpenRound({ messages, open }: View): readonly Message[] {
  if (open === undefined) return messages;
  const { assistant, results, waiting, rest, queued } = open;
  const content = [...results, ...waiting.map(syntheticResult), ...rest];
  return [...messages, assistant, { id: 'open', role: 'user', content }, ...queued];
}

/** Whether a message of the tool loop that is under way lost some of its thinking; without the whole message it is another loop. */
function altersLoop(before: View, after: View, rule: ThinkingRule): boolean {
  const now = new Map(withOpenRound(after).map((message) => [message.id, message]));
  const messages = withOpenRound(before);
  return thinkingDrops(messages, { rule }).keep.some((index) => {
    const message = messages[index] as Message;
    const left = now.get(message.id);
    return left !== undefined && thoughtsOf(left) < thoughtsOf(message);
  });
}

const thoughtsOf = ({ content }: Message): number => content.filter(isThinking).length;
