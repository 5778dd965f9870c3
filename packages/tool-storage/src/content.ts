import { fingerprint } from '@varve/messages';
import type { BlockLike } from '@varve/messages/blocks';
import type { storedHandleOf } from '@varve/messages/stored';
import { decodeBytes, isBinaryText, magicOf } from './bytes.ts';
import { readable, readableForm, readableJson } from './escapes.ts';
import { type Mark, markBy, markOf } from './mark.ts';
import { lookAt } from './text-look.ts';

type StoredExtension = Parameters<typeof storedHandleOf>[2];

/** What a tool gave: text, blocks of any provider's shape, or the bytes of a process or a file. */
export type OutputContent<B extends BlockLike = BlockLike> = string | readonly B[] | Uint8Array;

/** What may stand in a `tool_result`. Text that we wrote comes as a text block where the result was blocks. */
export type ShownContent<B extends BlockLike = BlockLike> = string | (B | TextPiece)[];

export interface TextPiece {
  readonly type: 'text';
  readonly text: string;
}

/** A result as this package looks at it. */
export interface Material {
  /** What can be read of it, without terminal escapes; empty for binary. */
  readonly text: string;
  /** UTF-16 units of the text that are none of ASCII, where they were counted. */
  readonly beyondAscii?: number | undefined;
  /** The same content without terminal escapes, where it had any: what stands in the context of a result that is kept. */
  readonly clean?: string | readonly BlockLike[] | undefined;
  /** What it is, where it cannot be read. */
  readonly binary?: string | undefined;
  readonly extension: StoredExtension;
  /** Tells equal contents from different ones. */
  readonly mark: Mark;
  /** What is stored; read back by `restoreContent`. */
  encode(): Uint8Array;
}

export function materialOf(content: OutputContent): Material {
  if (typeof content === 'string') return textMaterial(content);
  if (content instanceof Uint8Array) return bytesMaterial(content);
  const clean = cleanBlocks(content);
  return {
    text: textOfBlocks(clean),
    clean: clean === content ? undefined : clean,
    extension: 'json',
    mark: markOf(content),
    encode: () => encodeText(JSON.stringify(content)),
  };
}

/** Half surrogates have no UTF-8: such a text is stored as a JSON string, where they are escaped. */
function textMaterial(text: string): Material {
  const isPlain = text.isWellFormed();
  const { hasControls, beyondAscii } = lookAt(text);
  const shown = hasControls ? readable(text) : readableJson(text);
  const clean = shown || text;
  // what is binary holds something that is not shown, or characters that stand for what could not be read
  const mayBeBinary = shown !== text || text.includes('\ufffd');
  const isBinary = mayBeBinary && isBinaryText(text);
  return {
    text: clean,
    beyondAscii: clean === text ? beyondAscii : undefined,
    clean: clean === text ? undefined : clean,
    binary: isBinary ? 'binary data that was read as text' : undefined,
    extension: isPlain ? 'txt' : 'json',
    mark: markOf(text),
    encode: () => encodeText(isPlain ? text : JSON.stringify(text)),
  };
}

function bytesMaterial(bytes: Uint8Array): Material {
  const { encoding, text } = decodeBytes(bytes);
  if (encoding === 'utf-8') return { ...textMaterial(text), binary: undefined };
  const binary = encoding === 'binary' ? (magicOf(bytes) ?? 'binary data') : undefined;
  return {
    text: readableForm(text),
    binary,
    extension: 'bin',
    mark: markBy(fingerprint(new TextDecoder('latin1').decode(bytes))),
    encode: () => bytes,
  };
}

/** The same list where no text has an escape. */
function cleanBlocks<B extends BlockLike>(blocks: readonly B[]): readonly B[] {
  const clean = blocks.map(cleanBlock);
  return clean.every((block, index) => block === blocks[index]) ? blocks : clean;
}

function cleanBlock<B extends BlockLike>(block: B): B {
  const { text, source, content } = block as unknown as Fields;
  if (block.type === 'text') {
    const clean = typeof text === 'string' ? readableForm(text) : text;
    return clean === text ? block : { ...block, text: clean };
  }
  if (textOf(block) === undefined) return block;
  if (block.type === 'search_result') {
    const inner = cleanBlocks(content as readonly BlockLike[]);
    return inner === content ? block : { ...block, content: inner };
  }
  const { data, content: held } = source as Fields;
  if (typeof data === 'string') {
    const clean = readableForm(data);
    return clean === data ? block : { ...block, source: { ...(source as Fields), data: clean } };
  }
  const inner = Array.isArray(held) ? cleanBlocks(held) : readableForm(String(held));
  return inner === held ? block : { ...block, source: { ...(source as Fields), content: inner } };
}

type Fields = Readonly<Record<string, unknown>>;

/** What was stored, as it was given; bytes that were UTF-8 come back as text. */
export function restoreContent(bytes: Uint8Array, extension: StoredExtension): OutputContent {
  if (extension === 'bin') return bytes;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return extension === 'txt' ? text : (JSON.parse(text) as string | readonly BlockLike[]);
}

/** What can be read of blocks: their texts, one below the other, media named by kind. */
export function textOfBlocks(blocks: readonly BlockLike[]): string {
  return blocks.map((block) => textOf(block) ?? `[${block.type}]`).join('\n');
}

/** The text of a text block, of a document that is text or text blocks, and of a search result; `undefined` for all else. */
export function textOf(block: BlockLike): string | undefined {
  const { type, text, title, source, content } = block as unknown as Fields;
  if (type === 'text') return typeof text === 'string' ? text : '';
  if (type === 'search_result') {
    const found = textsOf(content);
    const from = [title, source].filter((each) => typeof each === 'string').join(' · ');
    return found === undefined ? undefined : `${from}\n${found}`.trim();
  }
  if (type !== 'document' || typeof source !== 'object' || source === null) return undefined;
  const { type: kind, data, content: held } = source as Fields;
  if (kind === 'text') return typeof data === 'string' ? data : undefined;
  if (kind === 'content') return typeof held === 'string' ? held : textsOf(held);
  return undefined;
}

/** The texts of a list that holds nothing but text blocks. */
function textsOf(blocks: unknown): string | undefined {
  if (!Array.isArray(blocks) || blocks.length === 0) return undefined;
  const texts = blocks.map((block: Fields | null) =>
    block?.type === 'text' && typeof block.text === 'string' ? block.text : undefined,
  );
  return texts.includes(undefined) ? undefined : texts.join('\n');
}

/** The blocks with `text` in place of all that is text; media and unknown blocks stay as they are, in their order. */
export function withText<B extends BlockLike>(
  blocks: readonly B[],
  text: string,
): (B | TextPiece)[] {
  const first = blocks.findIndex((block) => textOf(block) !== undefined);
  return blocks.flatMap((block, index): (B | TextPiece)[] => {
    if (index === first) return [{ type: 'text', text }];
    return textOf(block) === undefined ? [block] : [];
  });
}

const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text);
