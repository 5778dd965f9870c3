import { expect, test } from 'vitest';
import { MOST_MESSAGE_BYTES, within } from '../src/mcp/fetch-within.ts';

const MB = 2 ** 20;

/** A stream of events, each of them in these pieces. */
function streamOf(pieces: readonly string[], events: number): Response {
  const chunks = pieces.map((piece) => new TextEncoder().encode(piece));
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (sent === events * chunks.length) return controller.close();
      controller.enqueue(chunks[sent++ % chunks.length]);
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

const line = `data: ${'a'.repeat(MB)}`;

test.each([
  ['in one piece', [`${line}\n\n`]],
  ['with its blank line as a piece of its own', [`${line}\n`, '\n']],
  ['cut within the CRLF of its blank line', [`${line}\r\n\r`, '\n']],
  ['cut before that CRLF', [`${line}\r\n`, '\r\n']],
])('A5: a stream may be longer than one message may, each event %s', async (_, pieces) => {
  const problems: Error[] = [];
  const events = MOST_MESSAGE_BYTES / MB + 4;
  let bytes = 0;
  for await (const chunk of within(streamOf(pieces, events), (why) => problems.push(why)).body ??
    [])
    bytes += chunk.length;
  expect(problems).toEqual([]);
  expect(bytes).toBeGreaterThan(MOST_MESSAGE_BYTES);
});

test('A5: one event may not be longer, also in pieces that end in a line', async () => {
  const response = within(streamOf([`${line}\n`], MOST_MESSAGE_BYTES / MB + 4), () => undefined);
  await expect(response.arrayBuffer()).rejects.toThrow('in one message');
});
