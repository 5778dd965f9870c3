import { recordOf } from '@varve/guards';
import type { Block, Usage } from '@varve/messages';
import { type BillPlace, readBill } from './bills.ts';
import { readBlocks } from './block-fields.ts';
import type { ImportContext } from './context.ts';
import { createIds } from './ids.ts';
import type { Importer } from './importer.ts';
import { type JsonRecord, textOf, timeOf, words, wordsOf } from './json.ts';
import { NO_SIGNATURE } from './openai-content.ts';
import { addSystem } from './plain.ts';
import { identityOfAll } from './repeats.ts';
import {
  createThread,
  type MessageFacts,
  type ThreadBuilder,
  type ThreadOptions,
} from './thread.ts';

/** ATIF, the Agent Trajectory Interchange Format 1.0 to 1.7: an object a session, with its sub-agents inside it or in files of their own. */
export function createAtif(context: ImportContext): Importer {
  const threads: ThreadBuilder[] = [];
  const makeId = createIds();
  const makeSession = createIds();

  function addTrajectory(trajectory: JsonRecord, { line, session, ...of }: TrajectoryPlace): void {
    const { length } = threads;
    const id = makeId(length === 0 ? 'main' : nameOf(trajectory, `trajectory-${length + 1}`));
    const thread = createThread({ id, ...of, context });
    const replies = `${session}:${of.kind === 'main' ? 'main' : id}`;
    threads.push(thread);
    const agent = recordOf(trajectory.agent);
    const model = textOf(agent.model_name) ?? '';
    context.unusedFields(trajectory, 'trajectory', TRAJECTORY_FIELDS);
    context.unusedFields(agent, 'agent', AGENT_FIELDS);
    const tools = context.records(agent.tool_definitions, 'tool_definition').map(toolOf);
    if (tools.length > 0) thread.head({ model, system: [], tools, params: {} });
    const started = new Map<string, string>();
    for (const [index, step] of context.records(trajectory.steps, 'step').entries()) {
      const place = { id: `step-${index + 1}`, at: timeOf(step.timestamp), line };
      addStep(thread, step, { place, model, replies, started });
    }
    for (const below of context.records(trajectory.subagent_trajectories, 'subagent_trajectory')) {
      const parentCallId = started.get(textOf(below.trajectory_id) ?? '');
      addTrajectory(below, { line, session, kind: 'sub-agent', parentCallId });
    }
  }

  function addStep(thread: ThreadBuilder, step: JsonRecord, at: StepPlace) {
    const { place } = at;
    const source = textOf(step.source) ?? 'unknown';
    const content = contentOf(step.message);
    if (source === 'system') addSystem(thread, { content, place, context });
    else if (source === 'user') thread.user(content, place);
    else if (source === 'agent') addReply(thread, step, at);
    else {
      context.unused(`step/${source}`);
      return;
    }
    context.unusedFields(step, `step/${source}`, STEP_FIELDS);
    addObservation(thread, step, at);
  }

  function addReply(
    thread: ThreadBuilder,
    step: JsonRecord,
    { place, model, replies }: StepPlace,
  ): void {
    const thinking = textOf(step.reasoning_content);
    const calls = context.records(step.tool_calls, 'tool_call').map((call, index): Block => {
      context.unusedFields(call, 'tool_call', CALL_FIELDS);
      const id = textOf(call.tool_call_id) ?? `${place.id}-call-${index}`;
      return {
        type: 'tool_use',
        id,
        name: wordsOf(call.function_name),
        input: call.arguments ?? {},
      };
    });
    const usage = usageOf(step.metrics, { context, line: place.line });
    const isPaid = usage !== undefined && step.is_copied_context !== true;
    if (usage !== undefined && !isPaid) context.unused('step/metrics-of-parent');
    const response = {
      id: `${replies}:${place.id}`,
      model: textOf(step.model_name) ?? model,
      stopReason: calls.length > 0 ? 'tool_use' : 'end_turn',
      ...(isPaid ? { usage } : {}),
    } as const;
    const thought: Block[] =
      thinking === undefined ? [] : [{ type: 'thinking', thinking, signature: NO_SIGNATURE }];
    const content = [...thought, ...contentOf(step.message), ...calls];
    // a step of no request at all is what the agent did by itself
    const isRequest = step.llm_call_count !== 0;
    thread.assistant(content, { ...place, ...(isRequest ? { response } : {}) });
  }

  /** A result that names no call is the next call's, where there are as many of both. */
  function addObservation(thread: ThreadBuilder, step: JsonRecord, { place, started }: StepPlace) {
    const results = context.records(recordOf(step.observation).results, 'result');
    const calls = context.records(step.tool_calls, 'tool_call');
    for (const [index, result] of results.entries()) {
      context.unusedFields(result, 'result', RESULT_FIELDS);
      const inOrder = calls.length === results.length ? calls[index]?.tool_call_id : undefined;
      const callId = textOf(result.source_call_id) ?? textOf(inOrder);
      const facts = { ...place, id: `${place.id}-result-${index + 1}` };
      for (const ref of context.records(result.subagent_trajectory_ref, 'subagent_ref')) {
        const id = textOf(ref.trajectory_id) ?? textOf(ref.session_id);
        if (id !== undefined && callId !== undefined) started.set(id, callId);
      }
      const content = contentOf(result.content);
      if (callId === undefined) thread.user(content, { ...facts, origin: { kind: 'tool' } });
      else thread.result({ type: 'tool_result', tool_use_id: callId, content }, facts);
    }
  }

  return {
    identityOf: identityOfAll,
    add(value, line) {
      const id = textOf(value.session_id);
      if (threads.length === 0) context.identify(id);
      addTrajectory(value, { line, kind: 'main', session: makeSession(id ?? context.name) });
    },
    finish: () => threads.map((thread) => thread.finish()),
  };
}

interface TrajectoryPlace extends Pick<ThreadOptions, 'kind' | 'parentCallId'> {
  readonly line: number;
  /** What the ids of its replies begin with. */
  readonly session: string;
}

interface StepPlace {
  readonly place: MessageFacts & { readonly at: string | undefined };
  readonly model: string;
  /** What the ids of replies begin with. */
  readonly replies: string;
  /** The calls that started sub-agents, by the id of what they started. */
  readonly started: Map<string, string>;
}

const TRAJECTORY_FIELDS = words(
  'schema_version session_id trajectory_id agent steps subagent_trajectories',
);
const AGENT_FIELDS = words('name version model_name tool_definitions');
const STEP_FIELDS = words(
  'step_id timestamp source model_name message reasoning_content tool_calls observation metrics is_copied_context llm_call_count',
);
const CALL_FIELDS = words('tool_call_id function_name arguments');
const RESULT_FIELDS = words('source_call_id content subagent_trajectory_ref');

const nameOf = (trajectory: JsonRecord, place: string): string =>
  textOf(trajectory.trajectory_id) ?? textOf(trajectory.session_id) ?? place;

function toolOf(definition: JsonRecord) {
  const { name, description, parameters } = recordOf(definition.function ?? definition);
  const text = textOf(description);
  return {
    name: textOf(name) ?? 'unnamed',
    ...(text === undefined ? {} : { description: text }),
    ...(parameters === undefined ? {} : { input_schema: parameters }),
  };
}

/** Text, or from 1.6 on parts; an image is named by its path and is not there. */
const contentOf = (content: unknown): Block[] =>
  readBlocks(content, (part) =>
    typeof part.text === 'string' ? { type: 'text', text: part.text } : { type: '', value: part },
  );

const WRITTEN = 'extra.cache_creation_input_tokens';
const REASONING = 'extra.reasoning_tokens';
/** None is required; a metric may be a price alone. */
const BILL = {
  always: [],
  others: ['prompt_tokens', 'completion_tokens', 'cached_tokens', WRITTEN],
  details: [REASONING],
  mayBeEmpty: true,
};

/** ATIF counts cached tokens among the prompt; what was written to the cache stands beside the known fields. */
function usageOf(metrics: unknown, place: BillPlace): Usage | undefined {
  const bill = readBill(metrics, BILL, place);
  if (bill === undefined) return undefined;
  const prompt = bill.count('prompt_tokens') ?? 0;
  const read = Math.min(prompt, bill.count('cached_tokens') ?? 0);
  const written = Math.min(prompt - read, bill.count(WRITTEN) ?? 0);
  const reasoning = bill.count(REASONING);
  const {
    prompt_token_ids: _,
    completion_token_ids: _ids,
    logprobs: _logs,
    ...numbers
  } = bill.fields;
  return {
    input_tokens: prompt - read - written,
    output_tokens: bill.count('completion_tokens') ?? 0,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    ...(reasoning === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoning } }),
    provider_usage: numbers,
  };
}
