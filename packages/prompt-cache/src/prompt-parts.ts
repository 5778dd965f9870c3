import { type Block, isThinking, isToolResult, isToolUse } from '@varve/messages';
import { blocksOf, type CacheMessage, type CacheRequest } from './cache-request.ts';
import type { PromptSizes } from './prompt-sizes.ts';

/** What stands in a prompt: who it is from, and what it is. */
export const PROMPT_PARTS = [
  'tools',
  'system',
  'words',
  'answers',
  'thinking',
  'calls',
  'results',
  'summaries',
  'reminders',
] as const;
export type PromptPart = (typeof PROMPT_PARTS)[number];

/** Tokens of each part. */
export type PartTokens = Readonly<Record<PromptPart, number>>;

/** How large each part of a prompt is. With `tokens`, its size as it was billed, the estimates are scaled to it. */
export function promptParts(
  request: Pick<CacheRequest, 'head' | 'messages'>,
  { sizeOf, tokens }: { readonly sizeOf: PromptSizes; readonly tokens?: number | undefined },
): PartTokens {
  const sums = noTokens();
  for (const { part, size } of headPieces(request.head, sizeOf)) sums[part] += size;
  for (const message of request.messages)
    for (const { part, size } of messagePieces(message, sizeOf)) sums[part] += size;
  const total = PROMPT_PARTS.reduce((sum, part) => sum + sums[part], 0);
  if (tokens === undefined || total === 0) return sums;
  for (const part of PROMPT_PARTS) sums[part] *= tokens / total;
  return sums;
}

export interface Piece {
  readonly part: PromptPart;
  readonly size: number;
}

/** Tools stand before the system prompt. */
export function headPieces(head: CacheRequest['head'], { head: sizeOf }: PromptSizes): Piece[] {
  const system = sizeOf({ id: '', ...head, tools: [] });
  const tools = Math.max(0, sizeOf({ id: '', ...head }) - system);
  return [
    { part: 'tools', size: tools },
    { part: 'system', size: system },
  ];
}

export const messagePieces = (message: CacheMessage, { block: sizeOf }: PromptSizes): Piece[] =>
  blocksOf(message).map((block) => ({ part: partOf(block, message), size: sizeOf(block) }));

function partOf(block: Block, message: CacheMessage): PromptPart {
  if (isToolResult(block)) return 'results';
  if (isToolUse(block)) return 'calls';
  if (isThinking(block)) return 'thinking';
  if (message.role === 'assistant') return 'answers';
  const { kind } = (message as { readonly origin?: { readonly kind?: string } }).origin ?? {};
  if (kind === 'summary') return 'summaries';
  return kind === undefined ? 'words' : 'reminders';
}

export const noTokens = (): Record<PromptPart, number> => ({
  tools: 0,
  system: 0,
  words: 0,
  answers: 0,
  thinking: 0,
  calls: 0,
  results: 0,
  summaries: 0,
  reminders: 0,
});
