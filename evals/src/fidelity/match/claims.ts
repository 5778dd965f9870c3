import type { FactValue } from '../facts/fact.ts';

/** What a text says of something, in the states of one kind. Several where it says several. */
export type Claims = ReadonlySet<string>;

/** Reads the states of a kind that a text claims; the text no longer holds the name of what they are about. */
export function claimsIn(kind: FactValue['kind'], text: string): Claims {
  const parts = text.split(LATER);
  for (const part of parts.toReversed()) {
    const claims = readers[kind](part);
    if (claims.size > 0) return claims;
  }
  return NOTHING;
}

/** Whether a text leaves open what it says; what it quotes is somebody else's. */
export const isHedged = (text: string): boolean => HEDGE.test(text.replace(QUOTE, ' '));

const QUOTE = /"[^"\n]*"/g;
const HEDGE =
  /\b(?:probably|perhaps|maybe|possibly|presumably|supposedly|reportedly|allegedly|apparently|seem(?:s|ed|ingly)?|appear(?:s|ed)? to|(?:un)?likely|un(?:clear|sure|certain|verified|confirmed|known)|not (?:sure|certain|clear|verified|confirmed|known)|whether|(?:may|might|could)(?: well)? (?:be|have|not)|I (?:think|believe|guess|assume|suppose))\b|\?(?=[\s)]|$)/i;

const NOTHING: Claims = new Set();

/** `deleted, then edited` is no longer deleted. */
const LATER = /\b(?:then|later|afterwards|finally|in the end)\b/i;

interface Word {
  readonly state: string;
  /** What it says behind a negation; nothing where that is undefined. */
  readonly denied?: string | undefined;
  readonly words: RegExp;
  /** What has to follow, and what must not. */
  readonly behind?: RegExp | undefined;
  readonly notBehind?: RegExp | undefined;
}

const TAKEN_OUT = /\b(?:removed|deleted|dropped|erased)\b/gi;
/** `removed the old parser` says of a file that it was edited; `removed the file` does not. */
const OBJECT =
  /^ (?!the (?:\w+ )?files?\b)(?:[`"'(]|(?:the|an?|its|all|this|that|one|two|both|some|old|unused|dead|obsolete|duplicate|legacy|stale|extra|redundant)\b|\w+_\w+|\w+\(|\w+\.\w+\()/i;

const FILE: readonly Word[] = [
  {
    state: 'there',
    denied: 'untouched',
    words:
      /\b(?:edit(?:ed|s)?|updat(?:ed|es)|modif(?:ied|ies)|chang(?:ed|es)|replac(?:ed|es)|insert(?:ed|s)|creat(?:ed|es)|wrote|written|rewritten|rewrote|add(?:ed|s)|new|fix(?:ed|es)|renam(?:ed|es)|refactor(?:ed|s)|implement(?:ed|s)|extended|patched|generated)\b/gi,
  },
  { state: 'there', words: TAKEN_OUT, behind: OBJECT },
  { state: 'deleted', denied: 'there', words: TAKEN_OUT, notBehind: OBJECT },
  { state: 'deleted', denied: 'there', words: /\b(?:rm|gone)\b/gi },
  { state: 'untouched', words: /\b(?:unchanged|untouched|unmodified)\b/gi },
];

const OUTCOME: readonly Word[] = [
  {
    state: 'ok',
    denied: 'failed',
    words:
      /(?<!\d (?:tests? )?)\b(?:ok|okay|pass(?:es|ed|ing)?|succe(?:ss|ssful|ssfully|eds|eded)|green|clean|works|worked|completed|finished|done|resolved)\b(?!\s?[:=(]\s?\d)|[✓✔✅]/gi,
  },
  {
    state: 'failed',
    denied: 'ok',
    words:
      /(?<!\d (?:tests? )?)\b(?:fail(?:s|ed|ing|ure|ures)?|errors?|errored|broken|breaks|red|crash(?:ed|es)|timed out|timeout|exception|panic(?:ked|s)?|aborted|rejected|refused|denied|non-?zero)\b(?!\s?[:=(]\s?\d)|[✗✖❌]/gi,
  },
];

const TODO_STATES: readonly Word[] = [
  {
    state: 'done',
    denied: 'pending',
    words: /\[x\]|[✓✔☑✅]|\b(?:done|completed?|finished|resolved|closed)\b/gi,
  },
  {
    state: 'in-progress',
    denied: 'pending',
    words: /\[[~>-]\]|◐|\b(?:in[ _-]progress|doing|ongoing|currently|active|started|under way)\b/gi,
  },
  {
    state: 'pending',
    words:
      /\[ \]|[☐○]|\b(?:pending|open|to-?do|remain(?:s|ing)?|next|outstanding|unstarted|left)\b/gi,
  },
];

const ERROR: readonly Word[] = [
  {
    state: 'resolved',
    denied: 'open',
    words: /\b(?:resolved|fixed|gone|solved|passes|passed|succeeded|ok)\b|[✓✔✅]/gi,
  },
  {
    state: 'open',
    denied: 'resolved',
    words: /\b(?:open|unresolved|unfixed|still|remains|fail(?:s|ed|ing|ure)?|broken|breaks)\b/gi,
  },
];

const readers: Readonly<Record<FactValue['kind'], (text: string) => Claims>> = {
  file: (text) => wordsIn(text, FILE),
  outcome: outcomesIn,
  counts: outcomesIn,
  todo: (text) => wordsIn(text, TODO_STATES),
  error: errorsIn,
  answer: () => NOTHING,
};

function wordsIn(text: string, table: readonly Word[]): Claims {
  const states = new Set<string>();
  for (const { state, denied, words, behind, notBehind } of table) {
    for (const { index, 0: word } of text.matchAll(words)) {
      const after = text.slice(index + word.length);
      if (behind?.test(after) === false || notBehind?.test(after)) continue;
      const before = text.slice(Math.max(0, index - BEFORE), index);
      if (PLANNED.test(before)) continue;
      const said = DENIED.test(before) ? denied : state;
      if (said !== undefined) states.add(said);
    }
  }
  return states;
}

/** Characters before a word in which it can be turned around. */
const BEFORE = 24;
const DENIED =
  /(?:\b(?:not|never|no|without|nothing|isn['’]t|wasn['’]t|aren['’]t|weren['’]t|doesn['’]t|didn['’]t|don['’]t|hasn['’]t|haven['’]t|won['’]t|0|zero)\s+|\bnot (?:yet )?)(?:\w+\s+)?$/i;
const PLANNED =
  /\b(?:will|should|shall|must|to be|would|could|might|may|can|going to|needs? to|about to|wants? to|has to|have to|let me|let's)\s+(?:be )?$/i;

/** Words, the code a run ended with, and how many tests passed and failed. */
function outcomesIn(text: string): Claims {
  const states = new Set(wordsIn(text, OUTCOME));
  for (const [, code] of text.matchAll(EXIT)) states.add(Number(code) === 0 ? 'ok' : 'failed');
  const { passed, failed } = countsIn(text);
  if (failed.some((each) => each > 0)) states.add('failed');
  else if (failed.length > 0 || passed.some((each) => each > 0)) states.add('ok');
  return states;
}

/** Words, and the code that the command still ends with. */
function errorsIn(text: string): Claims {
  const states = new Set(wordsIn(text, ERROR));
  for (const [, code] of text.matchAll(EXIT)) states.add(Number(code) === 0 ? 'resolved' : 'open');
  return states;
}

const EXIT = /\bexit(?:ed)?(?: with)?(?: code| status)?\W{0,3}(\d{1,3})\b/gi;

/** The numbers of passed and failed tests that a text names, each with its own word. */
export interface TestCounts {
  readonly passed: readonly number[];
  readonly failed: readonly number[];
}

export function countsIn(text: string): TestCounts {
  const passed: number[] = [];
  const failed: number[] = [];
  for (const { groups } of text.matchAll(COUNT)) {
    const { part, whole, first, word, name, second } = groups as Readonly<
      Record<string, string | undefined>
    >;
    if (part !== undefined && whole !== undefined) {
      passed.push(Number(part));
      failed.push(Number(whole) - Number(part));
      continue;
    }
    const counted = (word ?? name ?? '').toLowerCase();
    const list = /^pass|^green|^ok|^succ/.test(counted) ? passed : failed;
    list.push(Number(first ?? second));
  }
  return { passed, failed };
}

const COUNT =
  /\b(?<part>\d+) ?(?:\/|of|out of) ?(?<whole>\d+) (?:tests? |checks? )?(?:are )?(?:pass|green|ok)\w*|\b(?<first>\d+) (?:tests? |specs? |cases? |of them )?(?:are )?(?<word>pass|green|succeeded|fail|errors?)\w*|\b(?<name>pass(?:ed|es|ing)?|fail(?:ed|s|ures?|ing)?)\s?[:=(]\s?(?<second>\d+)\b/gi;
