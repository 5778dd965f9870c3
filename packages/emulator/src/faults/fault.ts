/** What goes wrong with a reply on demand. Times in milliseconds. */
export type FaultKind =
  /** Nothing is answered for so long, then as usual. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** An error in place of the reply, in the provider's own shape: 429, 500, 529, … */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfterMs?: number | undefined;
      readonly message?: string | undefined;
    }
  /** The refusal of a prompt larger than the window, whatever its size. */
  | {
      readonly kind: 'prompt-too-long';
      readonly actualTokens?: number | undefined;
      readonly limitTokens?: number | undefined;
    }
  /** The connection is cut after so many events of a stream, or bytes of the body. */
  | {
      readonly kind: 'cut';
      readonly afterEvents?: number | undefined;
      readonly afterBytes?: number | undefined;
    }
  /** The event at this position is no JSON. */
  | { readonly kind: 'malformed-event'; readonly atEvent: number }
  /** The stream reports an error in place of the event at this position, after a status of 200. */
  | { readonly kind: 'error-event'; readonly atEvent: number; readonly status?: number | undefined }
  /** The reply comes in pieces of so many bytes with a pause before each. */
  | { readonly kind: 'slow-loris'; readonly bytes: number; readonly delayMs: number }
  /** Nothing more comes after so many events, and the connection stays open. Without `afterEvents` nothing comes at all. */
  | { readonly kind: 'hang'; readonly afterEvents?: number | undefined };

export const FAULT_KINDS: readonly FaultKind['kind'][] = [
  'latency',
  'status',
  'prompt-too-long',
  'cut',
  'malformed-event',
  'error-event',
  'slow-loris',
  'hang',
];

/** Which request a matcher is asked about. */
export interface FaultCall {
  /** Requests are counted from 0, those that failed included. */
  readonly index: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A fault and when it happens. */
export type Fault = FaultKind & {
  /**
   * The request's number, several of them, or a function.
   * @default every request
   */
  readonly when?: number | readonly number[] | ((call: FaultCall) => boolean) | undefined;
  /**
   * How often at most.
   * @default no limit
   */
  readonly times?: number | undefined;
};

/** Faults that act on bytes, left to whoever writes them. */
export type WireFault = Extract<FaultKind, { kind: 'latency' | 'cut' | 'slow-loris' | 'hang' }>;

/** The first fault in the list that applies to a request and has not happened often enough. */
export function createFaultPicker(
  faults: readonly Fault[],
): (call: FaultCall) => Fault | undefined {
  const counts = new Map<Fault, number>();
  return (call) => {
    const found = faults.find(
      (fault) => (counts.get(fault) ?? 0) < (fault.times ?? Infinity) && applies(fault, call),
    );
    if (found) counts.set(found, (counts.get(found) ?? 0) + 1);
    return found;
  };
}

function applies({ when }: Fault, call: FaultCall): boolean {
  if (when === undefined) return true;
  if (typeof when === 'function') return when(call);
  return typeof when === 'number' ? when === call.index : when.includes(call.index);
}

export function isWireFault(fault: FaultKind): fault is WireFault {
  return ['latency', 'cut', 'slow-loris', 'hang'].includes(fault.kind);
}
