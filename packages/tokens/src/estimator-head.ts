import type { Head } from '@varve/messages';
import { addClasses, type ClassTokens, NO_TOKENS } from './content-class.ts';
import { familyText } from './estimator-block.ts';
import type { FamilyFactors } from './estimator-family.ts';

/** The parts of a head that cost tokens. */
export type HeadLike = Pick<Head, 'system' | 'tools'>;

/** Tokens of what stands before the messages: system prompt, tool definitions as JSON, and what they are wrapped in. */
export function estimateHead({ system, tools }: HeadLike, factors: FamilyFactors): ClassTokens {
  const framing =
    factors.perRequest +
    (tools.length === 0 ? 0 : factors.toolsPresent + tools.length * factors.perTool);
  const parts = [
    ...system.map((block) => familyText(block.text, factors)),
    ...tools.map((tool) => familyText(tool, factors)),
  ];
  return parts.reduce(addClasses, { ...NO_TOKENS, framing });
}
