import type { ContentClass } from './content-class.ts';
import type { TokenizerFamily } from './model-info.ts';

/** How a tokenizer family counts, beside o200k. */
export interface FamilyFactors {
  /** Tokens per o200k token of the same text, by class. */
  readonly ratio: Readonly<Record<ContentClass, number>>;
  /** Tokens a message costs beyond its blocks. */
  readonly perMessage: number;
  /** Tokens a tool call or result costs beyond its name, input and content. */
  readonly perToolBlock: number;
  /** Tokens that the presence of any tool adds. */
  readonly toolsPresent: number;
  /** Tokens a tool costs beyond its definition. */
  readonly perTool: number;
}

export const familyFactors = (_family: TokenizerFamily): FamilyFactors => ({
  ratio: { text: 1, dense: 1, cjk: 1, script: 1, media: 1, framing: 1 },
  perMessage: 4,
  perToolBlock: 8,
  toolsPresent: 0,
  perTool: 8,
});
