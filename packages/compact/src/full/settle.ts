import { stoppedSection, withoutStoppedSection } from '@varve/messages/persons';
import { acceptSize } from '@varve/tokens/limits';
import type { Trigger } from '../types.ts';
import { countByKind } from './count-by-kind.ts';
import type { Region } from './region.ts';
import { type Situation, wholeBounds } from './situation.ts';
import { summaryText } from './summary-text.ts';

/** What a conversation becomes. */
export interface Settled {
  readonly region: Region;
  /** The text of the message that stands for what was replaced. */
  readonly text: string;
  /** Its summary alone. */
  readonly body: string;
  /** Size of the next request, in tokens. */
  readonly tokensAfter: number;
  /** What the check of the summary found, counted by kind. */
  readonly repaired: Readonly<Record<string, number>>;
}

export interface SummaryDraft {
  readonly body: string;
  readonly findings: readonly { readonly kind: string }[];
  readonly region: Region;
}

export interface SettleOptions {
  readonly trigger: Trigger;
  readonly minSavings: number;
  readonly originals?: string | undefined;
}

export type SettleResult =
  | ({ readonly kind: 'accepted' } & Settled)
  | { readonly kind: 'refused'; readonly reason: 'not-smaller' | 'still-too-large' };

/** The message for a summary, if the next request is smaller with it by enough and fits the window. */
export function settle(
  { body, findings, region }: SummaryDraft,
  situation: Situation,
  options: SettleOptions,
): SettleResult {
  const openFollows = region.open.length > 0 || endsOpen(region);
  const stopped = stoppedSection(situation.messages, region.end, {
    clean: situation.facts.redact,
  });
  const told = withStopped(body, stopped);
  const text = summaryText(told, { ...options, openFollows });
  const summaryTokens = situation.sizeOf(summaryMessage(text));
  const beside = situation.overheadTokens + situation.restTokens + region.keptTokens;
  const tokensAfter = beside + summaryTokens;
  const { minSavings } = options;
  const whole = acceptSize(tokensAfter, wholeBounds(situation, minSavings));
  const part = acceptSize(summaryTokens, { ofTokens: region.replacedTokens, minSavings });
  for (const verdict of [whole, part]) {
    if (verdict.kind === 'refused') return { kind: 'refused', reason: verdict.reason };
  }
  return {
    kind: 'accepted',
    region,
    text,
    body: told,
    tokensAfter,
    repaired: countByKind(findings),
  };
}

/** What a model repeats of an earlier section goes: the new one carries it over. */
function withStopped(body: string, stopped: string | undefined): string {
  const written = withoutStoppedSection(body);
  return stopped === undefined ? written : `${written.trimEnd()}\n\n${stopped}`;
}

const summaryMessage = (text: string) =>
  ({ id: 'summary', role: 'user', content: [{ type: 'text', text }] }) as const;

const endsOpen = ({ tail }: Region): boolean => tail.at(-1)?.role === 'user';
