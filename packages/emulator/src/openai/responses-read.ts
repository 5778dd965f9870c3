import { type Fields, listOf, recordOf, textOf } from '@varve/guards';
import {
  type JsonObject,
  openaiResponsesProfile,
  type TextBlock,
  type Tool,
} from '@varve/messages';
import { fromOpenAIResponses } from '@varve/messages/convert';
import type { FieldRule } from '../anthropic/fields.ts';
import { type Call, Refused } from '../core/endpoint.ts';
import { markersOf, unmark } from './breakpoints.ts';
import { checkFields, checkShape, modelOf, outputLimit } from './check-fields.ts';
import { badRequest } from './error-body.ts';
import { type Prepared, prepare } from './prepare.ts';

export interface PreparedResponse extends Prepared {
  /** Every item of the conversation, those of the response before included. */
  readonly items: readonly Fields[];
}

/** Reads and checks a body of the Responses API. Throws `Refused`. */
export function readResponse(
  call: Call,
  fields: Readonly<Record<string, FieldRule>>,
): PreparedResponse {
  const { body } = call;
  checkFields(body, fields);
  const model = modelOf(call);
  checkShape(body, 'responses');
  const items = [...previousItems(call), ...inputItems(body)];
  const unmarked = unmark(items);
  const convert = (list: readonly Fields[]) =>
    fromOpenAIResponses(
      list as unknown as readonly Parameters<typeof fromOpenAIResponses>[0][number][],
    ).messages;
  const prepared = prepare(call, {
    model,
    profile: { ...openaiResponsesProfile(), prefill: true },
    messages: convert(unmarked.items),
    markers: markersOf(unmarked, convert),
    system: systemOf(body),
    tools: listOf(body.tools).map(toolOf),
    params: paramsOf(body),
    maxOutputTokens: outputLimit(body, ['max_output_tokens'], model),
  });
  return { ...prepared, items: unmarked.items };
}

function inputItems({ input }: JsonObject): readonly Fields[] {
  if (input == null) return [];
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  return listOf(input).map(recordOf);
}

/** What a stored response leaves behind: all its input, and its output. It is billed again like any other input. */
function previousItems({ body, state, organisation }: Call): readonly Fields[] {
  const { previous_response_id: id } = body;
  if (id == null) return [];
  const stored = state.remember.get(organisation, String(id)) as
    | { readonly items?: readonly Fields[] }
    | undefined;
  if (stored?.items) return stored.items;
  const text = `Previous response with id '${String(id)}' not found.`;
  throw new Refused(badRequest(text, 'previous_response_id', 'previous_response_not_found'));
}

function systemOf({ instructions }: JsonObject): TextBlock[] {
  return typeof instructions === 'string' && instructions !== ''
    ? [{ type: 'text', text: instructions }]
    : [];
}

function toolOf(tool: unknown): Tool {
  const { name, description, parameters, ...rest } = recordOf(tool);
  // several servers of one type may stand in a request: each goes by its label
  if (rest.type !== 'function') {
    return { ...recordOf(tool), name: textOf(name ?? rest.server_label ?? rest.type) };
  }
  const { type: _function, ...others } = rest;
  return {
    ...others,
    name: textOf(name),
    ...(typeof description === 'string' && { description }),
    ...(parameters !== undefined && { input_schema: parameters }),
  };
}

function paramsOf(body: JsonObject): JsonObject {
  const names = ['reasoning', 'text', 'service_tier', 'prompt_cache_key'];
  return Object.fromEntries(
    names.filter((name) => body[name] != null).map((name) => [name, body[name]]),
  );
}
