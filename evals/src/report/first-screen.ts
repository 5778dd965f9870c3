import { AS_IT_WAS } from '../strategies/as-it-was.ts';
import { formatTokens } from './format.ts';
import {
  costOf,
  isWhole,
  MIN_PROJECTS,
  pickCheapest,
  referenceOf,
  savedOf,
  stayOf,
} from './pick.ts';
import { hasPlainName, plainName } from './plain-words.ts';
import { readText, refusedText } from './read-text.ts';
import type { Report, ReportRow, ReportTotal, Verdict } from './report-schema.ts';
import { wrap } from './wrap.ts';

export interface FirstScreenOptions {
  /** How the program was called, as it is to be typed again. @default 'varve-evals' */
  readonly program?: string | undefined;
  /** The project's own sessions were replayed: the next step is the reader's own. @default false */
  readonly isOwn?: boolean | undefined;
}

/** What it replays where no strategies are asked for: keep-all, what was sent, what to take, its parts, and what looks good and is not. */
export const FIRST_STRATEGIES: readonly string[] = [
  'keep-all',
  AS_IT_WAS,
  'layers+ledger',
  'microcompact-rent',
  'microcompact-time',
  'batched-clear',
  'ledger-compact',
  'sliding-clear',
];

/** It shows these side by side: the model's window, and this one where that is larger, in tokens. */
export const SMALL_WINDOW = 200_000;

/** Rows besides keep-all, what was sent among them. */
const MAX_ROWS = 6;
const SCREEN_WIDTH = 80;
const NAME_WIDTH = 26;
/** Characters of the word to explain that fit on the last line. */
const MAX_WORD = 20;

/** Figures of one window. */
interface Block {
  readonly label: string;
  readonly totals: readonly ReportTotal[];
  readonly rows: readonly ReportRow[];
  readonly verdict: Verdict;
}

/** At most 24 lines of 80 characters for somebody who sees such a report for the first time. */
export function formatFirstScreen(report: Report, options: FirstScreenOptions = {}): string {
  const blocks = blocksOf(report);
  const shown = shownStrategies(blocks);
  const table = tableLines(blocks, shown).map((line) => line.replaceAll(HARD, ' '));
  const above = [...wrapped(verdictText(blocks)), '', ...table, ''];
  const unshown = report.totals.filter(
    ({ strategy }) => strategy !== AS_IT_WAS && !shown.includes(strategy),
  );
  const below = nextLines(blocks, { ...options, hidden: unshown.length });
  const read = [
    sessionsText(report, options.isOwn ?? false),
    ...readLines(report, options.isOwn ?? false),
  ].flatMap(wrapped);
  const words = legend(blocks);
  const isFull = above.length + words.length + read.length + below.length > MAX_LINES;
  const explained = isFull ? words.slice(0, FIGURES) : words;
  let free = MAX_LINES - above.length - explained.length - read.length - below.length;
  const kept = notes(blocks).filter((lines) => {
    const fits = lines.length <= free;
    if (fits) free -= lines.length;
    return fits;
  });
  return `${[...above, ...explained, ...read, ...kept.flat(), ...below].join('\n')}\n`;
}

/** One more says where the report was written; what was lost in reading is said even where that takes more. */
const MAX_LINES = 24;

/** A report of an earlier version does not say what was read, and the project's own sessions are no news. */
const readLines = (report: Report, isOwn: boolean): readonly string[] =>
  isOwn || report.read === undefined
    ? refusedText(report.refused, SHOWN_NAMES)
    : readText(report, { names: SHOWN_NAMES });
const SHOWN_NAMES = 2;

/** A space that no line ends at. */
const HARD = '\u00a0';
const wrapped = (text: string): readonly string[] =>
  wrap(text, { width: SCREEN_WIDTH }).map((line) => line.replaceAll(HARD, ' '));

function blocksOf(report: Report): readonly Block[] {
  const { settings, sessions, otherWindows } = report;
  const windows = sessions.flatMap(({ replayed }) => replayed.map((each) => each.windowTokens));
  const sizes = [...new Set(windows)].map(short);
  const size = sizes.length === 1 ? (sizes[0] as string) : 'own';
  const label = settings.window === 'none' ? 'no' : size;
  const others = otherWindows
    .filter(({ windowTokens }) => windows.some((own) => own > windowTokens))
    .map(({ windowTokens, ...rest }) => ({ label: short(windowTokens), ...rest }));
  return [{ label, ...report }, ...others];
}

const short = (tokens: number): string =>
  tokens % 1_000_000 === 0 ? `${tokens / 1_000_000}M` : formatTokens(tokens);

/** Those that acted somewhere, the cheapest first; where they are too many, the cheapest and the dearest. */
function shownStrategies(blocks: readonly Block[]): readonly string[] {
  const [first] = blocks as [Block];
  const [baseline, ...rest] = first.totals;
  const others = rest.filter(({ strategy }) => strategy !== AS_IT_WAS);
  const acted = others
    .filter(({ strategy }) => blocks.some((block) => totalIn(block, strategy).actedSessions > 0))
    .sort((left, right) => rank(blocks, left) - rank(blocks, right))
    .map(({ strategy }) => strategy);
  const most = MAX_ROWS - Number(showsAsItWas(first));
  const picked = blocks.flatMap(({ verdict }) => verdict.cheapest ?? []);
  const kept = new Set([...picked, ...acted.slice(0, most - 1), ...acted.slice(-1)]);
  const some = acted.length <= most ? acted : acted.filter((name) => kept.has(name));
  if (baseline === undefined) return some;
  return [...(showsAsItWas(first) ? [AS_IT_WAS] : []), baseline.strategy, ...some];
}

/** Whether the recorded agents sent anything else than everything. */
const showsAsItWas = ({ totals }: Block): boolean =>
  totals.some(({ strategy, actedSessions }) => strategy === AS_IT_WAS && actedSessions > 0);

/** In the window where it acts. */
function rank(blocks: readonly Block[], { strategy }: ReportTotal): number {
  const totals = blocks.map((block) => totalIn(block, strategy));
  const acting = totals.find(({ actedSessions }) => actedSessions > 0);
  return acting === undefined ? Infinity : costOf(acting);
}

const totalIn = ({ totals }: Block, strategy: string): ReportTotal =>
  totals.find((each) => each.strategy === strategy) as ReportTotal;

function verdictText(blocks: readonly Block[]): string {
  const [first] = blocks as [Block];
  if (first.totals[0]?.comparable === 0) {
    return `Nothing can be compared: no session gets through ${windowText(first)}.`;
  }
  return `${pickText(blocks)}${forgetfulText(first, blocks.length > 1)}`;
}

function pickText(blocks: readonly Block[]): string {
  const [first] = blocks as [Block];
  const { cheapest } = first.verdict;
  const than = thanText(first);
  const floor = floorText(blocks);
  const places = blocks.map(windowText);
  const advice = blocks.map((block) => block.verdict.cheapest ?? stayText(block));
  if (new Set(advice).size > 1) {
    const picks = blocks.map((block, at) => {
      if (block.verdict.cheapest === null) return `in ${places[at]} ${stayText(block)}`;
      const own = thanText(block);
      const isSaid = blocks
        .slice(0, at)
        .some((other) => other.verdict.cheapest !== null && thanText(other) === own);
      return `in ${places[at]} take "${plainName(block.verdict.cheapest)}", ${savedText(block, isSaid ? '' : own, at === 0 ? LEVEL : '')}`;
    });
    return `${capital(picks.join('; '))}. No row with at least ${floor} is cheaper.`;
  }
  if (cheapest === null) {
    const stay = capital(stayText(first));
    return `${stay} in ${places.join(' or ')}: no row is cheaper with at least ${floor}.`;
  }
  const isSame = blocks.every((block) => thanText(block) === than);
  const saved = blocks.map((block, at) => {
    const own = savedText(block, isSame ? '' : thanText(block), at === 0 ? LEVEL : '');
    return `${own} ${isSized(block) ? `at ${block.label}` : `in ${places[at]}`}`;
  });
  return `Take "${plainName(cheapest)}": input costs ${saved.join(' and ')}${isSame ? than : ''}. It is the cheapest row with at least ${floor}.`;
}

const stayText = (block: Block): string =>
  showsAsItWas(block) && stayOf(block.totals)?.strategy === AS_IT_WAS
    ? 'leave it as it was'
    : 'keep everything';

/** What is within one call is said where it keeps a cheaper row from being named. */
function floorText(blocks: readonly Block[]): string {
  const least = (of: (block: Block) => number): string => percent(Math.min(...blocks.map(of)));
  const atHand = `${least(({ verdict }) => verdict.floor)} at hand`;
  const isAsked = blocks.some(({ totals }) => {
    const { forgetful, floor } = pickCheapest(totals);
    return (forgetful?.hindsightRecall ?? 0) >= floor;
  });
  return isAsked
    ? `${atHand} and ${least(({ verdict }) => verdict.reachFloor)} within one call`
    : atHand;
}

const THAN = ' than keeping everything';
const thanText = ({ totals }: Block): string =>
  isAsItWas(totals) && showsAsItWas({ totals } as Block) ? ' than as it was' : THAN;
const isAsItWas = (totals: readonly ReportTotal[]): boolean =>
  referenceOf(totals)?.strategy === AS_IT_WAS;

/** Of the first interval; the others are the same. */
const LEVEL = `95${HARD}%: `;

function savedText({ verdict: { saved, interval } }: Block, than = '', level = ''): string {
  const range = interval
    ? ` (${level}${Math.round(interval.low * 100)} to ${percent(interval.high)})`
    : '';
  return `${percent(saved ?? 0)} less${than}${range}`;
}

/** One that is cheaper still and forgets too much. */
function forgetfulText(block: Block, isOneOfSome: boolean): string {
  const { totals } = block;
  const { forgetful, floor, reachFloor } = pickCheapest(totals);
  if (forgetful === undefined) return '';
  const saved = percent(savedOf(forgetful, referenceOf(totals) as ReportTotal));
  const isAtHand = (forgetful.hindsightRecall ?? 0) >= floor;
  const kept = isAtHand
    ? `within one call (${sharePercent(forgetful.hindsightReach, reachFloor)})`
    : `at hand (${atHand(forgetful, floor)})`;
  return ` "${capital(plainName(forgetful.strategy))}" saves more${isOneOfSome ? ` in ${windowText(block)}` : ''} (${saved}), and keeps less ${kept}.`;
}

const isSized = ({ label }: Block): boolean => label !== 'own' && label !== 'no';

const windowText = ({ label }: Block): string =>
  label === 'own'
    ? 'each model’s own window'
    : label === 'no'
      ? 'an endless window'
      : `a ${label} window`;

function tableLines(blocks: readonly Block[], shown: readonly string[]): readonly string[] {
  const name = (text: string): string => text.slice(0, NAME_WIDTH).padEnd(NAME_WIDTH);
  const line = (start: string, cells: readonly string[]): string =>
    `${name(start)}${cells.join(GAP)}`.trimEnd();
  return [
    line(
      '',
      blocks.map((block) => centred(capital(windowText(block).replace(/^an? /, '')))),
    ),
    line(
      '',
      blocks.map(() => row('cost', 'saved', 'at hand')),
    ),
    ...shown.map((strategy) =>
      line(
        plainName(strategy),
        blocks.map((block) => cells(block, strategy)),
      ),
    ),
  ];
}

const GAP = '   ';
const row = (cost: string, saved: string, atHand: string): string =>
  `${cost.padStart(8)}${saved.padStart(8)}${atHand.padStart(9)}`;
const ROW_WIDTH = row('', '', '').length;
const centred = (text: string): string =>
  text.padStart(Math.ceil((ROW_WIDTH + text.length) / 2)).padEnd(ROW_WIDTH);

function cells(block: Block, strategy: string): string {
  const [baseline] = block.totals as [ReportTotal];
  const total = totalIn(block, strategy);
  const reference = referenceOf(block.totals) as ReportTotal;
  const isFirst = total === baseline || strategy === AS_IT_WAS;
  if (!isFirst && total.actedSessions === 0) return centred('nothing to do');
  if (strategy === AS_IT_WAS && total !== reference) return centred('window too small');
  if (!isWhole(total, baseline)) return centred('refused, too large');
  const isReference = total === reference || (total === baseline && !showsAsItWas(block));
  const saved = isReference ? '-' : percent(savedOf(total, reference));
  return row(money(total.dollars), saved, atHand(total, block.verdict.floor));
}

const money = (dollars: number): string =>
  `$${dollars >= 1_000 ? Math.round(dollars) : dollars.toFixed(2)}`;

const atHand = ({ hindsightRecall }: ReportTotal, floor: number): string =>
  sharePercent(hindsightRecall, floor);

/** With a digit more where rounding would lift it over the floor. */
function sharePercent(recall: number | null, floor: number): string {
  if (recall === null) return '-';
  const isLifted = recall < floor && Math.round(recall * 100) >= Math.round(floor * 100);
  return isLifted ? `${(Math.floor(recall * 1_000) / 10).toFixed(1)}${HARD}%` : percent(recall);
}

const percent = (share: number): string => `${Math.round(share * 100)}${HARD}%`;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Columns first, then words. */
const legend = (blocks: readonly Block[]): readonly string[] => [
  'cost     input of all sessions, at list prices, re-reads too; no model is run',
  blocks.some((block) => thanText(block) !== THAN)
    ? 'saved    against "as it was"; where that is too large, "keep everything"'
    : 'saved    against "keep everything"; below 0: dearer, it breaks the prompt cache',
  'at hand  still sent when a later step used it; the rest is read again or lost',
  'clear: drop old results; park: store large ones outside, to be read back;',
  'compact: in a full window, a ledger (a list of facts) replaces the history',
];

/** Lines of it that explain figures. */
const FIGURES = 3;

/** What has to be known before the figures are believed, the most important first. */
const notes = (blocks: readonly Block[]): readonly (readonly string[])[] =>
  [
    ...billedText(blocks),
    ...fullText(blocks),
    ...composedText(blocks),
    ...unknownText(blocks),
    ...neverText(blocks),
  ].map(wrapped);

/** What was billed, beside what the same requests cost here. */
function billedText([first]: readonly Block[]): readonly string[] {
  const asItWas = first?.totals.find(({ strategy }) => strategy === AS_IT_WAS);
  if (asItWas?.billed == null) return [];
  const { sessions, dollars, replayedDollars } = asItWas.billed;
  const isMixed = first?.rows.some(({ billed }) => (billed?.models.length ?? 0) > 1);
  const prices = isMixed ? 'at list prices, each session as one model' : 'at list prices';
  const difference = replayedDollars / dollars - 1;
  const beside = Math.abs(difference) < 0.005 ? 'the same' : differenceText(difference);
  return [
    `Billed: ${money(dollars)} of input in ${plural(sessions, 'session')}, ${prices}. Replayed as it was: ${money(replayedDollars)}, ${beside}.`,
  ];
}

const differenceText = (difference: number): string =>
  `${(Math.abs(difference) * 100).toFixed(1)}${HARD}% ${difference < 0 ? 'less' : 'more'}`;

/** Keeping everything in a full window. */
function fullText(blocks: readonly Block[]): readonly string[] {
  const [{ totals }] = blocks as [Block];
  const [{ strategy, sessions }] = totals as [ReportTotal];
  const found = blocks.flatMap((block) => {
    const full = block.rows.filter(
      (row) => row.strategy === strategy && row.forcedCompactions > 0,
    ).length;
    return full === 0 ? [] : [{ block, full }];
  });
  if (found.length === 0) return [];
  const places = found.every(({ block }) => isSized(block))
    ? `a window ${found.map(({ block, full }) => `of ${block.label} in ${full}`).join(', ')}`
    : found.map(({ block, full }) => `${windowText(block)} in ${full}`).join(', ');
  return [
    `"${capital(plainName(strategy))}" outgrows ${places} of ${plural(sessions, 'session')}: there a summary replaces the history, less is sent and more is forgotten.`,
  ];
}

/** Those that had nothing to do anywhere have no row. */
function neverText(blocks: readonly Block[]): readonly string[] {
  const [first] = blocks as [Block];
  const never = first.totals
    .slice(1)
    .filter(({ strategy }) => strategy !== AS_IT_WAS)
    .filter(({ strategy }) => blocks.every((block) => !totalIn(block, strategy).actedSessions));
  if (never.length === 0) return [];
  const names = never.map(({ strategy }) => plainName(strategy)).join(', ');
  return [`Nothing to do, and the cost of keeping everything: ${names}.`];
}

/** Sessions in which too little is needed again. */
const unknownText = ([first]: readonly Block[]): readonly string[] =>
  first?.totals.every(({ hindsightRecall }) => hindsightRecall === null)
    ? ['What is at hand is not known: no session is long enough to need much again.']
    : [];

/** A whole that is dearer than its part says where to take it. */
function composedText(blocks: readonly Block[]): readonly string[] {
  const [first] = blocks as [Block];
  const last = blocks.at(-1) as Block;
  const idle = blocks.every(({ verdict, rows }) => {
    const own = rows.filter(({ strategy }) => strategy === WHOLE);
    return verdict.cheapest === WHOLE && own.every(({ compactions }) => compactions === 0);
  });
  if (idle)
    return [`Here "${plainName(WHOLE)}" never had to compact: parking and clearing sufficed.`];
  if (last.verdict.cheapest === WHOLE) return []; // the verdict says so
  const whole = first.totals.find(({ strategy }) => strategy === WHOLE);
  const part = first.totals.find(({ strategy }) => strategy === PART);
  if (whole === undefined || part === undefined || costOf(whole) <= costOf(part)) return [];
  const own = last.rows.filter(({ strategy }) => strategy === whole.strategy);
  const compacted = own.filter(({ compactions }) => compactions > 0).length;
  if (compacted === 0)
    return [`Clearing alone never outgrew a window: no need of "${plainName(WHOLE)}" here.`];
  return [
    `Where clearing alone outgrows the window (${compacted} of ${own.length}): "${plainName(WHOLE)}".`,
  ];
}

const WHOLE = 'layers+ledger';
const PART = 'microcompact-rent';

function sessionsText(report: Report, isOwn: boolean): string {
  const { sessions, unpriced, totals } = report;
  const threads = sessions.flatMap(({ replayed }) => replayed);
  const projects = new Set(threads.map(({ project }) => project)).size;
  const models = [...new Set(threads.map(({ pricedAs }) => pricedAs))];
  const priced =
    models.length === 1 ? `All priced as ${models[0]}` : `Priced as ${models.length} models`;
  const [baseline] = totals;
  const overflowing = baseline === undefined ? 0 : baseline.sessions - baseline.comparable;
  const left = [
    ...(overflowing > 0 ? [`${overflowing} with a round larger than the window`] : []),
    ...(unpriced.length > 0 ? [`${unpriced.length} without a known price`] : []),
  ];
  const few = projects < MIN_PROJECTS ? ': too few to tell' : '';
  const missing = left.length > 0 ? ` Left out: ${left.join(', ')} (--all names them).` : '';
  return `${plural(threads.length, isOwn ? 'scripted session' : 'session')}, ${plural(projects, 'project')}${few}. ${priced}.${missing}`;
}

/** Whether the bills stand beside what was sent. */
const hasBills = (block: Block | undefined): boolean =>
  block?.totals.some(({ strategy, billed }) => strategy === AS_IT_WAS && billed !== null) ?? false;

function nextLines(
  [first]: readonly Block[],
  {
    program = 'varve-evals',
    isOwn = false,
    hidden,
  }: FirstScreenOptions & { readonly hidden: number },
): readonly string[] {
  const next = isOwn
    ? `${program} --sessions ~/.claude/projects   (all stays local)`
    : hasBills(first)
      ? `${program} validate --sessions <yours>   (request by request)`
      : `${program} --sessions <yours> --model recorded   (beside your bills)`;
  const best = first?.verdict.cheapest ?? '';
  const plain = plainName(best).length <= MAX_WORD ? plainName(best) : best;
  const word = hasPlainName(best) ? plain : 'at hand';
  const how = hasPlainName(best) ? '(how to build it in)' : 'or any name';
  return [
    `Next: ${next}`,
    `More: --explain "${word}" ${how}; --all: ${hidden > 0 ? `${hidden} more` : 'all columns'}`,
  ];
}
