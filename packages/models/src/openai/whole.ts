import { listOf, recordOf } from '@varve/guards';

/** A chat completion that was not streamed as one chunk. Some servers send errors with status 200; they are thrown. */
export async function* eventsOfCompletion(value: unknown): AsyncGenerator<unknown, void> {
  const completion = recordOf(value);
  if (completion.choices === undefined && completion.error != null) throw completion;
  const choice = recordOf(listOf(completion.choices)[0]);
  const message = recordOf(choice.message);
  const calls = listOf(message.tool_calls).map((call, index) => ({ ...recordOf(call), index }));
  const delta = { ...message, tool_calls: calls };
  yield { ...completion, choices: [{ index: 0, delta, finish_reason: choice.finish_reason }] };
}

/** A response that was not streamed as its events. */
export async function* eventsOfResponse(value: unknown): AsyncGenerator<unknown, void> {
  const response = recordOf(value);
  yield { type: 'response.created', response };
  yield { type: response.status === 'failed' ? 'response.failed' : 'response.completed', response };
}
