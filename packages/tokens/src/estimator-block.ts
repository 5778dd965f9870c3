import type { Block } from '@varve/messages';
import { isText, isToolResult, isToolUse } from '@varve/messages';
import { addClasses, type ClassTokens, NO_TOKENS } from './content-class.ts';
import type { FamilyFactors } from './estimator-family.ts';
import { estimateText } from './estimator-text.ts';

// A full-size image on Claude is about 1,600 tokens (1,568 pixels on its long edge).
const MEDIA = 1_600;

export function estimateBlock(block: Block, factors: FamilyFactors): ClassTokens {
  if (isText(block)) return estimateText(block.text);
  if (block.type === 'thinking') return estimateText(String(block.thinking));
  if (block.type === 'image' || block.type === 'document') return { ...NO_TOKENS, media: MEDIA };
  const framing = { ...NO_TOKENS, framing: factors.perToolBlock };
  if (isToolUse(block)) {
    return addClasses(framing, estimateText(`${block.name}${JSON.stringify(block.input) ?? ''}`));
  }
  if (!isToolResult(block)) return estimateText(JSON.stringify(block));
  const { content = '' } = block;
  if (typeof content === 'string') return addClasses(framing, estimateText(content));
  return content.map((inner) => estimateBlock(inner, factors)).reduce(addClasses, framing);
}
