import type { Edit, Message, ViewMessage } from '@varve/messages';

export interface SpanOfView {
  /** Position of its first message. @default 0 */
  readonly start?: number;
  /** Behind its last message. */
  readonly end: number;
}

/** The edit that puts messages in place of a stretch of a view, and others behind it. */
export function spanEdit(
  messages: readonly ViewMessage[],
  { start = 0, end }: SpanOfView,
  { with: instead = [], then = [] }: { with?: readonly Message[]; then?: readonly Message[] },
): Edit & { readonly kind: 'replace-span' } {
  const fromId = messages[start]?.sources[0] as string;
  const toId = messages[end - 1]?.sources.at(-1) as string;
  return { kind: 'replace-span', fromId, toId, with: instead, then };
}
