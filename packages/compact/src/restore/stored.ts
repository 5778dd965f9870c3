import type { Message } from '@varve/messages';
import { attachment } from './attachment.ts';
import type { SizeOf } from './head-within.ts';

/** Results that stand outside of the conversation. */
export interface StoredSource {
  /** The name of the tool that reads them; without a handle it lists them all. */
  readonly tool: string;
  /** The newest first. */
  readonly results: readonly { readonly handle: string }[];
}

export interface StoredListingOptions {
  /** What stays; handles that stand there are not listed. */
  readonly kept: readonly Message[];
  readonly budgetTokens: number;
  /** Tokens of a text. */
  readonly sizeOf: SizeOf;
}

/** As many of the newest handles as the budget holds, with a count of the rest; nothing where there is no room for one. */
export function storedListing(
  source: StoredSource | undefined,
  { kept, budgetTokens, sizeOf }: StoredListingOptions,
): readonly string[] {
  if (source === undefined || source.results.length === 0) return [];
  const { tool } = source;
  const shown = JSON.stringify(kept.map(({ content }) => content));
  const rows = source.results
    .map(({ handle }) => handle)
    .filter((handle) => !shown.includes(handle));
  const textOf = (count: number): string => {
    const rest = rows.length - count;
    const more = rest > 0 ? [`and ${rest} more: \`${tool}\` without a handle lists them`] : [];
    const lead = `Results from before that \`${tool}\` still reads, the newest first:`;
    return attachment('stored-results', [lead, ...rows.slice(0, count), ...more].join('\n'));
  };
  let [least, most] = [0, rows.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (sizeOf(textOf(middle)) <= budgetTokens) least = middle;
    else most = middle - 1;
  }
  return least === 0 ? [] : [textOf(least)];
}
