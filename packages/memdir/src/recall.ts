import { checkOptions, expected, integer, number, withinTime } from '@varve/guards';
import { newerFirst, repeatsAmong, unlikeFirst } from './alike.ts';
import { checkRecall } from './check-calls.ts';
import { MemdirError } from './error.ts';
import type { MemoryFolder } from './folder.ts';
import { ageInDays, ageText } from './freshness.ts';
import type { MemoryType } from './header.ts';
import { type Library, type LibraryItem, scopedName } from './library.ts';
import type { MemoryFile } from './memory-file.ts';
import { type Ranked, rank } from './rank.ts';
import { showMemory } from './show.ts';
import { turnKind } from './turn.ts';

/** A memory that a model may choose. */
export interface Candidate extends Pick<MemoryFile, 'path' | 'name' | 'description' | 'type'> {
  /** `today`, `yesterday`, `12 days ago`, `age not known`. */
  readonly age: string;
}

export interface SelectQuery {
  readonly turn: string;
  /** What was found by words, then the newest others. */
  readonly candidates: readonly Candidate[];
  /** Tools that were used just now: notes on their use are no news. */
  readonly recentTools: readonly string[];
  readonly maxFiles: number;
}

/** Asks a small model which memories a turn needs, and answers with paths of candidates; none is fine. */
export type SelectMemories = (
  query: SelectQuery,
  call: { readonly signal: AbortSignal },
) => Promise<readonly string[]>;

export interface RecallOptions {
  /** @default words alone */
  readonly select?: SelectMemories | undefined;
  /**
   * How long `select` may take, in ms; then what was found by words stands. The folder has as long, and never less than the default:
   * one that does not answer is `not-read`.
   * @default 1_500
   */
  readonly budgetMs?: number | undefined;
  /** @default 5 */
  readonly maxFiles?: number | undefined;
  /** Of a memory as it is shown, age and path included. @default 4_096 */
  readonly maxBytes?: number | undefined;
  /** @default 200 */
  readonly maxLines?: number | undefined;
  /** Of all memories of a session. @default 61_440 */
  readonly sessionBytes?: number | undefined;
  /** How many different words of the turn a memory has to hold, unless its name holds one. @default 2 */
  readonly minWords?: number | undefined;
  /** And to reach this share of the best score. @default 0.4 */
  readonly minShare?: number | undefined;
}

export interface RecallCall {
  readonly signal?: AbortSignal | undefined;
  /** Tools that were used just now, for `select`. */
  readonly recentTools?: readonly string[] | undefined;
  /**
   * Takes what was found by words at once, before `select` is asked. What it is given counts as shown, and is not in the result
   * again.
   */
  readonly onFirst?: ((memories: readonly RecalledMemory[]) => void) | undefined;
}

export interface RecalledMemory {
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly type: MemoryType | undefined;
  /** Undefined: not known. */
  readonly ageDays: number | undefined;
  /** For the model: age, path and text. */
  readonly text: string;
  /** Whether the text is not all of it. */
  readonly isCut: boolean;
}

export type RecallResult =
  | { readonly kind: 'recalled'; readonly memories: readonly RecalledMemory[] }
  | {
      readonly kind: 'none';
      /** `session-full`: what fits the turn does not fit what is left of the session. */
      readonly reason: 'nothing-to-search' | 'nothing-fits' | 'already-shown' | 'session-full';
    }
  /** The turn asks to forget: no text of a memory is given, only which ones it may mean; the newest, where none has a word of it. */
  | {
      readonly kind: 'forget';
      readonly matches: readonly Pick<MemoryFile, 'path' | 'name'>[];
    };

/** Recall of one session. */
export interface Recall {
  recall(turn: string, call?: RecallCall): Promise<RecallResult>;
  /** Memories that were picked for more than a fifth of the last 50 unlike turns: split them. */
  hubs(): readonly { readonly path: string; readonly share: number }[];
  /** Shows everything again, after a compaction. */
  restart(): void;
}

interface RecallParts {
  readonly folder: MemoryFolder;
  readonly library: Library;
  readonly now: () => number;
}

const NEWEST_CANDIDATES = 20;
const RECALL_BUDGET_MS = 1_500;

export function createRecall(parts: RecallParts, options: RecallOptions = {}): Recall {
  checkOptions(options, {
    select: 'a function',
    budgetMs: number({ min: 0 }),
    maxFiles: integer(1),
    maxBytes: integer(512),
    maxLines: integer(8),
    sessionBytes: integer(0),
    minWords: integer(0),
    minShare: number({ min: 0, max: 1 }),
  });
  const { folder, library, now } = parts;
  const { select, budgetMs = RECALL_BUDGET_MS, maxFiles = 5, sessionBytes = 61_440 } = options;
  const { maxBytes = 4_096, maxLines = 200, minWords = 2, minShare = 0.4 } = options;
  const shown = new Set<string>();
  let shownBytes = 0;
  const picks = createPicks();

  /** Without what a newer one says: of a fact that was saved many times, the words would look common. */
  function rankOnce(query: readonly number[], items: readonly LibraryItem[]) {
    const ranked = rank(query, items, library.words);
    const found = ranked.map(({ item }) => item);
    const repeats = repeatsAmong(found, library.words);
    if (repeats.size === 0) return ranked;
    return rank(
      query,
      items.filter((item) => !repeats.has(item)),
      library.words,
    );
  }

  /** What fits a turn by words. `skip`: what is out, though it sets the measure. */
  function choose(ranked: readonly Ranked<LibraryItem>[], skip: ReadonlySet<string>) {
    const chosen: LibraryItem[] = [];
    let places = maxFiles;
    const least = (ranked[0]?.score ?? 0) * minShare;
    const left = ranked.filter(({ item, score }) => score >= least && !skip.has(item.path));
    for (const { item, words, isInName } of unlikeFirst(left.slice(0, MOST_COMPARED))) {
      if (places === 0) break;
      places--; // also for one that is not good enough: those behind it are worse
      if (words >= minWords || isInName) chosen.push(item);
    }
    const near = ranked.filter(({ item }) => !skip.has(item.path)).slice(0, MOST_COMPARED);
    return newerFirst(
      chosen,
      near.map(({ item }) => item),
    ).slice(0, maxFiles);
  }

  /** Takes what is left of the session's room. */
  function show(items: readonly LibraryItem[]): readonly RecalledMemory[] {
    const nowMs = now();
    const memories: RecalledMemory[] = [];
    for (const item of items) {
      const { path, name, description, type, modifiedMs } = item;
      const place = folder.locate(path);
      const { text, isCut } = showMemory(item, { maxBytes, maxLines, nowMs, place });
      const bytes = new TextEncoder().encode(text).length;
      if (shownBytes + bytes > sessionBytes) continue;
      shownBytes += bytes;
      shown.add(path);
      const ageDays = ageInDays(modifiedMs, nowMs);
      memories.push({ path, name, description, type, ageDays, text, isCut });
    }
    return memories;
  }

  async function look(signal: AbortSignal | undefined) {
    const limitMs = Math.max(budgetMs, RECALL_BUDGET_MS);
    try {
      return await withinTime((within) => library.look(within), { limitMs, signal });
    } catch (cause) {
      signal?.throwIfAborted();
      if (!(cause instanceof DOMException) || cause.name !== 'TimeoutError') throw cause;
      const message = `The memory folder did not answer within ${limitMs} ms: see whether what it lies on is there.`;
      throw new MemdirError('not-read', message, { cause });
    }
  }

  async function chosenByModel(
    turn: string,
    candidates: readonly LibraryItem[],
    call: RecallCall,
  ): Promise<readonly LibraryItem[] | undefined> {
    if (select === undefined || candidates.length === 0) return undefined;
    const nowMs = now();
    const query = {
      ...{ turn, maxFiles, recentTools: call.recentTools ?? [] },
      candidates: candidates.map((item) => candidateOf(item, nowMs)),
    };
    try {
      const paths = await withinTime((signal) => select(query, { signal }), {
        limitMs: budgetMs,
        signal: call.signal,
      });
      return chosenFrom(candidates, paths).slice(0, maxFiles);
    } catch {
      call.signal?.throwIfAborted();
      return undefined; // what was found by words stands
    }
  }

  return {
    async recall(turn, call = {}) {
      checkRecall(turn, call);
      const { signal, onFirst } = call;
      signal?.throwIfAborted();
      const kind = turnKind(turn);
      const query = library.words.stemsOf(turn);
      if (kind === 'nothing-to-search' || query.length === 0) {
        return { kind: 'none', reason: 'nothing-to-search' };
      }
      const { items } = await look(signal);
      const ranked = rankOnce(query, newestOfEachName(items));
      if (kind === 'forget') {
        const byWords = ranked.slice(0, maxFiles).map(({ item }) => item);
        // What is meant may be written in other words: names say enough to ask for it.
        const meant = byWords.length > 0 ? byWords : items.slice(0, NEWEST_CANDIDATES);
        return { kind: 'forget', matches: meant.map(({ path, name }) => ({ path, name })) };
      }
      const fitting = choose(ranked, new Set());
      picks.note(query, fitting);
      const byWords = choose(ranked, shown);
      const first = onFirst === undefined ? [] : show(byWords);
      if (onFirst !== undefined) onFirst(first);
      const newest = items.filter(
        ({ path }) => !shown.has(path) && !byWords.some((item) => item.path === path),
      );
      const candidates = [...byWords, ...newest.slice(0, NEWEST_CANDIDATES)];
      const selected = (await chosenByModel(turn, candidates, call)) ?? byWords;
      signal?.throwIfAborted();
      const rest = selected.filter(({ path }) => !shown.has(path));
      const memories = show(rest);
      if (memories.length > 0) return { kind: 'recalled', memories };
      if (first.length > 0) return { kind: 'recalled', memories: [] };
      if (rest.length > 0) return { kind: 'none', reason: 'session-full' };
      const reason = fitting.some(({ path }) => shown.has(path)) ? 'already-shown' : 'nothing-fits';
      return { kind: 'none', reason };
    },
    hubs: picks.hubs,
    restart() {
      shown.clear();
      shownBytes = 0;
    },
  };
}

/** @throws TypeError for what names none of the candidates and is not empty: it is no answer */
function chosenFrom(candidates: readonly LibraryItem[], answer: unknown): readonly LibraryItem[] {
  const paths = new Set(Array.isArray(answer) ? answer : [undefined]);
  const named = candidates.filter(({ path }) => paths.has(path));
  if (named.length === 0 && paths.size > 0) throw expected('select', A_CHOICE, answer);
  return [...paths].flatMap((path) => named.find((item) => item.path === path) ?? []);
}

const A_CHOICE = { what: 'a function that answers with paths of candidates' };

const candidateOf = (item: LibraryItem, nowMs: number): Candidate => {
  const { path, name, description, type, modifiedMs } = item;
  return { path, name, description, type, age: ageText(ageInDays(modifiedMs, nowMs)) };
};

/** How many of the best are compared with each other. */
const MOST_COMPARED = 15;

/** Of files of one folder with one name the first, which is the newest: what the others say is older, or a copy. */
function newestOfEachName(items: readonly LibraryItem[]): readonly LibraryItem[] {
  const names = new Set<string>();
  return items.filter(({ name, path }) => {
    const key = scopedName({ name, path });
    if (names.has(key)) return false;
    names.add(key);
    return true;
  });
}

const LAST_TURNS = 50;
const HUB_SHARE = 0.2;
/** Fewer turns say nothing about a share. */
const LEAST_TURNS = 10;

/** Remembers what was picked for the last turns that were unlike each other. */
function createPicks() {
  const turns: { readonly words: ReadonlySet<number>; readonly paths: readonly string[] }[] = [];
  return {
    note(query: readonly number[], items: readonly LibraryItem[]): void {
      const words = new Set(query);
      const isLike = turns.some((turn) => {
        const shared = [...words].filter((word) => turn.words.has(word)).length;
        return shared * 2 > Math.min(words.size, turn.words.size);
      });
      if (isLike) return;
      turns.push({ words, paths: items.map(({ path }) => path) });
      if (turns.length > LAST_TURNS) turns.shift();
    },
    hubs() {
      if (turns.length < LEAST_TURNS) return [];
      const counts = new Map<string, number>();
      for (const path of turns.flatMap(({ paths }) => paths))
        counts.set(path, (counts.get(path) ?? 0) + 1);
      return [...counts]
        .map(([path, count]) => ({ path, share: count / turns.length }))
        .filter(({ share }) => share > HUB_SHARE)
        .sort((one, other) => other.share - one.share);
    },
  };
}
