import { cutText } from '@varve/messages/text';
import { cutWords } from './names.ts';

/** UTF-16 units; of a longer text both ends are read. */
const MOST_READ = 20_000;

/** A text on one line, without code blocks, rules, and the marks of headings and bold text: what is said in words. */
export function plainProse(text: string): string {
  const read =
    text.length > MOST_READ
      ? `${cutText(text, MOST_READ / 2)}\n…\n${cutText(text, MOST_READ / 2, { from: 'end' })}`
      : text;
  let fenced = false;
  const lines: string[] = [];
  for (const line of read.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    else if (!fenced && !/^[\s|:=*_-]*$/.test(line)) lines.push(plainLine(line));
  }
  return lines.join(' ').trim();
}

/** A line of a list or a heading ends as a sentence does, so that lines stay apart on one. */
function plainLine(line: string): string {
  const plain = line
    .replace(/^\s*(?:#{1,6}\s+|>\s+)/, '')
    .replaceAll('**', '')
    .replace(/\s+/g, ' ')
    .trim();
  return /[.!?:;,…)|]$/.test(plain) ? plain : `${plain}.`;
}

/** Sentences of a text on one line. */
export const sentencesIn = (line: string): readonly string[] =>
  line.split(
    /(?<=[.!?。！？])(?<!\b(?:e\.g|i\.e|etc|vs|cf)\.)(?<!(?:^|[.:;!?)|]\s)\d{1,2}\.)\s+(?=\S)/,
  );

/** What says something of how things are, why, or what is to be done. */
const TELLS =
  /\b(?:because|caused?|causes|due to|turns out|found|finding|issue|problem|bug|reason|fix(?:ed|es)?|however|but|instead|rather than|decided?|decision|chose|choose|will not|won['’]t|can['’]t|cannot|must|should|needs?|missing|wrong|broken|breaks|fail(?:s|ed|ing)?|passes|passed|resolved|confirmed|verified|remaining|remains|left|next|pending|blocked|means|therefore|only|never|no longer|works?|changed|added|removed|created|pushed|committed|merged|done|plan|goal|target|recommend|option|approach)\b/i;
/** A look, or a word of cheer, that is announced. */
const FILLER =
  /^(?:(?:ok(?:ay)?|good|great|perfect|excellent|alright|sure|now|first|next|also|so|and|then)[,.!: ]+)*(?:(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i am going to|i['’]m|i need to|i want to|we need to)\s+(?:now |also |just |quickly |first |next |then )*(?:look|check|see|read|examine|explore|view|find|search|start|take|verify|run|understand|inspect|get|try|double|investigate|continue|use)\w*\b|(?:ok(?:ay)?|good|great|perfect|excellent|alright|sure|done)[.!]?$|looking|checking|reading|searching|running)/i;
const NAMES = /`[^`]+`|\b\w+[._/]\w+|\b\p{Ll}+\p{Lu}\w*|\d/u;

/** Why it is announced, or what is not done for it: that is worth knowing even of a look. */
const REASONED =
  /\b(?:because|since (?!then\b)|so (?:that )?(?:the|it|i|we|this|that|no)\b|instead of|rather than|not (?:to )?\w+ but|without)\b/i;

/** How much a sentence says to somebody who goes on: below 0 a look that is announced, from 1 on a finding. */
export function sentenceWorth(sentence: string): number {
  if (FILLER.test(sentence)) return REASONED.test(sentence) ? 1 : -1;
  return (TELLS.test(sentence) ? 1 : 0) + (NAMES.test(sentence) ? 1 : 0);
}

/** Whole sentences of a line in at most so many UTF-16 units: from the beginning, and its end where that is asked for. */
export function cutSentences(line: string, units: number, endShare = 0): string {
  if (line.length <= units) return line;
  const sentences = sentencesIn(line);
  const tail: string[] = [];
  let [from, to, left] = [0, sentences.length, units];
  for (let room = units * endShare; to > 1; to--) {
    room -= (sentences[to - 1] as string).length + 1;
    if (room < 0) break;
    tail.unshift(sentences[to - 1] as string);
  }
  left -= tail.join(' ').length;
  while (from < to && (sentences[from] as string).length + 1 <= left)
    left -= (sentences[from++] as string).length + 1;
  const head = from === 0 ? [`${cutWords(line, Math.max(1, left))}…`] : sentences.slice(0, from);
  const gap = from > 0 && from < to ? ['…'] : [];
  return [...head, ...gap, ...tail].join(' ');
}

/** Every sentence of a text that says how things are, why, or what is to be done, word for word; empty where none does. */
export const findingsIn = (text: string): string =>
  tellingSentences(rateSentences(plainProse(text)), Number.POSITIVE_INFINITY);

/** A sentence with its place in its text, and how much it says. */
export interface RatedSentence {
  readonly sentence: string;
  readonly index: number;
  readonly worth: number;
}

/** The sentences of a line that say something, those that say most first. */
export const rateSentences = (line: string): readonly RatedSentence[] =>
  sentencesIn(line)
    .map((sentence, index) => ({ sentence, index, worth: sentenceWorth(sentence) }))
    .filter(({ worth }) => worth > 0)
    .toSorted((one, other) => other.worth - one.worth || one.index - other.index);

/** The sentences that say most, in their order, in at most so many UTF-16 units; empty where none says anything. */
export function tellingSentences(rated: readonly RatedSentence[], units: number): string {
  let left = units;
  return rated
    .filter(({ sentence }) => {
      if (sentence.length + 1 > left) return false;
      left -= sentence.length + 1;
      return true;
    })
    .toSorted((one, other) => one.index - other.index)
    .map(({ sentence }) => sentence)
    .join(' ');
}
