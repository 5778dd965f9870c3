import type { Message, ViewMessage } from '@varve/messages';
import { canFold, FOLD_LEAD, type FoldTextOptions, foldText } from './fold-text.ts';

/** Old rounds that follow each other, and the text that can stand in their place. */
export interface Stretch {
  /** Positions in the view; `end` is behind the last. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly savedTokens: number;
}

export interface StretchOptions {
  readonly afterRequests: number;
  /** How many replies there were when a message was logged. */
  readonly addedAt: (messageId: string) => number;
  /** Something was taken away before a message, with nothing in its place: a span over it could not come back. */
  readonly isBehindGap: (messageId: string) => boolean;
}

export interface StretchSearch extends FoldTextOptions {
  /** Whether a span may end at a message: none does inside of what another span stands for. */
  readonly mayEnd: (messageId: string) => boolean;
  /** Replies so far. */
  readonly requests: number;
  /** Tokens of a message. */
  readonly sizeOf: (message: Message) => number;
}

/** Saving less than this is not worth a message of its own. */
const LEAST_STRETCH_TOKENS = 80;

/** A round of calls with its results, or what the model said without a call. */
interface Unit {
  readonly messages: readonly ViewMessage[];
  readonly isRound: boolean;
  readonly text: string;
  readonly savedTokens: number;
}

/**
 * Units in a row. None starts behind a system message, which an assistant's has to follow. A stretch ends with a round: what was said behind the last one waits for the next.
 */
interface Run {
  readonly start: number;
  readonly texts: string[];
  end: number;
  savedTokens: number;
  waiting: Unit[];
}

/**
 * Finds stretches in a view that grows. What became old since it was asked last is looked at; after an edit all of it is, and what
 * was read of a message stays known.
 */
export function createStretches({ afterRequests, addedAt, isBehindGap }: StretchOptions) {
  let known = new WeakMap<ViewMessage, Unit>();
  /** What was read counts in the sizes of one model. */
  let sizes: StretchSearch['sizeOf'] | undefined;
  let done: Stretch[] = [];
  let savedTokens = 0;
  let run: Run | undefined;
  let position = 0;

  function unitOf(messages: readonly ViewMessage[], search: StretchSearch): Unit | undefined {
    const [first, results] = messages as [ViewMessage, ViewMessage?];
    const found = known.get(first);
    if (found && found.messages[1] === results) return found;
    if (!messages.every((message) => canFold(message, search))) return undefined;
    const text = foldText(messages, search);
    const tokens = messages.reduce((sum, message) => sum + search.sizeOf(message), 0);
    const isRound = results !== undefined;
    const unit = {
      messages,
      isRound,
      text,
      savedTokens: tokens - search.sizeOf(textMessage(text)),
    };
    known.set(first, unit);
    return unit;
  }

  function take(unit: Unit, start: number): void {
    run ??= { start, end: start, texts: [], savedTokens: 0, waiting: [] };
    run.waiting.push(unit);
    if (!unit.isRound) return;
    for (const { text, savedTokens: saved } of run.waiting) {
      if (text !== '') run.texts.push(text);
      run.savedTokens += saved;
    }
    run.waiting = [];
    run.end = start + unit.messages.length;
  }

  function stretchOf({ sizeOf }: StretchSearch): Stretch | undefined {
    if (run === undefined) return undefined;
    const { start, end, texts } = run;
    const saved = run.savedTokens - sizeOf(textMessage(FOLD_LEAD));
    if (end === start || saved < LEAST_STRETCH_TOKENS) return undefined;
    return { start, end, text: [FOLD_LEAD, ...texts].join('\n'), savedTokens: saved };
  }

  function close(search: StretchSearch): void {
    const stretch = stretchOf(search);
    run = undefined;
    if (stretch === undefined) return;
    done.push(stretch);
    savedTokens += stretch.savedTokens;
  }

  function restart(): void {
    [done, savedTokens, run, position] = [[], 0, undefined, 0];
  }

  return {
    /** An edit changed the view. */
    changed: restart,
    find(messages: readonly ViewMessage[], search: StretchSearch) {
      if (search.sizeOf !== sizes) {
        restart();
        known = new WeakMap();
        sizes = search.sizeOf;
      }
      while (position < messages.length) {
        const taken = messages.slice(position, unitEnd(messages, position));
        const newest = taken.at(-1)?.sources.at(-1) ?? '';
        if (search.requests - addedAt(newest) < afterRequests) break;
        if (isBehindGap(taken[0]?.sources[0] ?? '')) close(search);
        const mayStart = run !== undefined || messages[position - 1]?.role !== 'system';
        const [{ role, sources }] = taken as [ViewMessage];
        const isReply = role === 'assistant' && search.mayEnd(sources[0] ?? '');
        const unit = isReply && mayStart ? unitOf(taken, search) : undefined;
        if (unit === undefined) close(search);
        else take(unit, position);
        position += taken.length;
      }
      const open = run === undefined ? 0 : run.savedTokens;
      return {
        /** What all stretches save, or a little more. */
        mostSavedTokens: savedTokens + open,
        stretches(): readonly Stretch[] {
          const last = stretchOf(search);
          return last === undefined ? done : [...done, last];
        },
      };
    },
  };
}

/** A call and its results are never parted. */
function unitEnd(messages: readonly ViewMessage[], start: number): number {
  const calls = messages[start]?.content.some(({ type }) => type === 'tool_use') ?? false;
  return Math.min(messages.length, start + (calls ? 2 : 1));
}

export const textMessage = (text: string): Message => ({
  id: '',
  role: 'user',
  content: [{ type: 'text', text }],
});
