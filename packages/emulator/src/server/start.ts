import { createEmulator, type Emulator } from '../emulator.ts';
import type { EmulatorOptions } from '../options.ts';
import { type Listening, type ListenOptions, listen } from './listen.ts';
import { MOST_BODY_BYTES, readHttpRequest } from './read-request.ts';
import { writeReply } from './write-reply.ts';

export interface StartOptions extends EmulatorOptions, ListenOptions {
  /**
   * Milliseconds between the events of a stream.
   * @default 0
   */
  readonly eventDelayMs?: number | undefined;
}

export type RunningEmulator = Omit<Emulator, 'handle'> &
  Listening & {
    /** The same as `close`. */
    [Symbol.asyncDispose](): Promise<void>;
  };

/**
 * Starts a provider on this machine's loopback. Point any SDK's base URL at `url`. Throws `not-loopback`,
 * `cannot-listen` or `bad-options`.
 */
export async function startEmulator(options: StartOptions = {}): Promise<RunningEmulator> {
  const { eventDelayMs = 0 } = options;
  const emulator = createEmulator(options);
  const server = await listen(async (message, response, signal) => {
    const reply = await emulator.handle(await readHttpRequest(message, MOST_BODY_BYTES));
    if (!signal.aborted) await writeReply(response, reply, { signal, eventDelayMs });
  }, options);
  const { requests, report, expectHitRate } = emulator;
  return { ...server, requests, report, expectHitRate, [Symbol.asyncDispose]: server.close };
}
