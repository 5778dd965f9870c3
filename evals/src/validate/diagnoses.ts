import { compareDiagnosis } from '@varve/prompt-cache/server';
import type { Prediction } from './predict-reads.ts';

type Causes = Parameters<typeof compareDiagnosis>[1];

/** What a provider said of a request that read less than was there, and what this says. */
export interface Diagnosed {
  /** Counted from 1. */
  readonly request: number;
  readonly messageId: string;
  /** The provider's word, e.g. `system_changed`. */
  readonly word: string;
  readonly missedTokens: number | null;
  readonly kind: 'agreed' | 'differs' | 'only-diagnosed' | 'unknown';
  readonly ours: string[];
  /** Foretold by rules, or read from where the bill says that the prefix ended. */
  readonly by: 'rules' | 'bill' | null;
}

/** The requests that the provider gave a reason for, each compared. */
export function diagnosesOf(predictions: readonly Prediction[]): Diagnosed[] {
  const shared = predictions[0]?.request.billed.read ?? 0;
  return predictions.flatMap((prediction, at) => {
    const { since, messageId } = prediction.request;
    const said = since.signals.find((signal) => signal.kind === 'cache-miss');
    if (said?.kind !== 'cache-miss') return [];
    const ours = causesOf(prediction, shared);
    const { kind } = compareDiagnosis({ word: said.reason }, ours.causes);
    return [
      {
        request: at + 1,
        messageId,
        word: said.reason,
        missedTokens: said.missedTokens ?? null,
        kind: kind === 'only-predicted' ? ('differs' as const) : kind,
        ours: [...ours.causes],
        by: ours.by,
      },
    ];
  });
}

function causesOf(
  prediction: Prediction,
  shared: number,
): { readonly causes: Causes; readonly by: Diagnosed['by'] } {
  const { request, ruleTokens, headTokens } = prediction;
  const causes = prediction.causes.filter((cause) => !WITHOUT_CAUSE.has(cause)) as Causes;
  if (causes.length > 0) return { causes, by: 'rules' };
  const { read, total } = request.billed;
  if (read >= ruleTokens - EXACT_SHARE * total) return { causes: [], by: null };
  return { causes: [placeOf(read, shared > 0 ? shared : headTokens)], by: 'bill' };
}

/**
 * Tools come first in a prompt, then the system prompt, then the messages: the first that changed ends what is read. What the
 * first request read was left there by other sessions; one that reads no more found nothing of its own.
 */
function placeOf(read: number, shared: number): Causes[number] {
  if (read > shared * (1 + EXACT_SHARE)) return 'messages-changed';
  return read > 0 ? 'system-changed' : 'tools-changed';
}

const WITHOUT_CAUSE: ReadonlySet<string> = new Set(['first-request', 'unexplained', 'evicted']);
const EXACT_SHARE = 0.005;
