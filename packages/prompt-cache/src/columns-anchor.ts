import { type PrefixColumns, tokensOf } from './prefix-columns.ts';

/**
 * Sets the tokens of the first `count` positions to what was billed. Positions since the last such anchor are scaled
 * with it, later ones move along, earlier ones stay.
 */
export function anchorTokens(columns: PrefixColumns, count: number, tokens: number): void {
  const from = Math.min(columns.anchored, columns.length);
  if (count < from || count === 0) return;
  const start = tokensOf(columns, from);
  const estimated = tokensOf(columns, count) - start;
  const target = Math.max(start, tokens);
  const scale = estimated > 0 ? (target - start) / estimated : 0;
  for (let position = from; position < count; position++) {
    const offset = (columns.tokens[position] as number) - start;
    columns.tokens[position] = start + Math.round(offset * scale);
  }
  // never less than what stands before it: a part that costs less than nothing would be billed
  columns.tokens[count - 1] =
    count === from ? Math.max(tokens, tokensOf(columns, count - 1)) : target;
  const shift = (columns.tokens[count - 1] as number) - (start + estimated);
  for (let position = count; position < columns.length; position++) {
    columns.tokens[position] = (columns.tokens[position] as number) + shift;
  }
  columns.anchored = count;
}
