import { isRecord } from '@varve/guards';
import { type Block, isText, isToolResult, type Message } from '@varve/messages';
import { isMedia } from '@varve/messages/blocks';
import { personBlocks } from '@varve/messages/persons';
import { cutMiddle } from '@varve/messages/text';
import { isPersonsAnswer } from '../persons-answer.ts';
import { stripBlock } from './strip-media.ts';

type SizeOf = (message: Message) => number;

/**
 * What of results may give way: the middle of `texts`; then `media` too; then, with `all`, whatever a result holds, down to
 * the words that it was left out.
 */
export type GivesWay = 'texts' | 'media' | 'all';

/** A result keeps so many UTF-16 units at least while it is readable: a line or two at each end. */
const LEAST_UNITS = 300;
/** How often the length is halved that results are cut to; the last step is 2 % off at most. */
const STEPS = 10;

/**
 * Messages whose tool results are cut to one length, so that all of them have so many tokens together: texts that are
 * shorter stay whole. What an agent put beside results counts as one. Calls, what a person said beside results or in place of
 * one, and media of theirs never change, so what does not fit then is over. O(steps × results).
 */
export function fitResults(
  messages: readonly Message[],
  mostTokens: number,
  sizeOf: SizeOf,
  { givesWay }: { readonly givesWay: GivesWay },
): readonly Message[] {
  const fits = (of: readonly Message[]) =>
    of.reduce((sum, message) => sum + sizeOf(message), 0) <= mostTokens;
  if (fits(messages)) return messages;
  let shortest = messages;
  for (const { way, form, least } of WAYS) {
    const formed = mapSame(messages, (message) => mapResults(message, form));
    shortest = cutTo(formed, least);
    if (fits(shortest)) return longestThatFits(formed, { shortest, least, fits });
    if (way === givesWay) break;
  }
  return shortest;
}

/** What is tried, in this order: the form that results are brought into, and the fewest units that its texts are cut to. */
const WAYS: readonly {
  readonly way: GivesWay;
  readonly form: (block: Block) => Block;
  readonly least: number;
}[] = [
  { way: 'texts', form: (block) => block, least: LEAST_UNITS },
  { way: 'media', form: withoutMedia, least: LEAST_UNITS },
  { way: 'all', form: asOneText, least: 0 },
];

interface Fitting {
  /** All texts cut to `least`: what is known to fit. */
  readonly shortest: readonly Message[];
  readonly least: number;
  readonly fits: (messages: readonly Message[]) => boolean;
}

function longestThatFits(
  messages: readonly Message[],
  { shortest, least, fits }: Fitting,
): readonly Message[] {
  let [low, high, fitted] = [least, longestOf(messages), shortest];
  for (let step = 0; step < STEPS && high > low * CLOSE + 1; step++) {
    const units = Math.floor(Math.sqrt(Math.max(1, low) * high));
    const cut = cutTo(messages, units);
    if (fits(cut)) [low, fitted] = [units, cut];
    else high = units;
  }
  return fitted;
}

const CLOSE = 1.02;

/** UTF-16 units of the longest text in a result. */
function longestOf(messages: readonly Message[]): number {
  let longest = 0;
  const measure = (text: string) => {
    longest = Math.max(longest, text.length);
    return text;
  };
  for (const message of messages) mapResults(message, (block) => mapTexts(block, measure));
  return longest;
}

const cutTo = (messages: readonly Message[], units: number): readonly Message[] =>
  mapSame(messages, (message) => cutResults(message, units));

/** The message with every text in its results cut to about so many units; the same object where none is longer. */
export const cutResults = (message: Message, units: number): Message =>
  mapResults(message, (block) =>
    mapTexts(block, (text) => cutText(text, isText(block) ? Math.max(units, LEAST_UNITS) : units)),
  );

/** The message with each result, and each block that an agent put beside one, as `change` makes it; the same object where none changes. */
function mapResults(message: Message, change: (block: Block) => Block): Message {
  if (!message.content.some(isToolResult)) return message;
  const stays = new Set(persons(message));
  const content = mapSame(message.content, (block) => (stays.has(block) ? block : change(block)));
  return content === message.content ? message : { ...message, content };
}

/** Tokens of the messages without what `fitResults` may cut. */
export const besideResults = (messages: readonly Message[], sizeOf: SizeOf): number =>
  messages.reduce((sum, message) => {
    if (!message.content.some(isToolResult)) return sum + sizeOf(message);
    const content = persons(message);
    return content.length === 0 ? sum : sum + sizeOf({ ...message, content });
  }, 0);

/** What of a message with results is a person's. */
function persons(message: Message): readonly Block[] {
  const said = new Set<unknown>(personBlocks(message));
  return message.content.filter((block) => said.has(block) || isPersonsAnswer(block));
}

/** The block with each text that a model reads in it as `change` makes it: of results, documents and search results too. */
function mapTexts(block: Block, change: (text: string) => string, depth = 0): Block {
  if (!isRecord(block) || depth > MOST_DEPTH) return block;
  if (block.type === 'text') return withField(block, 'text', change);
  if (block.type === 'tool_result' || block.type === 'search_result') {
    return withField(block, 'content', change, depth);
  }
  if (!isReadable(block)) return block;
  const source = block.source as Block;
  const changed = withField(source, source.type === 'text' ? 'data' : 'content', change, depth);
  return changed === source ? block : { ...block, source: changed };
}

/** Levels of blocks in blocks; a document in a result, and what it holds, are three. */
const MOST_DEPTH = 4;

/** A text, or a list of blocks, in a field; what is neither stays. */
function withField(
  block: Block,
  field: string,
  change: (text: string) => string,
  depth = 0,
): Block {
  const value = block[field];
  if (typeof value !== 'string' && !Array.isArray(value)) return block;
  const changed =
    typeof value === 'string'
      ? change(value)
      : mapSame(value as readonly Block[], (inner) => mapTexts(inner, change, depth + 1));
  return changed === value ? block : { ...block, [field]: changed };
}

/** A document whose text stands in it; any other is media. */
const isReadable = ({ type, source }: Block): boolean =>
  type === 'document' && isRecord(source) && (source.type === 'text' || source.type === 'content');

/** A result, or what an agent put beside it, with short texts in place of images and of files that are no text. */
function withoutMedia(block: Block): Block {
  if (isReadable(block)) return block;
  if (!isToolResult(block) || !Array.isArray(block.content)) return stripBlock(block);
  const content = mapSame(block.content as readonly Block[], withoutMedia);
  return content === block.content ? block : { ...block, content };
}

/** A result as a single text, with the names of what is none; what makes tools known stays beside it. */
function asOneText(block: Block): Block {
  if (!isToolResult(block) || !Array.isArray(block.content)) return withoutMedia(block);
  const blocks = block.content as readonly Block[];
  const others = blocks.filter(({ type }) => type === 'tool_reference');
  const text = blocks.flatMap(readOf).join('\n');
  if (text.trim() === '') return block;
  return { ...block, content: others.length === 0 ? text : [{ type: 'text', text }, ...others] };
}

function readOf(block: Block): string[] {
  if (block.type === 'tool_reference') return [];
  const texts: string[] = [];
  mapTexts(block, (text) => {
    texts.push(text);
    return text;
  });
  if (isText(block)) return texts;
  const { title, source } = block;
  if (block.type !== 'search_result' && !isReadable(block)) {
    const stripped = isMedia(block) ? stripBlock(block) : undefined;
    return [stripped && isText(stripped) ? stripped.text : `[${block.type} was here]`];
  }
  const from = [title, source].filter((part) => typeof part === 'string');
  return [...(from.length > 0 ? [from.join(' · ')] : []), ...texts];
}

function cutText(text: string, units: number): string {
  const half = Math.ceil(units / 2);
  const cut = cutMiddle(text, {
    headUnits: half,
    tailUnits: half,
    marker: units === 0 ? '[left out]' : (left) => `\n[${left} characters left out]\n`,
  });
  return cut.length < text.length ? cut : text;
}

/** The list itself where nothing in it changes. */
function mapSame<T>(list: readonly T[], change: (each: T) => T): readonly T[] {
  const changed = list.map(change);
  return changed.some((each, index) => each !== list[index]) ? changed : list;
}
