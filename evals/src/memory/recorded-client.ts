import type { Block, Request, Usage } from '@varve/messages';
import { createModelStream, type ModelClient, type ModelResponse } from '@varve/models';
import { createEstimator } from '@varve/tokens';
import { EvalsError } from '../error.ts';
import {
  type Place,
  placeName,
  promptHash,
  type RecordedAnswer,
  type Recording,
  requestHash,
  type Wanted,
} from './recordings.ts';

/** Answers from a recording alone. It never makes an answer up: what is not recorded is wanted, and the request fails. */
export interface RecordedClient extends ModelClient {
  /** The first request without an answer that fits it. */
  wanted(): Wanted | undefined;
  /** Tokens of all that was answered, by estimate. */
  usage(): Usage & { readonly requests: number };
  models(): ReadonlySet<string>;
  /** Places whose answers were used. */
  answered(): readonly string[];
}

export interface RecordedClientOptions {
  readonly recording: Recording;
  readonly place: Omit<Place, 'step'>;
  /** Of instructions that stand in a message and not in the head. */
  readonly promptVersion?: string | undefined;
}

export function createRecordedClient(options: RecordedClientOptions): RecordedClient {
  const { recording, place, promptVersion = '' } = options;
  const { chain, take, exchanges } = recording;
  const { message, head } = createEstimator();
  const sum = { requests: 0, input_tokens: 0, output_tokens: 0 };
  const models = new Set<string>();
  const answered: string[] = [];
  let wanted: Wanted | undefined;
  let steps = 0;

  function respond(request: Request): ModelResponse {
    const at = placeName({ ...place, step: ++steps });
    const name = requestHash(request);
    const prompt = `${promptHash(request)}${promptVersion}`;
    const exchange = exchanges.get(at);
    if (exchange?.request !== name) {
      const reason =
        exchange === undefined
          ? 'missing'
          : exchange.prompt === prompt
            ? 'stale-input'
            : 'stale-prompt';
      const { asker, turn } = place;
      wanted ??= { chain, take, place: at, asker, turn, reason, prompt, name, request };
      throw new EvalsError(
        'stale-recording',
        `${chain}.${take} has no answer to the request ${at} as it is now.`,
      );
    }
    const content = blocksOf(exchange.answer, steps);
    answered.push(at);
    const input = request.messages.reduce(
      (total, each) => total + message(each),
      head(request.head),
    );
    const reply = { id: at, role: 'assistant', content } as const;
    const usage = { input_tokens: input, output_tokens: message(reply) };
    sum.requests++;
    sum.input_tokens += usage.input_tokens;
    sum.output_tokens += usage.output_tokens;
    models.add(exchange.model);
    const stopReason = exchange.answer.calls.length > 0 ? 'tool_use' : 'end_turn';
    return { id: at, model: exchange.model, content, stopReason, usage };
  }

  return {
    provider: 'recorded',
    stream: (request, { signal } = {}) =>
      createModelStream(async function* () {
        const response = respond(request);
        yield { type: 'response-start', id: response.id, model: response.model };
        for (const [index, block] of response.content.entries()) {
          yield { type: 'block-start', index, blockType: block.type };
          yield { type: 'block-end', index, block };
        }
        yield { type: 'response-end', response };
      }, signal),
    wanted: () => wanted,
    usage: () => ({ ...sum }),
    models: () => models,
    answered: () => answered,
  };
}

/** Calls have ids that are the same in every run: the next request holds them. They do not tell which place it is. */
function blocksOf({ text, calls }: RecordedAnswer, step: number): readonly Block[] {
  return [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map(({ tool, input }, index) => ({
      ...{ type: 'tool_use', id: `call_${step}_${index + 1}`, name: tool, input },
    })),
  ];
}
