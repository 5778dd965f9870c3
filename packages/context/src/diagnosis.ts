import { isRecord, recordOf, textOf } from '@varve/guards';
import type { Entry, JsonObject } from '@varve/messages';
import type { CacheBreak } from '@varve/prompt-cache';
import { compareDiagnosis } from '@varve/prompt-cache/server';
import type { CacheMiss } from './options.ts';

/** What a provider's own diagnosis said beside the causes that bills show. */
export interface Diagnosis {
  /** `agreed`, `differs`, `only-predicted` (the provider saw no miss), `only-diagnosed` (the bill shows none). */
  readonly kind: 'agreed' | 'differs' | 'only-predicted' | 'only-diagnosed';
  /** The provider's. */
  readonly word: string;
  readonly missedTokens?: number | undefined;
  /** Ours. */
  readonly predicted: readonly string[];
}

/** How often the provider's diagnoses and ours were what, and the newest that both did not agree on. */
export interface Diagnoses {
  readonly counts: Readonly<Partial<Record<Diagnosis['kind'], number>>>;
  readonly newest: readonly Diagnosis[];
}

/** Undefined where the provider said nothing, or neither side saw a miss. */
export function diagnosisOf(
  miss: CacheMiss | undefined,
  breaks: readonly CacheBreak[],
): Diagnosis | undefined {
  const predicted = breaks.map(({ cause }) => cause);
  const { kind } = compareDiagnosis(miss, predicted);
  if (miss === undefined || kind === 'unknown') return undefined;
  if (kind === 'agreed' && predicted.length === 0) return undefined;
  const { word, missedTokens } = miss;
  return { kind, word, predicted, ...(missedTokens !== undefined && { missedTokens }) };
}

const BY = 'prompt-cache';
const KIND = 'diagnosis';

/** The note that keeps it in the log. */
export const diagnosisNote = (diagnosis: Diagnosis): { by: string; data: JsonObject } => {
  const { kind, ...rest } = diagnosis;
  return { by: BY, data: { kind: KIND, verdict: kind, ...rest } as unknown as JsonObject };
};

const MOST_NEWEST = 5;

/** Counts the diagnoses of a log. */
export function createDiagnoses() {
  const counts: Partial<Record<Diagnosis['kind'], number>> = {};
  let newest: Diagnosis[] = [];
  return {
    observe(entry: Entry): void {
      if (entry.type !== 'note' || entry.by !== BY || !isRecord(entry.data)) return;
      const { kind, verdict, ...rest } = entry.data;
      if (kind !== KIND || !isVerdict(verdict)) return;
      counts[verdict] = (counts[verdict] ?? 0) + 1;
      if (verdict === 'agreed') return;
      const { predicted, missedTokens, word } = recordOf(rest);
      const told = { kind: verdict, word: textOf(word), predicted: (predicted ?? []) as string[] };
      const tokens = typeof missedTokens === 'number' ? { missedTokens } : {};
      newest = [{ ...told, ...tokens }, ...newest].slice(0, MOST_NEWEST);
    },
    get: (): Diagnoses => ({ counts: { ...counts }, newest }),
  };
}

const VERDICTS: readonly unknown[] = ['agreed', 'differs', 'only-predicted', 'only-diagnosed'];
const isVerdict = (value: unknown): value is Diagnosis['kind'] => VERDICTS.includes(value);
