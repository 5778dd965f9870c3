/** Answers in the words of each provider, and the frames in which it streams them. */
type Fields = Record<string, unknown>;

export const frame = (data: unknown, event?: string): string =>
  `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

const named = (data: Fields): string => frame(data, data.type as string);

/** A text in pieces of `size` characters, or the whole of it where it is empty. */
function pieces(text: string, size: number): string[] {
  const found: string[] = [];
  for (let start = 0; start < text.length; start += size)
    found.push(text.slice(start, start + size));
  return found;
}

/** The stream of an Anthropic message; pings in between, as the API sends them. */
export function anthropicFrames(message: Fields, size = 7): string[] {
  const { content, stop_reason, stop_details, usage, context_management, ...rest } = message;
  const start = {
    ...rest,
    content: [],
    stop_reason: null,
    usage: { ...(usage as Fields), output_tokens: 1 },
  };
  const delta = { stop_reason, stop_sequence: null, stop_details: stop_details ?? null };
  const edits = context_management === undefined ? {} : { context_management };
  return [
    named({ type: 'message_start', message: start }),
    named({ type: 'ping' }),
    ...(content as Fields[]).flatMap((block, index) => anthropicBlock(block, index, size)),
    named({ type: 'message_delta', delta, usage, ...edits }),
    named({ type: 'message_stop' }),
  ];
}

function anthropicBlock(block: Fields, index: number, size: number): string[] {
  const [empty, deltas] = blockParts(block, size);
  return [
    named({ type: 'content_block_start', index, content_block: empty }),
    ...deltas.map((delta) => named({ type: 'content_block_delta', index, delta })),
    named({ type: 'content_block_stop', index }),
  ];
}

function blockParts(block: Fields, size: number): [Fields, Fields[]] {
  switch (block.type) {
    case 'text':
      return [
        { ...block, text: '' },
        pieces(block.text as string, size).map((text) => ({ type: 'text_delta', text })),
      ];
    case 'thinking': {
      const thinking = pieces(block.thinking as string, size);
      const signature = { type: 'signature_delta', signature: block.signature };
      const deltas = thinking.map((piece) => ({ type: 'thinking_delta', thinking: piece }));
      return [{ ...block, thinking: '', signature: '' }, [...deltas, signature]];
    }
    case 'tool_use': {
      const json = pieces(JSON.stringify(block.input), size);
      const deltas = json.map((partial) => ({ type: 'input_json_delta', partial_json: partial }));
      return [{ ...block, input: {} }, [{ type: 'input_json_delta', partial_json: '' }, ...deltas]];
    }
    case 'compaction': {
      const { content, encrypted_content } = block;
      return [
        { type: 'compaction', content: null },
        [{ type: 'compaction_delta', content, encrypted_content }],
      ];
    }
    default:
      return [block, []];
  }
}

/** The stream of a chat completion. */
export function chatFrames(completion: Fields, size = 7): string[] {
  const { choices, usage, ...rest } = completion;
  const [{ message, finish_reason }] = choices as [{ message: Fields; finish_reason: string }];
  const chunk = (delta: Fields, finish: string | null = null) =>
    frame({ ...rest, choices: [{ index: 0, delta, finish_reason: finish }] });
  const { reasoning_content: reasoning = '', content, refusal, tool_calls: calls = [] } = message;
  const texts = (name: string, text: unknown) =>
    pieces((text ?? '') as string, size).map((piece) => chunk({ [name]: piece }));
  return [
    chunk({ role: 'assistant', content: '' }),
    ...texts('reasoning_content', reasoning),
    ...texts('content', content),
    ...texts('refusal', refusal),
    ...(calls as Fields[]).flatMap((call, index) => {
      const { arguments: text, name } = call.function as { arguments: string; name: string };
      const start = { index, ...call, function: { name, arguments: '' } };
      const rest = pieces(text, size).map((part) => ({ index, function: { arguments: part } }));
      return [start, ...rest].map((each) => chunk({ tool_calls: [each] }));
    }),
    chunk({}, finish_reason),
    ...(usage ? [frame({ ...rest, choices: [], usage })] : []),
    frame('[DONE]'),
  ];
}

/** The stream of a response of the Responses API. */
export function responsesFrames(response: Fields, size = 7): string[] {
  const { output, usage, status, ...rest } = response;
  const begun = { ...rest, status: 'in_progress', output: [] };
  let sequence = 0;
  const event = (data: Fields) => named({ ...data, sequence_number: sequence++ });
  return [
    event({ type: 'response.created', response: begun }),
    ...(output as Fields[]).flatMap((item, place) => itemEvents(item, place, size).map(event)),
    event({ type: `response.${status === 'completed' ? 'completed' : status}`, response }),
  ];
}

function itemEvents(item: Fields, place: number, size: number): Fields[] {
  const at = { output_index: place, item_id: item.id };
  const added = { type: 'response.output_item.added', ...at, item: emptied(item) };
  const done = { type: 'response.output_item.done', ...at, item };
  return [added, ...itemDeltas(item, size).map((delta) => ({ ...at, ...delta })), done];
}

const emptied = (item: Fields): Fields => ({
  ...item,
  status: 'in_progress',
  ...('content' in item && { content: [] }),
  ...('arguments' in item && { arguments: '' }),
});

function itemDeltas(item: Fields, size: number): Fields[] {
  if (item.type === 'function_call') {
    const type = 'response.function_call_arguments.delta';
    return pieces(item.arguments as string, size).map((delta) => ({ type, delta }));
  }
  if (item.type === 'reasoning') {
    const [part] = item.summary as { text: string }[];
    const type = 'response.reasoning_summary_text.delta';
    return pieces(part?.text ?? '', size).map((delta) => ({ type, summary_index: 0, delta }));
  }
  return ((item.content ?? []) as Fields[]).flatMap((part, index) => {
    const isRefusal = part.type === 'refusal';
    const type = isRefusal ? 'response.refusal.delta' : 'response.output_text.delta';
    const text = (isRefusal ? part.refusal : part.text) as string;
    return pieces(text, size).map((delta) => ({ type, content_index: index, delta }));
  });
}
