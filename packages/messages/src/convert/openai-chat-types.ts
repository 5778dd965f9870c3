/** A message of OpenAI's Chat Completions: what `toOpenAIChat` writes, assignable to the SDK's own type. */
export type OpenAIChatMessage =
  | OpenAIChatSystemMessage
  | OpenAIChatUserMessage
  | OpenAIChatAssistantMessage
  | OpenAIChatToolMessage;

interface OpenAIChatSystemMessage {
  role: 'system';
  content: string | OpenAIChatTextPart[];
}

interface OpenAIChatUserMessage {
  role: 'user';
  content: string | OpenAIChatPart[];
}

interface OpenAIChatAssistantMessage {
  role: 'assistant';
  content: string | OpenAIChatTextPart[] | null;
  tool_calls?: OpenAIChatCall[];
}

export interface OpenAIChatToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: string | OpenAIChatTextPart[];
}

export interface OpenAIChatCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export interface OpenAIChatTextPart {
  type: 'text';
  text: string;
}

export type OpenAIChatPart =
  | OpenAIChatTextPart
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'file'; file: { file_data?: string; filename?: string; file_id?: string } };

/** What `fromOpenAIChat` reads: the SDK's messages, and those of compatible servers. */
export interface OpenAIChatMessageLike {
  readonly role: string;
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly tool_calls?: unknown;
  readonly tool_call_id?: unknown;
}
