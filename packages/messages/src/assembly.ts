import { MessagesError } from './error.ts';
import {
  createGroup,
  currentContent,
  type Group,
  type Logged,
  renderMessage,
  splitResults,
  type Undoable,
} from './group.ts';
import { toolResults, toolUses } from './guards.ts';
import type { Message, OpenRound } from './types.ts';

/** Calls that wait for results, and what arrived meanwhile. */
interface Round<Owner extends Undoable> {
  readonly assistant: Logged<Owner>;
  readonly callIds: readonly string[];
  readonly waiting: Set<string>;
  readonly results: Logged<Owner>[];
  readonly queued: Logged<Owner>[];
}

export interface Assembly<Owner extends Undoable> {
  /** Throws when the message may not come next; changes nothing. */
  check(message: Message): void;
  /** Takes a checked message and hands out what became complete with it, in the order of the view. */
  add(logged: Logged<Owner>): readonly Group<Owner>[];
  /** The round that waits for results. */
  open(): OpenRound | undefined;
}

/**
 * Puts messages together into groups: calls are matched with results within their own round, so an id may be used again
 * in a later one.
 */
export function createAssembly<Owner extends Undoable>(): Assembly<Owner> {
  let round: Round<Owner> | undefined;
  return {
    check: (message) => checkNext(message, round),
    add(logged) {
      if (!round) {
        round = openRound(logged);
        return round ? [] : [createGroup([logged])];
      }
      collect(round, logged);
      if (round.waiting.size > 0) return [];
      const { assistant, results, queued } = round;
      round = undefined;
      return [
        createGroup([assistant, ...results]),
        ...queued.map((waiting) => createGroup([waiting])),
      ];
    },
    open: () => round && toOpenRound(round),
  };
}

function checkNext(message: Message, round: Round<Undoable> | undefined): void {
  if (round && message.role === 'assistant') {
    throw new MessagesError(
      'round-open',
      `Message ${message.id} cannot follow calls that wait for results; close the round first.`,
    );
  }
  const seen = new Set<string>();
  for (const { tool_use_id: id } of toolResults(message)) {
    if (!round?.callIds.includes(id)) {
      throw new MessagesError(
        'orphan-result',
        `A result of message ${message.id} answers no open call.`,
      );
    }
    if (seen.has(id) || !round.waiting.has(id)) {
      throw new MessagesError(
        'duplicate-result',
        `A result of message ${message.id} answers a call again.`,
      );
    }
    seen.add(id);
  }
}

function openRound<Owner extends Undoable>(assistant: Logged<Owner>): Round<Owner> | undefined {
  const callIds = toolUses(assistant.message).map((call) => call.id);
  if (callIds.length === 0) return undefined;
  return { assistant, callIds, waiting: new Set(callIds), results: [], queued: [] };
}

function collect<Owner extends Undoable>(round: Round<Owner>, logged: Logged<Owner>): void {
  const results = toolResults(logged.message);
  if (results.length === 0) round.queued.push(logged);
  else round.results.push(logged);
  for (const result of results) round.waiting.delete(result.tool_use_id);
}

function toOpenRound(round: Round<Undoable>): OpenRound {
  const content = round.results.flatMap(currentContent);
  return {
    assistant: renderMessage(round.assistant),
    ...splitResults(round.callIds, content),
    waiting: round.callIds.filter((id) => round.waiting.has(id)),
    queued: round.queued.map(renderMessage),
  };
}
