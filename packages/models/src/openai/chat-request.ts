import type { Head, Request, Tool } from '@varve/messages';
import { createOpenAIChatConverter, type toOpenAIChat } from '@varve/messages/convert';
import type { WrittenRequest } from '../request-params.ts';
import type { BreakpointFormat } from './breakpoints.ts';
import { functionOf, isFunctionTool } from './tools.ts';
import { createOpenAIWriter, type OpenAIWriterOptions } from './writer.ts';

type OpenAIChatMessage = ReturnType<typeof toOpenAIChat>['messages'][number];

/** What is sent to `/chat/completions`, beside the parameters of the head, which go as they are. */
export interface OpenAIChatBody {
  model: string;
  max_completion_tokens?: number;
  max_tokens?: number;
  tools?: OpenAIChatTool[];
  messages: OpenAIChatMessage[];
}

export interface OpenAIChatTool {
  type: 'function';
  function: { name: string; description?: string; parameters: Record<string, unknown> };
}

export interface OpenAIChatWriterOptions extends OpenAIWriterOptions {
  /** Older compatible servers know `max_tokens` alone. @default 'max_completion_tokens' */
  readonly maxTokensField?: 'max_completion_tokens' | 'max_tokens' | undefined;
}

/** Writes requests of a history that grows: a message is read once, and the same request always gives the same bytes. */
export function createOpenAIChatWriter(
  options: OpenAIChatWriterOptions = {},
): (request: Request) => WrittenRequest<OpenAIChatBody> {
  const { maxTokensField = 'max_completion_tokens' } = options;
  return createOpenAIWriter<OpenAIChatMessage, OpenAIChatTool, OpenAIChatBody>(
    {
      ...CHAT_FORMAT,
      convert: createOpenAIChatConverter().to,
      writeHead,
      fieldsOf: ({ maxTokens, tools, items }) => ({
        [maxTokensField]: maxTokens,
        ...tools,
        messages: items,
      }),
    },
    options,
  );
}

function writeHead({ tools, system }: Head): {
  tools: OpenAIChatTool[];
  system: OpenAIChatMessage[];
} {
  const parts = system.map(({ text }) => ({ type: 'text' as const, text }));
  const [first] = parts;
  const content = parts.length === 1 && first ? first.text : parts;
  return { tools: tools.map(writeTool), system: first ? [{ role: 'system', content }] : [] };
}

function writeTool(tool: Tool): OpenAIChatTool {
  if (!isFunctionTool(tool)) return tool as unknown as OpenAIChatTool;
  const strict = tool.strict as boolean | undefined;
  const written = { ...functionOf(tool), ...(strict !== undefined && { strict }) };
  return { type: 'function', function: written };
}

const CHAT_FORMAT: Omit<BreakpointFormat<OpenAIChatMessage>, 'convert'> = {
  partsOf(item) {
    if (item.role === 'assistant') return undefined;
    return typeof item.content === 'string' ? [{ type: 'text', text: item.content }] : item.content;
  },
  withParts: (item, parts) => ({ ...item, content: parts }) as OpenAIChatMessage,
};
