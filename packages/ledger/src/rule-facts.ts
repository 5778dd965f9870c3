import type { Extractor } from './extractor.ts';
import { bindingsOf } from './literal-bindings.ts';
import { withoutRemarks } from './remarks.ts';
import { CORRECTION_CUES, SOFT_CUES, STRONG_CUES } from './rule-cues.ts';
import { type RuleTerms, ruleTerms } from './rule-terms.ts';
import { sentencesOf } from './sentences.ts';
import { createSlots } from './slots.ts';

/** A message longer than this was at least partly pasted: only its ends are read for soft cues. */
const TYPED_CHARACTERS = 6_000;
const END_CHARACTERS = 2_000;

/**
 * Standing rules and corrections: sentences of the person, verbatim, that carry a cue. A rule gives way to the same sentence
 * said again, to one that refuses what it picked, and to one that gives another value to a name it gave a value, be it told
 * as news and not as a rule.
 */
export function createRuleFacts(): Extractor {
  const slots = createSlots('rule');
  const rulesByName = new Map<string, string>();
  const pickedBy = new Map<string, string>();
  const valuesByName = new Map<string, string>();
  const giveWay = (index: Map<string, string>, name: string, key: string): void => {
    const older = index.get(name) ?? key;
    if (older !== key) slots.drop(older);
  };
  const learn = (key: string, sentence: string, terms: RuleTerms): void => {
    const { picked, refused } = terms;
    if (refused !== undefined) giveWay(pickedBy, refused, key);
    if (picked !== undefined) pickedBy.set(picked, key);
    for (const { key: name, value } of bindingsOf(sentence)) {
      giveWay(rulesByName, name, key);
      rulesByName.set(name, key);
      valuesByName.set(name, value);
    }
  };
  const hear = (sentence: string): void => {
    for (const { key: name, value } of bindingsOf(sentence)) {
      if (valuesByName.get(name) !== value) giveWay(rulesByName, name, sentence);
    }
  };
  return {
    said(words, place) {
      for (const sentence of rulesIn(words)) {
        const key = normalise(sentence);
        learn(key, sentence, ruleTerms(sentence));
        slots.set(key, sentence, place);
      }
      for (const sentence of newsIn(words)) hear(sentence);
    },
    facts: slots.facts,
    superseded: slots.superseded,
  };
}

/** What is otherwise now, in sentences that set no rule themselves; nothing in a pasted text is news. */
const newsIn = (words: string): string[] =>
  words.length > TYPED_CHARACTERS
    ? []
    : sentencesOf(words).filter(
        (sentence) => NEWS.test(sentence) && !QUESTION.test(sentence) && !isRule(sentence),
      );

const NEWS = /\b(?:now|changed|moved|switched|updated|became|new)\b/i;

function rulesIn(words: string): string[] {
  const sentences = sentencesOf(words);
  if (words.length <= TYPED_CHARACTERS) return sentences.filter(isRule);
  // a sentence may go on in the next line
  const flat = words.replace(/\s+/g, ' ');
  let read = 0;
  const stoodAtAnEnd = (given: string): boolean => {
    const sentence = given.replace(/\s+/g, ' ');
    const start = flat.indexOf(sentence, read);
    read = start + sentence.length;
    return read <= END_CHARACTERS || start >= flat.length - END_CHARACTERS;
  };
  const typed = sentences.filter(stoodAtAnEnd).filter(isRule);
  const pasted = sentences.filter((sentence) => LEADING.test(sentence));
  return [...new Set([...pasted, ...typed])];
}

/** What a command or a prohibition begins with; deep inside a pasted text only that is a rule. */
const LEADING = /^(?:never|always|do not|don['’]t|you must|must|from now on|rule:|important:)\b/i;

function isRule(sentence: string): boolean {
  if (QUESTION.test(sentence) && !STRONG_CUES.test(sentence)) return false;
  if (ASKS.test(sentence)) return false;
  const said = withoutRemarks(sentence);
  const cued =
    STRONG_CUES.test(said) ||
    CORRECTION_CUES.test(said) ||
    (sentence.length <= LONG_SENTENCE && SOFT_CUES.test(said));
  return cued || (sentence.length <= LONG_SENTENCE && ruleTerms(said).picked !== undefined);
}

/** UTF-16 units; in a longer one a soft cue is a part of something that is told. */
const LONG_SENTENCE = 240;
const QUESTION = /\?\s*$/;
/** A question about how things are sets no rule, even with `always` or `don't` in it. */
const ASKS =
  /^(?:why|how|what|when|where|who|which|is|are|was|were|does|do (?:we|you|they|i)|did|has|have (?:we|you)|would|isn['’]?t|aren['’]?t|doesn['’]?t|don['’]?t (?:we|you))\b.*\?\s*$/i;

const normalise = (sentence: string): string =>
  sentence
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[.!。！\s]+$/, '');
