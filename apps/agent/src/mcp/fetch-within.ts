/** What a server says at once, in bytes. */
export const MOST_MESSAGE_BYTES = 64 * 2 ** 20;

/** Fetches for a server over http: neither an answer nor an event of a stream can fill the memory. `onTooMuch` has why one was ended. */
export const fetchWithin =
  (onTooMuch: (why: Error) => void) =>
  async (url: string | URL, init?: RequestInit): Promise<Response> =>
    within(await fetch(url, init), onTooMuch);

export function within(response: Response, onTooMuch: (why: Error) => void): Response {
  if (response.body === null) return response;
  const isStream = /event-stream/i.test(response.headers.get('content-type') ?? '');
  let bytes = 0;
  let isAtLineStart = true;
  const limit = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      const end = isStream ? endOfEvent(chunk, isAtLineStart) : 0;
      isAtLineStart = endsLine(chunk, chunk.length - 1) ?? isAtLineStart;
      bytes = end > 0 ? chunk.length - end : bytes + chunk.length;
      if (bytes <= MOST_MESSAGE_BYTES) return controller.enqueue(chunk);
      const why = new Error(`it sent more than ${MOST_MESSAGE_BYTES / 2 ** 20} MB in one message`);
      controller.error(why);
      onTooMuch(why);
    },
  });
  return new Response(response.body.pipeThrough(limit), response);
}

/** Behind the last blank line, where an event ends; 0 where there is none. A chunk may begin in the middle of a line. */
function endOfEvent(chunk: Uint8Array, isAtLineStart: boolean): number {
  for (let at = chunk.length - 1; at >= 0; at--) {
    if (chunk[at] === LF && (endsLine(chunk, at - 1) ?? isAtLineStart)) return at + 1;
  }
  return 0;
}

/** Whether a line ends at a place, or before the CR there; undefined where that is before the chunk. */
function endsLine(chunk: Uint8Array, at: number): boolean | undefined {
  const last = chunk[at] === CR ? chunk[at - 1] : chunk[at];
  return last === undefined ? undefined : last === LF;
}

const LF = 10;
const CR = 13;
