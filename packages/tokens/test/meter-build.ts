import {
  createProjection,
  type Edit,
  type Entry,
  type Message,
  type Usage,
  type View,
} from '@varve/messages';
import { createRequestStamp } from '@varve/messages/stamps';
import { createEstimator, createTokenMeter } from '../src/index.ts';

const crudeEstimator = createEstimator({ family: 'crude' });

type TokenMeterOptions = Parameters<typeof createTokenMeter>[0];

/** A billed prompt; read, written and plain alike count. */
export const usage = (prompt: number, output = 0): Usage => ({
  input_tokens: 10,
  cache_creation_input_tokens: 990,
  cache_read_input_tokens: prompt - 1_000,
  output_tokens: output,
});

/** Text that the crude rule counts as this many tokens. */
export const words = (tokens: number): string => 'word'.repeat(tokens);

export const user = (tokens: number) => ({ role: 'user', content: words(tokens) });
export const assistant = (tokens: number) => ({ role: 'assistant', content: words(tokens) });

/** A meter on a model that drops no thinking, with the crude rule: its figures can be checked by hand. */
export const crudeMeter = (options: Partial<TokenMeterOptions> = {}) =>
  createTokenMeter({ model: 'claude-opus-5', estimator: crudeEstimator, ...options });

/** A log, its view and a meter that observes both. */
export function meteredLog(options: Partial<TokenMeterOptions> = {}) {
  const projection = createProjection();
  const meter = crudeMeter(options);
  let view: View = { messages: [], changedFrom: 0 };
  let count = 0;
  const append = (body: object) => {
    const entry = { id: `e${++count}`, at: '2026-11-28T00:00:00.000Z', ...body } as Entry;
    view = projection.append(entry);
    return meter.observe(entry, view);
  };
  const head = { id: 'h1', model: 'claude-opus-5', system: [], tools: [], params: {} };
  append({ type: 'head', head });
  return {
    meter,
    view: () => view,
    head: (change: object) => append({ type: 'head', head: { ...head, ...change } }),
    say: (id: string, tokens: number) =>
      append({
        type: 'message',
        message: { id, role: 'user', content: [{ type: 'text', text: words(tokens) }] },
      }),
    /** A reply to a request with everything so far, unless another stamp is given. */
    reply: (id: string, bill: Usage, change: Partial<Message> = {}) => {
      const request = createRequestStamp(view, 0);
      const response = {
        id: `r-${id}`,
        model: head.model,
        stopReason: 'end_turn',
        usage: bill,
        request,
      };
      const content = [{ type: 'text', text: words(bill.output_tokens) }];
      return append({
        type: 'message',
        message: { id, role: 'assistant', content, response, ...change },
      });
    },
    stamp: () => createRequestStamp(view, 0),
    result: (id: string, toolUseId: string, tokens: number) => {
      const content = [{ type: 'tool_result', tool_use_id: toolUseId, content: words(tokens) }];
      return append({ type: 'message', message: { id, role: 'user', content } });
    },
    edit: (edit: Edit) => append({ type: 'edit', by: 'test', reason: 'test', edit }),
    lastEntryId: () => `e${count}`,
  };
}
