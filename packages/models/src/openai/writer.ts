import type { Head, Marker, Request } from '@varve/messages';
import { createParamsReader, rememberHead, type WrittenRequest } from '../request-params.ts';
import {
  type BreakpointFormat,
  createBreakpointWriter,
  createPartMarker,
  hasBreakpoints,
} from './breakpoints.ts';

export interface OpenAIWriterOptions {
  /** Whether markers are written, as models from GPT-5.6 on take them. @default by the table of `@varve/tokens` */
  readonly breakpoints?: boolean | undefined;
}

/** What Chat Completions and Responses write each their own way. */
export interface WriterFormat<Item extends object, Tool, Body> extends BreakpointFormat<Item> {
  readonly writeHead: (head: Head) => { readonly tools: Tool[]; readonly system: Item[] };
  /** The fields that both name differently; what is listed first is sent first. */
  readonly fieldsOf: (parts: {
    readonly maxTokens: number;
    readonly tools: { readonly tools?: Tool[] };
    readonly items: Item[];
  }) => Omit<Body, 'model'>;
}

/** Writes requests of a history that grows: a message is read once, and the same request always gives the same bytes. */
export function createOpenAIWriter<Item extends object, Tool, Body>(
  format: WriterFormat<Item, Tool, Body>,
  options: OpenAIWriterOptions,
): (request: Request) => WrittenRequest<Body> {
  const mark = createBreakpointWriter(format);
  const markSystem = createSystemMarker(format);
  const readParams = createParamsReader();
  const headOf = rememberHead(format.writeHead);
  return (request) => {
    const { head, markers, maxOutputTokens: maxTokens } = request;
    const { breakpoints = hasBreakpoints(head.model) } = options;
    const { messages, losses } = format.convert(request.messages);
    const given = { ...readParams(head.params), ...readParams(request.server) };
    const { betas: _, stream: __, ...params } = given;
    const { tools, system } = headOf(head);
    const items = breakpoints
      ? [...markSystem(system, markers), ...mark(messages, request)]
      : [...system, ...messages];
    const fields = format.fieldsOf({ maxTokens, tools: tools.length > 0 ? { tools } : {}, items });
    return { body: { ...params, model: head.model, ...fields } as Body, losses };
  };
}

function createSystemMarker<Item extends object>(format: BreakpointFormat<Item>) {
  const mark = createPartMarker(format);
  return (system: readonly Item[], markers: readonly Marker[]): readonly Item[] =>
    markers
      .filter(({ at }) => at === 'system')
      .reduce(
        (items, { blockIndex = Infinity }) => items.map((item) => mark(item, blockIndex) ?? item),
        system,
      );
}
