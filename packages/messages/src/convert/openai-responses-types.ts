/** An input item of OpenAI's Responses: what `toOpenAIResponses` writes, assignable to the SDK's own type. */
export type OpenAIResponsesItem =
  | OpenAIResponsesMessage
  | OpenAIResponsesCall
  | OpenAIResponsesOutput
  | OpenAIResponsesReasoning
  | OpenAIResponsesCompaction;

type OpenAIResponsesMessage =
  | { role: 'user' | 'system' | 'assistant'; content: string }
  | { role: 'user' | 'system'; content: OpenAIResponsesPart[] };

interface OpenAIResponsesCall {
  type: 'function_call';
  call_id: string;
  name: string;
  arguments: string;
}

interface OpenAIResponsesOutput {
  type: 'function_call_output';
  call_id: string;
  output: string | OpenAIResponsesPart[];
}

/** The model's own thinking; sent back unread. */
interface OpenAIResponsesReasoning {
  type: 'reasoning';
  id: string;
  summary: { type: 'summary_text'; text: string }[];
  encrypted_content?: string | null;
}

/** What a server-side compaction left; sent back unread. */
interface OpenAIResponsesCompaction {
  type: 'compaction';
  encrypted_content: string;
  id?: string | null;
}

export type OpenAIResponsesPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; detail: 'auto'; image_url: string }
  | { type: 'input_image'; detail: 'auto'; file_id: string }
  | { type: 'input_file'; file_data: string; filename: string }
  | { type: 'input_file'; file_url: string }
  | { type: 'input_file'; file_id: string };

/** What `fromOpenAIResponses` reads: the SDK's input and output items. */
export interface OpenAIResponsesItemLike {
  readonly type?: string | null | undefined;
  readonly role?: unknown;
  readonly content?: unknown;
  readonly call_id?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly output?: unknown;
}
