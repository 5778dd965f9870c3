import type { ImportedThread } from '@varve/transcript/import';
import type { ProviderRules } from './provider-rules.ts';
import { isClockTrusted } from './recorded-clock.ts';
import type { RecordedRequest } from './recorded-request.ts';

/** How far a session's prediction can be trusted, and what speaks against it. */
export interface Doubts {
  readonly confidence: 'high' | 'medium' | 'low';
  readonly doubts: string[];
}

export function doubtsAbout(
  requests: readonly RecordedRequest[],
  { thread, rules }: { readonly thread: ImportedThread; readonly rules: ProviderRules },
): Doubts {
  const reportsWrites = requests.some(({ billed }) => billed.write5m + billed.write1h > 0);
  const isAnthropic = rules.policy.provider === 'anthropic';
  const tellsLifetime = requests.some(({ usage }) => usage.cache_creation != null);
  const serious = [
    isClockTrusted(requests) ? '' : 'clock-untrusted',
    rules.isKnown ? '' : 'rules-not-published',
    isAnthropic && !reportsWrites ? 'gateway-hides-writes' : '',
  ].filter(Boolean);
  const slight = [
    isAnthropic && reportsWrites && !tellsLifetime ? 'lifetime-not-recorded' : '',
    thread.startsMidSession ? 'starts-mid-session' : '',
  ].filter(Boolean);
  const confidence = serious.length > 0 ? 'low' : slight.length > 0 ? 'medium' : 'high';
  return { confidence, doubts: [...serious, ...slight] };
}
