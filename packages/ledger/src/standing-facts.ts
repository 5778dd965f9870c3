import { callStop } from '@varve/messages/persons';
import { createDoneSince } from './done-since.ts';
import type { Extractor } from './extractor.ts';
import type { Fact, Place } from './fact.ts';
import { importanceOf } from './importance.ts';
import { oneLineOfWords as oneLine, subjectOf } from './names.ts';
import { plainProse, sentencesIn } from './prose.ts';

interface Said {
  readonly text: string;
  readonly place: Place;
}

const MAX_REQUEST = 80;
const MAX_SUBJECT = 200;
const MAX_SENTENCE = 300;
/** Texts of the assistant that are looked at for a next step, the newest first. */
const MOST_LOOKED_AT = 4;
/** Texts in which aims are looked for, and aims that are told of. */
const MOST_TEXTS = 400;
const MOST_AIMS = 6;

/**
 * Where the work stands: the request that is open, what the person stopped, what the assistant announced last, word for word, and
 * the calls since, and aims with numbers.
 */
export function createStandingFacts(): Extractor {
  let request: Said | undefined;
  let answer: Place | undefined;
  let isWorking = false;
  let stopped: Said | undefined;
  const calls = createDoneSince();
  const spoken: Said[] = [];
  const heard: Said[] = [];
  const keep = (list: Said[], said: Said): void => {
    list.push(said);
    if (list.length > MOST_TEXTS) list.shift();
  };
  return {
    said(text, place) {
      if (place.messageId !== request?.place.messageId) request = { text, place };
      [answer, isWorking, stopped] = [undefined, false, undefined];
      keep(heard, { text, place });
    },
    spoke(text, place) {
      [answer, isWorking] = [place, false];
      keep(spoken, { text, place });
    },
    done(done, place) {
      const { call, outcome, text } = done;
      isWorking = true;
      calls.note(done, place.position);
      const by = callStop(text);
      if (by === undefined || (outcome.status !== 'refused' && outcome.status !== 'stopped'))
        return;
      const how = by === 'refused' ? 'refused by the user, not run' : 'stopped by the user';
      stopped = { text: `${oneLine(subjectOf(call), MAX_SUBJECT)}: ${how}`, place };
    },
    reminded(text, place) {
      if (INTERRUPTED.test(text)) stopped = { text: 'the user interrupted the work', place };
    },
    facts() {
      const facts: Fact[] = [];
      const add = (key: string, value: string, place: Place): void => {
        facts.push({ type: 'standing', key, value, ...place, ...importanceOf('standing') });
      };
      if (request !== undefined && heard.length > 1 && (answer !== undefined || isWorking)) {
        const { position } = request.place;
        const isDone = answer !== undefined && !isWorking;
        const words = oneLine(request.text, MAX_REQUEST);
        if (isDone)
          add('last request', `[${position}] ${words} (answered; no reply since)`, request.place);
        else add('open request', `[${position}] ${words}`, request.place);
      }
      if (stopped !== undefined) add('stopped', stopped.text, stopped.place);
      const next = nextStep(spoken, request?.place.position ?? -1);
      const done = next && calls.since(next.place.position);
      if (next !== undefined) add(keyOf(next.text, done !== undefined), next.text, next.place);
      // beside the message that it is counted from: where that is shown, so are the calls behind it
      if (next !== undefined && done !== undefined) add('since then', done, next.place);
      for (const { text, place } of aims(heard, spoken)) add(`aim ${facts.length}`, text, place);
      return facts;
    },
  };
}

/** Whether calls did what was announced cannot be told from them: who reads them beside it can judge. */
function keyOf(sentence: string, wereCalls: boolean): string {
  if (/\?\W*$/.test(sentence)) return 'the assistant asked';
  return wereCalls ? 'the assistant announced' : 'next step, as the assistant put it';
}

const INTERRUPTED = /\[Request interrupted by user/;

const NEXT =
  /\b(?:next(?: step)?s?\b|now (?:i|let|we)\b|let me\b|let['’]s\b|i['’]ll\b|i will\b|i['’]m (?:going to|about to|now)\b|remaining\b|still (?:need|to do|left|open)\b|want me to\b|should i\b|shall i\b|would you like\b|to do:)/i;

/** What is not to be done, or that nothing is left, announces nothing. */
const NOT_NEXT =
  /\b(?:i|we) (?:won['’]t|will (?:not|never)|shall (?:not|never))\b|\b(?:i['’]ll|we['’]ll|let['’]s|let me|now (?:i|we)|next (?:i|we)) (?:not|never)\b|\b(?:no|nothing)\b(?: \w+)? (?:next|remaining|left|still|open)\b/i;

/** The newest sentence that says what comes next, of what was said since the request. */
function nextStep(spoken: readonly Said[], since: number): Said | undefined {
  for (const { text, place } of spoken.slice(-MOST_LOOKED_AT).toReversed()) {
    if (place.position < since) return undefined;
    const sentence = sentencesIn(plainProse(text)).findLast(
      (each) => NEXT.test(each) && !NOT_NEXT.test(each),
    );
    if (sentence !== undefined) return { text: oneLine(sentence, MAX_SENTENCE), place };
  }
  return undefined;
}

/** A number that is to be reached. */
const AIM =
  /\b(?:goals?|aim|targets?|at (?:least|most)|no more than|less than|under|below|above|within|up to|reach|reduce|increase|bring|get) (?:[\p{L}-]+ ){0,5}?[<>≤≥~]?\s?[$€]?\d|[<>≤≥]=?\s?[$€]?\d/iu;
const WANTED =
  /\b(?:goals?|aims?|targets?|should|must|needs? to|want|has to|have to|reach|bring|reduce|increase|keep|make sure|budget|limit|criteria|acceptance)\b/i;

function aims(heard: readonly Said[], spoken: readonly Said[]): readonly Said[] {
  const found = new Map<string, Said>();
  for (const said of [...heard, ...spoken]) {
    if (!/\d/.test(said.text)) continue;
    for (const sentence of sentencesIn(plainProse(said.text))) {
      if (sentence.length > MAX_SENTENCE || !AIM.test(sentence) || !WANTED.test(sentence)) continue;
      found.set(sentence, { text: sentence, place: said.place });
    }
  }
  return [...found.values()]
    .toSorted((one, other) => other.place.position - one.place.position)
    .slice(0, MOST_AIMS)
    .toReversed();
}
