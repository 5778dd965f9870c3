// Counts what a file records, by its own fields alone: nothing of the import is used here.

export interface RawCounts {
  readonly calls: number;
  readonly results: number;
  /** Undefined where the file does not say where a reply ends. */
  readonly replies?: number;
}

// biome-ignore lint/suspicious/noExplicitAny: a field of a foreign file may hold anything
type Value = Record<string, any>;

const parsed = (text: string): Value[] => {
  const records: Value[] = [];
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {}
  for (const line of text.split('\n')) {
    try {
      records.push(JSON.parse(line));
    } catch {}
  }
  return records;
};

const list = (value: unknown): Value[] => (Array.isArray(value) ? value : []);
const sum = (counts: readonly number[]): number =>
  counts.reduce((total, count) => total + count, 0);
const ofType = (values: unknown, type: string): Value[] =>
  list(values).filter((value) => value?.type === type);

function claudeCode(records: readonly Value[]): RawCounts {
  const lines = new Map(
    records.map((record, at) => [record.uuid ? JSON.stringify(record) : at, record]),
  );
  const calls = new Set<string>();
  const replies = new Set<string>();
  let results = 0;
  for (const { type, uuid, message } of lines.values()) {
    if (type === 'user') results += ofType(message?.content, 'tool_result').length;
    if (type !== 'assistant' || message.model === '<synthetic>') continue;
    const id = message.id && !message.id.startsWith('REDACTED') ? message.id : uuid;
    replies.add(id);
    for (const call of ofType(message.content, 'tool_use')) calls.add(`${id} ${call.id}`);
  }
  return { calls: calls.size, results, replies: replies.size };
}

function codex(records: readonly Value[]): RawCounts {
  const types = records
    .filter(({ type }) => type === 'response_item')
    .map(({ payload }) => String(payload.type));
  const count = (pattern: RegExp) => types.filter((type) => pattern.test(type)).length;
  // a search for tools gives back a list of tools, which is no result of a tool
  return { calls: count(/_call$/), results: count(/_call_output$/) };
}

function copilotCli(records: readonly Value[]): RawCounts {
  const replies = records.filter(({ type }) => type === 'assistant.message');
  return {
    calls: sum(replies.map(({ data }) => list(data.toolRequests).length)),
    results: records.filter(({ type }) => type === 'tool.execution_complete').length,
    replies: replies.length,
  };
}

function opencode([document]: readonly Value[]): RawCounts {
  const tools = list(document?.messages).flatMap(({ parts }) => ofType(parts, 'tool'));
  const done = tools.filter(({ state }) => ['completed', 'error'].includes(state?.status));
  return { calls: tools.length, results: done.length };
}

function pi(records: readonly Value[]): RawCounts {
  const messages = records.filter(({ type }) => type === 'message').map(({ message }) => message);
  const replies = messages.filter(({ role }) => role === 'assistant');
  return {
    calls: sum(replies.map(({ content }) => ofType(content, 'toolCall').length)),
    results: messages.filter(({ role }) => role === 'toolResult').length,
    replies: replies.length,
  };
}

function geminiCli([document]: readonly Value[]): RawCounts {
  const replies = list(document?.messages).filter(({ type }) => type === 'gemini');
  const calls = replies.flatMap(({ toolCalls }) => list(toolCalls));
  return {
    calls: calls.length,
    results: calls.filter(({ result }) => list(result).length > 0).length,
    replies: replies.length,
  };
}

function qwenCode(records: readonly Value[]): RawCounts {
  const parts = (kind: string, field: string) =>
    sum(
      records
        .filter(({ type }) => type === kind)
        .map(({ message }) => list(message?.parts).filter((part) => part[field]).length),
    );
  return {
    calls: parts('assistant', 'functionCall'),
    results: parts('tool_result', 'functionResponse'),
    replies: records.filter(({ type }) => type === 'assistant').length,
  };
}

function goose(records: readonly Value[]): RawCounts {
  const [first] = records;
  const messages = first?.conversation ?? records.slice(1);
  const items = list(messages).flatMap(({ content }) => list(content));
  return {
    calls: ofType(items, 'toolRequest').length,
    results: ofType(items, 'toolResponse').length,
    replies: list(messages).filter(({ role }) => role === 'assistant').length,
  };
}

function atif([trajectory]: readonly Value[]): RawCounts {
  const all: Value[] = [trajectory ?? {}];
  for (const each of all) all.push(...list(each.subagent_trajectories));
  const steps = all.flatMap((each) => list(each.steps)).filter(({ source }) => source === 'agent');
  return {
    calls: sum(steps.map(({ tool_calls: calls }) => list(calls).length)),
    results: sum(steps.map(({ observation }) => list(observation?.results).length)),
    replies: steps.filter(({ llm_call_count: count }) => count !== 0).length,
  };
}

function sweAgent([document]: readonly Value[]): RawCounts | undefined {
  const history = list(document?.history);
  const calls = history.flatMap(({ tool_calls: each }) => list(each));
  if (calls.length === 0) return undefined;
  return { calls: calls.length, results: history.filter(({ role }) => role === 'tool').length };
}

function anthropicMessages(records: readonly Value[]): RawCounts {
  const messages = records.flatMap((record) => record.messages ?? [record]);
  const blocks = messages.flatMap(({ content }) => list(content));
  return {
    calls: ofType(blocks, 'tool_use').length,
    results: ofType(blocks, 'tool_result').length,
  };
}

function openaiChat(records: readonly Value[]): RawCounts {
  const messages = records.flatMap((record) => record.messages ?? [record]);
  return {
    calls: sum(
      messages.map(
        ({ tool_calls: calls, function_call: old }) => list(calls).length + (old ? 1 : 0),
      ),
    ),
    results: messages.filter(({ role }) => role === 'tool' || role === 'function').length,
  };
}

function openaiResponses(records: readonly Value[]): RawCounts {
  const items = records.flatMap((record) => record.input ?? [record]);
  return {
    calls: ofType(items, 'function_call').length,
    results: ofType(items, 'function_call_output').length,
  };
}

const COUNTERS: Readonly<Record<string, (records: readonly Value[]) => RawCounts | undefined>> = {
  'claude-code': claudeCode,
  codex,
  'copilot-cli': copilotCli,
  opencode,
  pi,
  'gemini-cli': geminiCli,
  'qwen-code': qwenCode,
  goose,
  atif,
  'swe-agent': sweAgent,
  'anthropic-messages': anthropicMessages,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
};

/** What a file of a format records; undefined where its own fields do not tell. */
export const rawCounts = (format: string, text: string): RawCounts | undefined =>
  COUNTERS[format]?.(parsed(text.replaceAll('\0', '').replace(/^\uFEFF/, '')));
