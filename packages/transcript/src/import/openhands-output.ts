import { isRecord, recordOf } from '@varve/guards';
import { fingerprint, type Usage } from '@varve/messages';
import { type BillPlace, readBill } from './bills.ts';
import type { ImportContext } from './context.ts';
import type { Importer } from './importer.ts';
import { argumentsOf, type JsonRecord, recordsOf, textOf, timeOf, words, wordsOf } from './json.ts';
import { createThread, type ThreadBuilder } from './thread.ts';
import type { ImportedThread } from './types.ts';

/** OpenHands' evaluation output: a line is a whole task, its `history` a list of actions and what came of them. */
export function createOpenhandsOutput(context: ImportContext): Importer {
  const threads: ImportedThread[] = [];
  return {
    identityOf: (_task, text) => ({ marks: [], body: fingerprint(text) }),
    add(value, line) {
      const id = textOf(value.instance_id) ?? `task-${threads.length + 1}`;
      const thread = createThread({ id, context });
      context.unusedFields(value, 'task', TASK_FIELDS);
      const reader = createReader({ thread, context, line });
      const history = context.records(value.history, 'event');
      for (const [index, event] of history.entries()) reader.add(event, index);
      threads.push(thread.finish());
    },
    finish: () => threads,
  };
}

const TASK_FIELDS = words('instance_id history');
const ACTION_FIELDS = words(
  'id timestamp source action args tool_call_metadata llm_metrics message',
);
const ARGS_FIELDS = words('content tools');
const OBSERVATION_FIELDS = words('id timestamp source observation cause content');

interface Reading {
  readonly thread: ThreadBuilder;
  readonly context: ImportContext;
  readonly line: number;
}

function createReader({ thread, context, line }: Reading) {
  const callIds = new Map<unknown, string>();
  const groups = new Set<string>();
  const meter = createMeter({ context, line });

  function addAction(event: JsonRecord, id: string): void {
    const at = timeOf(event.timestamp);
    const args = recordOf(event.args);
    const text = textOf(args.content) ?? wordsOf(event.message);
    if (event.action !== 'system' && event.action !== 'message') {
      addCall(event, id, at);
      return;
    }
    context.unusedFields(args, `action/${event.action}.args`, ARGS_FIELDS);
    if (event.action === 'system') {
      const tools = context.records(args.tools, 'tool').map(toolOf);
      thread.head({ model: '', system: [{ type: 'text', text }], tools, params: {} }, at);
    } else if (event.source === 'user') thread.user([{ type: 'text', text }], { id, at, line });
    else if (event.source === 'agent') thread.assistant([{ type: 'text', text }], { id, at, line });
    else context.unused('message/unknown'); // whose words these are is not in the file
  }

  /** What the model wrote stands in the raw completion; without one the harness made the call itself. */
  function addCall(event: JsonRecord, id: string, at: string | undefined): void {
    const metadata = recordOf(event.tool_call_metadata);
    const completion = recordOf(metadata.model_response);
    const callId = textOf(metadata.tool_call_id) ?? `${id}-call`;
    const name = textOf(metadata.function_name) ?? wordsOf(event.action);
    const input = inputOf(event, completion, callId);
    callIds.set(event.id, callId);
    const group = textOf(completion.id);
    const isFirst = group === undefined || !groups.has(group);
    if (group !== undefined) groups.add(group);
    const origin = event.source === 'user' ? ({ kind: 'reminder' } as const) : undefined;
    const response = responseOf(
      completion,
      `${context.name}:${thread.id}:${id}`,
      event.llm_metrics,
    );
    // a later call of the same completion has no bill of its own
    const told = isFirst || response?.usage !== undefined ? response : undefined;
    const text = isFirst ? textOfCall(event, completion) : '';
    const said = text === '' ? [] : [{ type: 'text', text }];
    const call = { type: 'tool_use', id: callId, name, input };
    thread.assistant([...said, call], { id, at, line, origin, group, response: told });
  }

  function responseOf(completion: JsonRecord, place: string, metrics: unknown) {
    const usage = meter.read(metrics);
    const model = textOf(completion.model);
    if (model === undefined) {
      if (usage !== undefined) context.unused('action.llm_metrics/usage');
      return undefined;
    }
    const id = textOf(completion.id) ?? place;
    const stopReason = 'tool_use' as const;
    return { id, model, stopReason, ...(usage === undefined ? {} : { usage }) };
  }

  /** An error without a cause answers a call that was refused before it became an action, and was not recorded. */
  function addObservation(event: JsonRecord, id: string): void {
    const at = timeOf(event.timestamp);
    const content = wordsOf(event.content);
    const isError = event.observation === 'error' ? { is_error: true } : {};
    let callId = callIds.get(event.cause);
    if (callId === undefined) {
      callId = `${id}-call`;
      const call = { type: 'tool_use', id: callId, name: 'unrecorded', input: {} };
      thread.assistant([call], { id: `${id}-call`, at, line, origin: { kind: 'synthetic' } });
    }
    thread.result(
      { type: 'tool_result', tool_use_id: callId, content, ...isError },
      { id, at, line },
    );
  }

  return {
    add(event: JsonRecord, index: number): void {
      const id = `event-${wordsOf(event.id ?? index)}`;
      if (textOf(event.action) !== undefined) {
        context.unusedFields(event, `action/${textOf(event.action) ?? 'unknown'}`, ACTION_FIELDS);
        addAction(event, id);
      } else if (textOf(event.observation) !== undefined) {
        context.unusedFields(
          event,
          `observation/${textOf(event.observation) ?? 'unknown'}`,
          OBSERVATION_FIELDS,
        );
        addObservation(event, id);
      } else context.unused('event-without-kind');
    },
  };
}

/** What the model wrote before the call; '' where it wrote nothing. */
function textOfCall(event: JsonRecord, completion: JsonRecord): string {
  const { content } = recordOf(recordsOf(completion.choices)[0]?.message);
  return textOf(content) ?? textOf(recordOf(event.args).thought) ?? '';
}

function inputOf(event: JsonRecord, completion: JsonRecord, callId: string): unknown {
  const calls = recordsOf(recordOf(recordsOf(completion.choices)[0]?.message).tool_calls);
  const call = calls.find(({ id }) => id === callId);
  return call === undefined ? recordOf(event.args) : argumentsOf(recordOf(call.function).arguments);
}

function toolOf(tool: JsonRecord) {
  const { name, description, parameters } = recordOf(tool.function ?? tool);
  const text = textOf(description);
  return {
    name: wordsOf(name),
    ...(text === undefined ? {} : { description: text }),
    input_schema: parameters,
  };
}

const TOTALS = ['prompt_tokens', 'completion_tokens', 'cache_read_tokens', 'cache_write_tokens'];
const BILL = { always: TOTALS.slice(0, 2), others: TOTALS.slice(2) };

/** The recorded counts grow over the session: a reply's own are the difference. */
function createMeter(place: BillPlace) {
  let totals = [0, 0, 0, 0];
  return {
    read(metrics: unknown): Usage | undefined {
      const recorded = isRecord(metrics) ? metrics.accumulated_token_usage : metrics;
      const bill = readBill(recorded, BILL, place);
      if (bill === undefined) return undefined;
      const next = TOTALS.map((name) => bill.count(name) ?? 0);
      const [prompt = 0, output = 0, read = 0, written = 0] = next.map((total, index) =>
        Math.max(0, total - (totals[index] ?? 0)),
      );
      if (prompt === 0) return undefined;
      totals = next;
      return {
        input_tokens: Math.max(0, prompt - read - written),
        output_tokens: output,
        cache_creation_input_tokens: written,
        cache_read_input_tokens: read,
        provider_usage: bill.fields,
      };
    },
  };
}
