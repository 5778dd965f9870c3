import type { ClassTokens, ContentClass } from './content-class.ts';
import type { TokenizerFamily } from './model-info.ts';

/** How a provider prices a picture. */
export type ImageCost =
  /** One token for each square of `patch` pixels, after scaling down to `longEdge` and `maxTokens`. */
  | {
      readonly kind: 'patches';
      readonly patch: number;
      readonly longEdge: number;
      readonly maxTokens: number;
    }
  /** `base` and `perTile` for each square of `tile` pixels, after scaling into `longEdge` and then down to `shortEdge`. */
  | {
      readonly kind: 'tiles';
      readonly tile: number;
      readonly base: number;
      readonly perTile: number;
      readonly longEdge: number;
      readonly shortEdge: number;
    }
  | { readonly kind: 'fixed'; readonly tokens: number };

/** How a tokenizer family counts, beside o200k. These are priors: calibrate them on billed usage where there is any. */
export interface FamilyFactors {
  /** Tokens per o200k token of the same text. */
  readonly ratio: Readonly<Record<Exclude<ContentClass, 'media' | 'framing'>, number>>;
  /**
   * Counts a string in o200k.
   * @default by estimate
   */
  readonly countText?: (text: string) => ClassTokens;
  readonly image: ImageCost;
  /** Tokens a message costs beyond its blocks. */
  readonly perMessage: number;
  /** Tokens a tool call or a tool result costs beyond its name, input and content. */
  readonly perToolBlock: number;
  /** Tokens a request costs beyond its head and messages. */
  readonly perRequest: number;
  /** Tokens that the presence of any tool adds. */
  readonly toolsPresent: number;
  /** Tokens a tool costs beyond its definition. */
  readonly perTool: number;
}

// Anthropic's vision page: squares of 28 pixels; 1,568 pixels and about 1,600 tokens at most, from Opus 4.7 on 2,576 pixels
// and 4,784 tokens.
const CLAUDE_OLD_IMAGE = { kind: 'patches', patch: 28, longEdge: 1_568, maxTokens: 1_568 } as const;
const CLAUDE_NEW_IMAGE = { kind: 'patches', patch: 28, longEdge: 2_576, maxTokens: 4_784 } as const;

// OpenAI's vision page, `detail: high`, GPT-4o; GPT-5 takes 70 and 140.
const OPENAI_IMAGE = {
  kind: 'tiles',
  tile: 512,
  base: 85,
  perTile: 170,
  longEdge: 2_048,
  shortEdge: 768,
} as const;

// Google's page on media resolution: what a picture takes at the default setting of Gemini 3.
const GEMINI_IMAGE = { kind: 'fixed', tokens: 1_120 } as const;

// What ai-tokenizer 1.0.6 measured for Opus 4.5: 6 a request, 2 a message, 549 where there are tools, 53 a tool. What a call
// or result is wrapped in is not published.
const CLAUDE_FRAMING = {
  perRequest: 6,
  perMessage: 2,
  perToolBlock: 12,
  toolsPresent: 549,
  perTool: 53,
};

// The newer vocabulary gives about 30 % more tokens for the same text.
const CLAUDE_NEW_FRAMING = {
  perRequest: 8,
  perMessage: 3,
  perToolBlock: 16,
  toolsPresent: 714,
  perTool: 69,
};

// OpenAI's cookbook on counting for chat: 3 a message and 3 for the reply; 7 and 12 around a function.
const OPENAI_FRAMING = {
  perRequest: 3,
  perMessage: 3,
  perToolBlock: 8,
  toolsPresent: 12,
  perTool: 19,
};

const FAMILIES: Readonly<Record<TokenizerFamily, FamilyFactors>> = {
  o200k: {
    ratio: { text: 1, dense: 1, cjk: 1, script: 1 },
    image: OPENAI_IMAGE,
    ...OPENAI_FRAMING,
  },
  // Billed usage per o200k token is 1.15 to 1.3 up to Opus 4.6 and 1.6 to 1.75 from Opus 4.7 on, over 16 sessions. How it
  // falls on the classes follows the one Claude vocabulary that is public, that of 2023.
  'claude-old': {
    ratio: { text: 1.22, dense: 1.1, cjk: 1.3, script: 1.65 },
    image: CLAUDE_OLD_IMAGE,
    ...CLAUDE_FRAMING,
  },
  'claude-new': {
    ratio: { text: 1.68, dense: 1.5, cjk: 1.6, script: 2.1 },
    image: CLAUDE_NEW_IMAGE,
    ...CLAUDE_NEW_FRAMING,
  },
  // Sessions show 2.5 to 4.2 characters a token against 3.2 to 4.4 for o200k. Digits are tokens of their own.
  gemini: {
    ratio: { text: 1.1, dense: 1.5, cjk: 1, script: 1.1 },
    image: GEMINI_IMAGE,
    ...OPENAI_FRAMING,
  },
  // No measurement: o200k and a tenth, since counting too little is what overflows a window.
  deepseek: {
    ratio: { text: 1.1, dense: 1.1, cjk: 1, script: 1.3 },
    image: GEMINI_IMAGE,
    ...OPENAI_FRAMING,
  },
  unknown: {
    ratio: { text: 1.25, dense: 1.15, cjk: 1.3, script: 1.6 },
    image: CLAUDE_OLD_IMAGE,
    ...OPENAI_FRAMING,
  },
};

/** What is known of a family. */
export const familyFactors = (family: TokenizerFamily): FamilyFactors => FAMILIES[family];
