import { findModel } from '@varve/tokens/models';
import type { Report } from './report-schema.ts';

/** When the oldest of the entries that these models are priced by was last compared with its source. */
export function priceAge(models: readonly string[], today = new Date()): Report['prices'] {
  const days = [...new Set(models)].flatMap((model) => findModel(model)?.checkedOn ?? []).sort();
  const [checkedOn] = days;
  if (checkedOn === undefined) return { checkedOn: null, isOld: false };
  return { checkedOn, isOld: today.getTime() - Date.parse(checkedOn) > OLD_DAYS * DAY_MS };
}

const OLD_DAYS = 90;
const DAY_MS = 86_400_000;
