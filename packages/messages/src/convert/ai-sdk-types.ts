/** A message of the AI SDK: what `toAISDK` writes, assignable to `ModelMessage` of `ai` 7. */
export type AISDKMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: AISDKUserPart[] }
  | { role: 'assistant'; content: AISDKAssistantPart[] }
  | { role: 'tool'; content: AISDKResultPart[] };

export interface AISDKTextPart {
  type: 'text';
  text: string;
}

export interface AISDKFilePart {
  type: 'file';
  mediaType: string;
  data: AISDKFileData;
  filename?: string;
}

type AISDKFileData =
  | { type: 'data'; data: string }
  | { type: 'url'; url: URL }
  | { type: 'reference'; reference: Record<string, string> & { type?: never } }
  | { type: 'text'; text: string };

export type AISDKUserPart = AISDKTextPart | AISDKFilePart;

interface AISDKReasoningPart {
  type: 'reasoning';
  text: string;
  providerOptions: { anthropic: { signature: string } | { redactedData: string } };
}

interface AISDKCallPart {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  input: unknown;
}

export type AISDKAssistantPart = AISDKTextPart | AISDKReasoningPart | AISDKCallPart;

export interface AISDKResultPart {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output:
    | { type: 'text' | 'error-text'; value: string }
    | { type: 'content'; value: (AISDKTextPart | AISDKFilePart)[] };
}

/** What `fromAISDK` reads: `ModelMessage` fits. */
export interface AISDKMessageLike {
  readonly role: string;
  readonly content?: unknown;
}
