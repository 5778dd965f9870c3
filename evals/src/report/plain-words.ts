import { BUILT_IN_STRATEGIES } from '../built-in-strategies.ts';
import { RE_READ_CALL_TOKENS } from '../demand/lower-bounds.ts';
import { EvalsError } from '../error.ts';
import { PEERS } from '../peers/peers.ts';
import { SUMMARY_OUTPUT_TOKENS, SUMMARY_TOKENS } from '../replay/forced-compaction.ts';
import { WRITTEN_PER_SECOND } from '../replay/waiting.ts';
import { FLOOR, MIN_PROJECTS, REACH_FLOOR } from './pick.ts';
import { MIN_HINDSIGHT_UNITS } from './totals.ts';
import { wrap } from './wrap.ts';

/** A word of the report in plain words, and what `--explain` says of it. */
interface Explained {
  /** As the first screen calls it; ids stay in flags, tables and JSON. */
  readonly plain?: string;
  readonly text: string;
  /** How an agent switches it on: an expression of TypeScript. */
  readonly how?: string;
}

/** The strategies of the project, by their ids. */
const STRATEGIES: Readonly<Record<string, Explained>> = {
  'keep-all': {
    plain: 'keep everything',
    text: 'Sends the whole conversation with each request, and is what the others are compared with. Where a request would outgrow the window, the agent has to have a summary written first (see window).',
  },
  'as-it-was': {
    plain: 'as it was',
    text: 'What the recorded agent sent, its own compactions and prunings included, through the same simulator and prices; savings are stated against it. The requests that wrote its summaries are in no file and cost nothing here, so that it cost more than this. With --model recorded the bills stand beside it: sizes and lifetimes are then those that were billed, and where the provider lost the cache without a reason every row loses it.',
  },
  'legal-oracle': {
    plain: 'bound: clearing with foresight',
    text: 'A bound, nothing to use: clears what @varve/microcompact may clear, by the same edits and markers, and knows what is needed later. What no clearing without folding can cost less than by much; beside it LBa ignores that edits break the cache.',
  },
  'legal-oracle+fold': {
    plain: 'bound: clearing with foresight, and fold',
    text: 'The same bound with old small calls folded to one line each, as layers+fold does, and markers of one hour. The fold itself knows nothing of the future.',
  },
  'drop-oldest': {
    plain: 'drop oldest',
    text: 'Once the prompt is large, drops whole rounds from the front, but for the newest words of a person. What was dropped is gone, unless it is read again.',
  },
  'sliding-clear': {
    plain: 'clear every turn',
    text: 'Before each request clears all results but the newest few. It sends the fewest tokens, and each request changes what was sent before, so that most of the prompt is paid in full every time.',
  },
  'batched-clear': {
    plain: 'clear in batches',
    text: 'Once the prompt is large, clears all results but the newest few at once, if that frees enough to be worth the broken cache.',
  },
  'microcompact-time': {
    plain: 'clear after a pause',
    text: 'Clears old results when nothing was sent for so long that the cache is cold anyway: then the change costs nothing more. It does nothing in a session without pauses. From @varve/microcompact.',
    how: "createContext({ model, call, layers: [{ name: 'microcompact', planner: createMicrocompact({ mechanisms: ['time'] }) }] })",
  },
  'microcompact-count': {
    plain: 'clear by count',
    text: 'Clears as soon as large old results could free enough, whatever the cache holds. From @varve/microcompact.',
    how: "createContext({ model, call, layers: [{ name: 'microcompact', planner: createMicrocompact({ mechanisms: ['count'] }) }] })",
  },
  'microcompact-server': {
    plain: 'the provider clears',
    text: 'Sends everything and asks the provider to clear (Anthropic, with its own defaults), which decides anew at each request. With models of other providers it keeps everything.',
  },
  'microcompact-rent': {
    plain: 'clear when it pays',
    text: 'Clears old results as soon as what reading them again and again costs exceeds what breaking the cache costs (the rent rule). From @varve/microcompact, its default.',
    how: 'createContext({ model, call })',
  },
  offload: {
    plain: 'park large results',
    text: 'Large results are stored before they are first sent, and a preview stands in their place; the agent can read the rest back. Results of reads stay whole. From @varve/tool-storage.',
  },
  layers: {
    plain: 'park and clear',
    text: 'Parks huge results where they can be read back (@varve/tool-storage), and clears old ones when it pays (@varve/microcompact).',
    how: 'createContext({ model, call, storage })',
  },
  'layers+1h': {
    plain: 'park and clear, cached for an hour',
    text: 'Park and clear, with cache entries of one hour for what will not change: dearer to write, and they outlive pauses.',
  },
  'ledger-compact': {
    plain: 'ledger when full',
    text: 'Where the window is full, puts a ledger in place of the old conversation: files, tests, errors, decisions and what people asked, taken from it without a model. From @varve/compact and @varve/ledger.',
    how: "createContext({ model, call, layers: [], compaction: { summarize: 'ledger', keepTokens: 0 } })",
  },
  'full-compact': {
    plain: 'summary when full',
    text: 'Where the window is full, asks a model for a summary and checks it against the ledger. No model is there in a replay: a summary that says nothing stands in, the least favourable case, priced as a model’s. From @varve/compact.',
  },
  'provider-compact': {
    plain: 'the provider compacts',
    text: 'Where the window is full, has the provider compact (Anthropic, on demand), whose block goes back as it came. No provider is there in a replay: a block that says nothing stands in, the least favourable case, priced as its own. With models of others it is `ledger-compact`. From @varve/compact.',
  },
  'session-memory': {
    plain: 'running notes',
    text: 'Takes notes along the way and puts them in place of the old conversation where the window is full. A ledger writes them here; each call is priced as a model’s. Off by default in the context and the agent: the calls cost about a third of the session, which is what it saves of waiting for a summary. From @varve/session-memory.',
  },
  collapse: {
    plain: 'fold old work',
    text: 'Where the window is full, replaces old stretches of work one by one, and keeps what people said. A ledger writes them here; each is priced as a model’s call. From @varve/compact.',
  },
  'layers+ledger': {
    plain: 'park, clear, compact',
    text: 'Everything that needs no model, in order: huge results are parked where they can be read back, old ones are cleared when it pays, and where the window is full all the same a ledger stands for the old conversation. From @varve/tool-storage, @varve/microcompact and @varve/compact.',
    how: "createContext({ model, call, storage, compaction: { summarize: 'ledger', keepTokens: 20_000 } })",
  },
  'layers+fold': {
    plain: 'park, clear, fold',
    text: 'Park and clear; behind them old small calls become one line each, and what the agent found stays word for word. From @varve/compact.',
    how: 'createContext({ model, call, storage, fold: {} })',
  },
  'layers+need': {
    plain: 'park, clear by need',
    text: 'Park and clear; how likely a result is needed again is told by what came later too: whether newer blocks show its lines, and whether calls named it. From @varve/microcompact.',
    how: "createContext({ model, call, storage, clearBy: 'need' })",
  },
  'layers+need+fold': {
    plain: 'park, clear by need, fold',
    text: 'Both of these: clearing by need, and old small calls in one line each.',
    how: "createContext({ model, call, storage, clearBy: 'need', fold: {} })",
  },
  'volatile-prefix': {
    plain: 'control: changing prefix',
    text: 'A control, nothing to use: a clock in the system prompt, so that nothing behind it is ever read from the cache.',
  },
};

/** The columns of all tables by their titles, and what else the first screen speaks of. */
const WORDS: Readonly<Record<string, Explained>> = {
  acted: {
    text: 'Sessions in which a count differs from that of keep everything, or the cost by more than a thousandth. A strategy that waits for a full window never acts in sessions that do not fill it: its figures then say nothing about it.',
  },
  cost: {
    text: 'Dollars for the input side of all requests, at list prices through a simulated cache: reads, writes and plain tokens; the requests that read lost results again; summaries and notes a strategy asks for. Replies cost the same everywhere and are left out. Sum over sessions; sessions with a refused request are left out.',
  },
  saved: {
    text: `1 - cost / cost as it was, both summed over sessions; against keep everything in the same window where what was sent is larger than that. Negative: it costs more. The range behind it, where there are sessions of ${MIN_PROJECTS} projects and more, holds in 95 % of bootstraps that draw whole projects. A replay of recorded requests, not money that anybody got back.`,
  },
  'at hand': {
    text: `Hindsight recall: of the lines, names and paths that the next 24 tool calls use and that were seen before, the share still in the request; weighted by rarity, before every request; mean over sessions with ${MIN_HINDSIGHT_UNITS} such uses and more. Beside it with --all: what one call would bring, and the same of what the assistant’s words name again. Needs that neither shows, such as reasons, are not seen. Called HR in tables.`,
  },
  floor: {
    text: `A strategy has to keep ${FLOOR * 100} % at hand and ${REACH_FLOOR * 100} % at hand or one call away (a stored result, a file that is as it was), or as much as keep everything does in the same window where that is less. One below either, one with a mark, and one that a provider would refuse in any session that keep everything gets through, is never named the cheapest.`,
  },
  window: {
    text: `Larger requests are refused. Before one grows so large (33K below the window) whoever did not compact has a summary written, at the price of its prompt and ${SUMMARY_OUTPUT_TOKENS} tokens of output, of which ${SUMMARY_TOKENS} stay with the newest round and the person’s newest words, and hold nothing that is needed later, the least favourable case. A round that is larger than the window alone is refused, and its session is in no figure. Default: the model’s window; --window none accepts every size.`,
  },
  rel: {
    text: 'Cost relative to keep-all (1.000), mean over sessions: each session counts alike, the large ones no more than the small.',
  },
  '$-wtd': {
    text: 'Cost relative to keep-all of the sums of dollars: 1 - saved. Large sessions count more.',
  },
  hit: {
    text: 'Share of the prompt tokens that were read from the cache. Doing nothing maximises it: never rank by it.',
  },
  breaks: {
    text: 'Requests that do not continue the one before as the provider sees it, so that a part of the cached prefix is paid again; mean per session. Entries that ran out of time are no breaks.',
  },
  reread: {
    text: `Results that were cleared and then needed by a recorded tool call: each is fetched again, for one more request and ${RE_READ_CALL_TOKENS} tokens of output. Mean per session.`,
  },
  lost: {
    text: 'Re-reads whose call would not bring the same back, such as a test run or a file that was written since: gone for good. Mean per session.',
  },
  RRC: { text: 'Re-read cost: the share of the cost that was spent on re-reads.' },
  'LBa/$': {
    text: 'What the best possible clearing of single results would have cost, knowing the future, as a share of the cost. Above 1 where a strategy does more than that: it clears inputs of calls, or whole rounds go.',
  },
  peak: { text: 'Tokens of the largest prompt of a session, mean over sessions.' },
  waits: {
    text: `Seconds a session in which a model writes summaries and notes, and a person waits: their tokens at ${WRITTEN_PER_SECOND} a second, the median of recorded replies. Modelled, as no model is called; the time to read the prompt is not in it.`,
  },
  'LBo/$': {
    text: 'What clearing with foresight would have cost, by the same edits, markers and rules (legal-oracle), as a share of the cost: at most that much can be saved by clearing alone.',
  },
  dearer: {
    text: 'Sessions of 60 requests and more that cost more than as they were, of those.',
  },
  basis: {
    text: 'What a figure rests on: billed (tokens of the bills at list prices), replayed (recorded requests through a simulated cache), at most (what only foresight can do). Figures of different bases are never added.',
  },
  bad: {
    text: 'Requests that the provider’s rules or the window refuse. They have no price, and a session with one is in no mean.',
  },
};

/** Other titles of the same. */
const ALIASES: Readonly<Record<string, string>> = {
  HR: 'at hand',
  rereads: 'reread',
  invalid: 'bad',
  verdict: 'floor',
  cheapest: 'floor',
};

const PARKED = '+parked';

/** What the first screen calls a strategy; its id where it has no plain name. */
export function plainName(id: string): string {
  const base = id.endsWith(PARKED) ? id.slice(0, -PARKED.length) : id;
  const plain = STRATEGIES[base]?.plain ?? base;
  return base === id ? plain : `${plain}, parked`;
}

/** Whether a strategy has one. */
export const hasPlainName = (id: string): boolean => plainName(id) !== id;

/** The id of a strategy by either of its names. */
export const idOf = (name: string): string =>
  BUILT_IN_STRATEGIES.find(({ name: id }) => plainName(id) === name)?.name ?? name;

/**
 * A paragraph on a column or a strategy, by its id, title or plain name, and how an agent switches it on where it is a set
 * of options. Throws `bad-arguments` for other words.
 */
export function explain(word: string): string {
  const wanted = word.trim().toLowerCase();
  const names = [
    ...Object.keys(WORDS),
    ...Object.keys(ALIASES),
    ...BUILT_IN_STRATEGIES.map(({ name }) => name),
    ...PEERS.map(({ name }) => name),
  ];
  const found = names.find((name) =>
    [name, plainName(name)].some((each) => each.toLowerCase() === wanted),
  );
  if (found === undefined) throw unknownWord(word);
  const name = ALIASES[found] ?? found;
  const text = WORDS[name]?.text ?? strategyText(name);
  const also = plainName(name) === name ? '' : ` (“${plainName(name)}”)`;
  const how = STRATEGIES[name]?.how;
  const paragraph = wrap(`${name}${also}: ${text}`, { width: 80 });
  return `${[...paragraph, ...(how ? ['', HOW, `  ${how}`] : [])].join('\n')}\n`;
}

const HOW = 'In an agent of your own (the README of @varve/context shows what these options are):';

function strategyText(id: string): string {
  const isParked = id.endsWith(PARKED);
  const base = isParked ? id.slice(0, -PARKED.length) : id;
  const { text } = STRATEGIES[base] ?? {
    text: 'Clearing as another project does it, run from its own package. --peers adds it.',
  };
  const parked = ' Two cache markers are parked, before the last change and before the next one.';
  return `${text}${isParked ? parked : ''}`;
}

function unknownWord(word: string): EvalsError {
  const words = [...Object.keys(WORDS), ...BUILT_IN_STRATEGIES.map(({ name }) => name)];
  const text = `There is nothing to explain by the name \`${word}\`. There is: ${words.join(', ')}.`;
  return new EvalsError('bad-arguments', text);
}
