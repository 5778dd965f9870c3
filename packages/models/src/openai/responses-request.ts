import type { Head, Request, Tool } from '@varve/messages';
import { createOpenAIResponsesConverter, type toOpenAIResponses } from '@varve/messages/convert';
import type { WrittenRequest } from '../request-params.ts';
import type { BreakpointFormat } from './breakpoints.ts';
import { functionOf, isFunctionTool } from './tools.ts';
import { createOpenAIWriter, type OpenAIWriterOptions } from './writer.ts';

type OpenAIResponsesItem = ReturnType<typeof toOpenAIResponses>['messages'][number];

/** What is sent to `/responses`, beside the parameters of the head, which go as they are. */
export interface OpenAIResponsesBody {
  model: string;
  max_output_tokens: number;
  tools?: OpenAIResponsesTool[];
  input: OpenAIResponsesItem[];
}

export interface OpenAIResponsesTool {
  type: 'function';
  name: string;
  description?: string;
  parameters: Record<string, unknown>;
  strict: boolean | null;
}

/** Writes requests of a history that grows: a message is read once, and the same request always gives the same bytes. */
export function createOpenAIResponsesWriter(
  options: OpenAIWriterOptions = {},
): (request: Request) => WrittenRequest<OpenAIResponsesBody> {
  return createOpenAIWriter<OpenAIResponsesItem, OpenAIResponsesTool, OpenAIResponsesBody>(
    {
      ...RESPONSES_FORMAT,
      convert: createOpenAIResponsesConverter().to,
      writeHead,
      fieldsOf: ({ maxTokens, tools, items }) => ({
        max_output_tokens: maxTokens,
        ...tools,
        input: items,
      }),
    },
    options,
  );
}

/** System text is the first item rather than `instructions`, which cannot carry a marker. */
function writeHead({ tools, system }: Head): {
  tools: OpenAIResponsesTool[];
  system: OpenAIResponsesItem[];
} {
  const parts = system.map(({ text }) => ({ type: 'input_text' as const, text }));
  const [first] = parts;
  const item: OpenAIResponsesItem[] =
    parts.length === 1 && first
      ? [{ role: 'system', content: first.text }]
      : [{ role: 'system', content: parts }];
  return { tools: tools.map(writeTool), system: first ? item : [] };
}

function writeTool(tool: Tool): OpenAIResponsesTool {
  if (!isFunctionTool(tool)) return tool as unknown as OpenAIResponsesTool;
  const { strict = false } = tool as { readonly strict?: boolean };
  return { type: 'function', ...functionOf(tool), strict };
}

const RESPONSES_FORMAT: Omit<BreakpointFormat<OpenAIResponsesItem>, 'convert'> = {
  partsOf(item) {
    if ('role' in item) return item.role === 'assistant' ? undefined : partsOfText(item.content);
    return item.type === 'function_call_output' ? partsOfText(item.output) : undefined;
  },
  withParts: (item, parts) =>
    ('role' in item
      ? { ...item, content: parts }
      : { ...item, output: parts }) as OpenAIResponsesItem,
};

const partsOfText = (content: string | readonly object[]): readonly object[] =>
  typeof content === 'string' ? [{ type: 'input_text', text: content }] : content;
