import { listOf, recordOf } from '@varve/guards';

/** A message that was not streamed as the events it would have been streamed in, so that one fold reads both. An error with status 200 is thrown. */
export async function* eventsOfMessage(value: unknown): AsyncGenerator<unknown, void> {
  const message = recordOf(value);
  if (message.type === 'error') throw message;
  const { content, ...rest } = message;
  yield { type: 'message_start', message: rest };
  for (const [index, block] of listOf(content).entries()) {
    yield { type: 'content_block_start', index, content_block: block };
    yield { type: 'content_block_stop', index };
  }
  yield { type: 'message_stop' };
}
