/** A message of Anthropic's Messages API: what `toAnthropic` writes, assignable to the SDK's `MessageParam`. */
export type AnthropicMessage =
  | { role: 'user' | 'assistant'; content: AnthropicBlock[] }
  | { role: 'system'; content: AnthropicTextBlock[] };

interface AnthropicTextBlock {
  type: 'text';
  text: string;
}

/** The blocks with a name here; those without one travel as they are. */
export type AnthropicBlock =
  | AnthropicTextBlock
  | AnthropicImageBlock
  | AnthropicDocumentBlock
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown }
  | {
      type: 'tool_result';
      tool_use_id: string;
      content?: string | (AnthropicTextBlock | AnthropicImageBlock | AnthropicDocumentBlock)[];
      is_error?: boolean;
    };

interface AnthropicImageBlock {
  type: 'image';
  source:
    | {
        type: 'base64';
        media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
        data: string;
      }
    | { type: 'url'; url: string }
    | { type: 'file'; file_id: string };
}

interface AnthropicDocumentBlock {
  type: 'document';
  source:
    | { type: 'base64'; media_type: 'application/pdf'; data: string }
    | { type: 'text'; media_type: 'text/plain'; data: string }
    | { type: 'url'; url: string }
    | { type: 'file'; file_id: string };
  title?: string | null;
}
