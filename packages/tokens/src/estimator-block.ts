import { isRecord } from '@varve/guards';
import type { Block } from '@varve/messages';
import { addClasses, type ClassTokens, NO_TOKENS, scaleClasses } from './content-class.ts';
import type { FamilyFactors } from './estimator-family.ts';
import { imageTokens, UNSIZED_MEDIA_TOKENS } from './estimator-media.ts';
import { estimateText } from './estimator-text.ts';
import { looseJson } from './loose-json.ts';

/** Tokens of a string in a family's tokenizer; of any other value, tokens of its JSON. */
export function familyText(value: unknown, factors: FamilyFactors): ClassTokens {
  const { ratio, countText = estimateText } = factors;
  return scaleClasses(countText(typeof value === 'string' ? value : jsonOf(value)), ratio);
}

/** Levels of blocks inside of blocks that are counted one by one; what is deeper counts as its JSON, since each costs stack. */
const MAX_DEPTH = 200;

/** Tokens of one block in a family's tokenizer; a block of no known type counts as its JSON. */
export function estimateBlock(block: Block, factors: FamilyFactors, depth = 0): ClassTokens {
  // Not by the guards of `messages`: an estimate alone should not load that package.
  switch (block.type) {
    case 'text':
      return familyText(block.text, factors);
    case 'tool_use':
      return framed(familyText(`${block.name}${jsonOf(block.input)}`, factors), factors);
    case 'tool_result':
      return framed(estimateContent(block.content, factors, depth), factors);
    case 'thinking':
      return thinking(block, factors);
    case 'redacted_thinking':
      return hidden(block.data);
    default:
      return other(block, factors, depth);
  }
}

function other(block: Block, factors: FamilyFactors, depth: number): ClassTokens {
  if (IMAGES.has(block.type)) return media(imageTokens(factors.image, base64Of(block)));
  if (FILES.has(block.type)) return file(block, factors, depth);
  // Results of tools that the provider runs hold blocks of their own; anything else is what it reads as.
  return Array.isArray(block.content)
    ? framed(estimateContent(block.content, factors, depth), factors)
    : familyText(block, factors);
}

/** Tokens of a message's or a result's content: a string, or blocks. */
export function estimateContent(content: unknown, factors: FamilyFactors, depth = 0): ClassTokens {
  if (content === undefined || content === null) return NO_TOKENS;
  if (!Array.isArray(content) || depth >= MAX_DEPTH) return familyText(content, factors);
  return content.map((inner) => inside(inner, factors, depth + 1)).reduce(addClasses, NO_TOKENS);
}

const inside = (value: unknown, factors: FamilyFactors, depth: number): ClassTokens =>
  isBlock(value) ? estimateBlock(value, factors, depth) : familyText(value, factors);

const isBlock = (value: unknown): value is Block =>
  isRecord(value) && typeof value.type === 'string';

const framed = (classes: ClassTokens, factors: FamilyFactors): ClassTokens =>
  addClasses(classes, { ...NO_TOKENS, framing: factors.perToolBlock });

const media = (tokens: number): ClassTokens => ({ ...NO_TOKENS, media: tokens });

// Encrypted thinking is about as long in base64 as the thinking in characters, plus a third, and prose has about four
// characters a token. Nobody publishes it; billed usage corrects it.
const ENCRYPTED_UNITS_PER_TOKEN = 5;

const hidden = (encrypted: unknown): ClassTokens => ({
  ...NO_TOKENS,
  text: typeof encrypted === 'string' ? encrypted.length / ENCRYPTED_UNITS_PER_TOKEN : 0,
});

/** What can be read where there is something to read, else what its signature hides. */
const thinking = (block: Block, factors: FamilyFactors): ClassTokens =>
  block.thinking === '' ? hidden(block.signature) : familyText(block.thinking, factors);

const IMAGES: ReadonlySet<string> = new Set(['image', 'image_url', 'input_image']);
const FILES: ReadonlySet<string> = new Set([
  'document',
  'file',
  'input_file',
  'input_audio',
  'audio',
  'video',
]);

/** The base64 of a picture, where it is in the block: as a source, or in a data URL. */
function base64Of({ source, image_url: imageUrl }: Block): string | undefined {
  if (isRecord(source)) return typeof source.data === 'string' ? source.data : undefined;
  const url = isRecord(imageUrl) ? imageUrl.url : imageUrl;
  if (typeof url !== 'string' || !url.startsWith('data:')) return undefined;
  return url.slice(url.indexOf(',') + 1);
}

function file(
  { source, title, context }: Block,
  factors: FamilyFactors,
  depth: number,
): ClassTokens {
  const head = estimateContent(
    [title, context].filter((part) => typeof part === 'string'),
    factors,
  );
  const isReadable = isRecord(source) && (source.type === 'text' || source.type === 'content');
  if (!isReadable) return addClasses(head, media(UNSIZED_MEDIA_TOKENS));
  return addClasses(head, estimateContent(source.data ?? source.content, factors, depth));
}

/** JSON of a value; of one that JSON cannot write, what can be read of it. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return [...looseJson(value)].join('');
  }
}
