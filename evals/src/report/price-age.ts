import type { ModelInfo } from '@varve/tokens';
import { findModel } from '@varve/tokens/models';
import { ownModel } from '../resolve-pricing.ts';
import type { Report } from './report-schema.ts';

export interface PriceAgeOptions {
  /** @default now */
  readonly today?: Date | undefined;
  /** Entries of one's own. @default none */
  readonly models?: readonly ModelInfo[] | undefined;
}

/** When the oldest of the entries that these models are priced by was last compared with its source. */
export function priceAge(
  ids: readonly string[],
  { today = new Date(), models = [] }: PriceAgeOptions = {},
): Report['prices'] {
  const days = [...new Set(ids)]
    .flatMap((id) => (ownModel(id, models) ?? findModel(id))?.checkedOn ?? [])
    .sort();
  const [checkedOn] = days;
  if (checkedOn === undefined) return { checkedOn: null, isOld: false };
  return { checkedOn, isOld: today.getTime() - Date.parse(checkedOn) > OLD_DAYS * DAY_MS };
}

const OLD_DAYS = 90;
const DAY_MS = 86_400_000;
