import {
  anthropicProfile,
  type JsonObject,
  type Request,
  type TextBlock,
  type Tool,
} from '@varve/messages';
import { type AnthropicMessage, createAnthropicConverter } from '@varve/messages/convert';
import { createHistoryFit } from '@varve/messages/fit';
import { createParamsReader, type WrittenRequest } from '../request-params.ts';
import { betasOf, betasOfStart, isBetaRequest } from './betas.ts';
import { createInputWriter } from './call-inputs.ts';
import { type CacheControl, createMarkerWriter, markHead } from './markers.ts';

const PROFILES = [anthropicProfile({ thinking: 'free' })];

/** What is sent to `/v1/messages`, beside the parameters of head and server edits, which go as they are. */
export interface AnthropicBody {
  model: string;
  max_tokens: number;
  tools?: AnthropicTool[];
  system?: AnthropicSystemBlock[];
  messages: AnthropicMessage[];
}

export interface AnthropicTool {
  name: string;
  description?: string;
  input_schema: { type: 'object' };
  cache_control?: CacheControl;
}

export interface AnthropicSystemBlock {
  type: 'text';
  text: string;
  cache_control?: CacheControl;
}

export interface AnthropicRequest extends WrittenRequest<AnthropicBody> {
  /** For the `anthropic-beta` header. */
  readonly betas: readonly string[];
  /** Whether the request needs the SDK's beta methods. */
  readonly isBeta: boolean;
}

/** Writes requests of a history that grows: a message is read once, and the same request always gives the same bytes. */
export function createAnthropicWriter(): (request: Request) => AnthropicRequest {
  const converter = createAnthropicConverter();
  const fitHistory = createHistoryFit();
  const writeInputs = createInputWriter();
  const readParams = createParamsReader();
  const mark = createMarkerWriter();
  return (request) => {
    const { head, markers, maxOutputTokens } = request;
    const written = writeInputs(fitHistory(request.messages, PROFILES));
    const { messages, losses } = converter.to(written.messages);
    const given = { ...readParams(head.params), ...readParams(request.server) };
    const { betas: _, stream: __, ...params } = given;
    const { tools, system } = markHead(head, markers);
    const body: AnthropicBody = {
      ...params,
      model: head.model,
      max_tokens: maxOutputTokens,
      ...(tools.length > 0 && { tools: toolsOf(tools) }),
      ...(system.length > 0 && { system: systemOf(system) }),
      messages: mark(messages as AnthropicMessage[], { markers, losses }),
    };
    const ofStart = betasOfStart(request.messages);
    const betas = [...new Set([...betasOf(given), ...ofStart])];
    const allLosses = written.losses.length > 0 ? [...written.losses, ...losses] : losses;
    return { body, losses: allLosses, betas, isBeta: isBetaRequest(given) || ofStart.length > 0 };
  };
}

/** Tools and system text have the shape already; what a caller put into them is the provider's to judge. */
const toolsOf = (tools: readonly Tool[]) => tools as unknown as AnthropicTool[];
const systemOf = (system: readonly TextBlock[]) => system as unknown as AnthropicSystemBlock[];

/** The part of a body that counting takes. */
export function countBody(body: AnthropicBody): JsonObject {
  const fields = Object.entries(body).filter(([name]) => COUNTED.has(name));
  return Object.fromEntries(fields) as JsonObject;
}

const COUNTED = new Set([
  'cache_control',
  'compaction',
  'context_management',
  'mcp_servers',
  'messages',
  'model',
  'output_config',
  'output_format',
  'speed',
  'system',
  'thinking',
  'tool_choice',
  'tools',
]);
