/** What both SDKs return of a call, beside a promise of the data. */
interface SdkPromise {
  withResponse(): Promise<SdkAnswer>;
}

export interface SdkAnswer {
  readonly data: unknown;
  readonly response: Response;
  readonly request_id?: string | null | undefined;
}

export const withResponse = (promise: unknown): Promise<SdkAnswer> =>
  (promise as SdkPromise).withResponse();

/** An SDK, or what loads it: asked before the first request, and not when the client is made. */
export type SdkSource<Sdk extends object> = Sdk | (() => Promise<Sdk>);

/** The SDK of a client, loaded if it has to be. */
export async function sdkFrom<Sdk extends object>(source: SdkSource<Sdk>): Promise<Sdk> {
  return typeof source === 'function' ? source() : source;
}

/** Options of a call in the SDKs' words. */
export function sdkOptions(options: {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
}) {
  const { signal, timeoutMs, maxRetries } = options;
  return {
    signal,
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
    ...(maxRetries !== undefined && { maxRetries }),
  };
}
