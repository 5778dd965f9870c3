import { isRecord, textOf } from '@varve/guards';
import { sentencesOf, withoutItem } from './evidence/statements.ts';
import { parseText } from './header.ts';
import { hashOf, nameOf } from './memory-file.ts';
import { baseOf } from './path.ts';
import { isStopWord, isWithoutBlanks, wordsOf } from './words.ts';

export const TOMBSTONES = '.tombstones.jsonl';

/** A statement that was forgotten, by the hash of its words alone: what it said is not there. */
export interface Tombstone {
  readonly hash: string;
  readonly reason: string;
  readonly at: string;
}

/** Reads tombstones; a line that is none is skipped. */
export function parseTombstones(text: string): readonly Tombstone[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      if (!isRecord(value) || textOf(value.hash) === '') return [];
      return [{ hash: textOf(value.hash), reason: textOf(value.reason), at: textOf(value.at) }];
    } catch {
      return []; // empty, or half of one
    }
  });
}

export const writeTombstones = (tombstones: readonly Tombstone[]): string =>
  tombstones.map((each) => `${JSON.stringify(each)}\n`).join('');

/** What is hashed of a memory. */
export interface Stated {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly path?: string | undefined;
}

/** Of the text of a file. */
export function statedIn(path: string, text: string): Stated {
  const { header, body } = parseText(text);
  return { name: header.name ?? nameOf(path), description: header.description ?? '', body, path };
}

/**
 * What a memory states, as hashes, whatever its case, marks and blanks: sentences, list items, rows of tables, and headings and
 * names that say more than a subject. What is too short to mean anything alone counts with its label or the name.
 */
export function statementHashes({ name, description, body }: Stated): readonly string[] {
  const stated = new Set<string>();
  const add = (texts: readonly string[], isMeant: (text: string) => boolean): void => {
    for (const text of texts) if (isMeant(text)) stated.add(text);
  };
  for (const { kind, texts, label, isReason } of partsOf(body)) {
    if (kind === 'head') continue;
    if (kind === 'label' || kind === 'cell') add(texts, isTelling);
    else if (isReason) add(texts, isLong);
    else {
      add(texts, isStatement);
      const weak = texts.filter((text) => !isStatement(text) && contentOf(text) > 0);
      add(
        weak.map((text) => bound(label || wordsIn(name), text)),
        () => true,
      );
    }
  }
  add(wordsBySentence(description), isStatement);
  add([wordsIn(name)], isTelling);
  if (stated.size === 0) stated.add(wholeOf({ name, description, body }));
  return [...stated].map(hashOf);
}

/** Every form in which a memory may say again what was forgotten. */
export function formHashes({ name, description, body, path = '' }: Stated): ReadonlySet<string> {
  const subject = wordsIn(name);
  const forms = new Set([subject, wholeOf({ name, description, body })]);
  for (const text of wordsBySentence(description)) forms.add(text);
  for (const { texts, label } of partsOf(body)) {
    for (const text of texts) {
      forms.add(text);
      for (const each of [label, subject]) forms.add(bound(each, text));
    }
  }
  const file = wordsIn(baseOf(path).replace(/\.md$/i, ''));
  forms.add(file);
  forms.add(file.replace(/^(?:user|feedback|project|reference) /, ''));
  return new Set([...forms].map(hashOf));
}

const bound = (label: string, text: string): string => (label === '' ? text : `${label} ${text}`);
const wholeOf = ({ name, description, body }: Stated): string =>
  wordsIn(`${name}\n${description}\n${body}`);

interface Part {
  /** `head`: of a table, which says what is below it. */
  readonly kind: 'sentence' | 'label' | 'cell' | 'head';
  /** Normalised. */
  readonly texts: readonly string[];
  /** The heading or label above it, normalised. */
  readonly label: string;
  /** Below `Why` or `How to apply`: it explains, and states little by itself. */
  readonly isReason: boolean;
}

const HEADING = /^\s{0,3}#{1,6}(?:\s|$)/;
const LABEL = /[:：][\s*_]*$/;
const ITEM = /^[\s>]*(?:[-*+•‣]|\d{1,3}[.)])\s/;
const ROW = /^[\s>]*\|.*\|\s*$/;
/** A rule, or what stands below the head of a table. */
const isRule = (line: string): boolean => line.includes('-') && /^[\s>:|-]+$/.test(line);
const REASON =
  /^[\s>*_#-]*(?:why|how(?: to apply)?(?: it)?|reasons?|because)[\s*_]*(?:[:：][\s*_]*|$)/i;

/** A body in parts. Lines that were broken count as one, and each by itself. */
function partsOf(body: string): readonly Part[] {
  const parts: Part[] = [];
  const lines = body.split(/\r\n|\n|\r/);
  let [label, isReason] = ['', false];
  let open: string[] = [];
  const close = (): void => {
    const texts = [...wordsBySentence(open.join(' ')), ...open.flatMap(wordsBySentence)];
    if (open.length > 0) parts.push({ kind: 'sentence', texts: unique(texts), label, isReason });
    open = [];
  };
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1] ?? '';
    if (line.trim() === '' || isRule(line)) {
      if (open.length > 0) {
        close();
        isReason = false;
      }
    } else if (ROW.test(line)) {
      close();
      const isHead = isRule(next) && next.includes('|');
      const cells = line
        .split('|')
        .map(wordsIn)
        .filter((cell) => cell !== '');
      const row = { texts: [cells.join(' ')], label, isReason: false };
      parts.push({ kind: isHead ? 'head' : 'sentence', ...row });
      parts.push({ kind: isHead ? 'head' : 'cell', ...row, texts: cells });
    } else if (HEADING.test(line) || LABEL.test(line) || /^\s*(?:=+|-+)\s*$/.test(next)) {
      close();
      isReason = REASON.test(line) || (isReason && !HEADING.test(line) && !LABEL.test(line));
      label = isReason ? '' : wordsIn(line);
      parts.push({ kind: 'label', texts: [wordsIn(line)], label: '', isReason });
    } else {
      const isNew = ITEM.test(line) || REASON.test(line);
      if (isNew) close();
      if (REASON.test(line)) isReason = true;
      open.push(withoutItem(line).replace(REASON, ''));
    }
  }
  close();
  return parts;
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

const wordsBySentence = (text: string): readonly string[] =>
  text
    .split(/[\r\n]+/)
    .flatMap(sentencesOf)
    .map(wordsIn)
    .filter((sentence) => sentence !== '');

/** The words of a text, one blank between them; of a link what is shown. */
const wordsIn = (text: string): string =>
  wordsOf(text.replace(/\]\([^()\s]*\)|<\/?[a-z][^<>]{0,200}>/gi, ' ')).join(' ');

/** How much a text says: scripts without blanks by two characters. */
const unitsOf = (words: readonly string[]): number =>
  words.reduce((sum, word) => sum + (isWithoutBlanks(word) ? Math.ceil(word.length / 2) : 1), 0);

const isContent = (word: string): boolean =>
  !isStopWord(word) && (word.length > 2 || /[^a-z]/.test(word));
const contentOf = (text: string): number => unitsOf(text.split(' ').filter(isContent));

const isLong = (text: string): boolean => unitsOf(text.split(' ')) >= 3;

/** It means something without what stands around it: three words, two of content, or one with digits. */
const isStatement = (text: string): boolean =>
  isLong(text) || contentOf(text) >= 2 || (/\d/.test(text) && /\S{5}/.test(text));

/** Words that headings and names of all subjects have. */
const GENERIC = new Set(
  'about apply applies background context detail details example examples fact facts general how important info information issue issues key know list main memory more next note notes open overview point points problem question questions reason reasons reference related rule rules see setup status step steps summary thing things todo usage way what when where why work works'.split(
    ' ',
  ),
);

/** A heading, a name or a cell that says more than what it is about. */
const isTelling = (text: string): boolean =>
  isLong(text) &&
  unitsOf(text.split(' ').filter((word) => isContent(word) && !GENERIC.has(word))) >= 2;
