import type { Tool } from '@varve/messages';

/** A tool that runs on the caller's side: it has a schema. Others are the provider's own and travel as they are. */
export const isFunctionTool = (tool: Tool): boolean =>
  tool.input_schema !== undefined || tool.type === undefined || tool.type === 'custom';

/** The arguments of a call as JSON text; several servers send the object itself. Empty where there are none. */
export const argumentsText = (value: unknown): string =>
  typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value);

/** The parts of a function that both of OpenAI's APIs know. */
export function functionOf({ name = '', description, input_schema: parameters }: Tool) {
  return {
    name,
    ...(description !== undefined && { description }),
    parameters: (parameters ?? { type: 'object', properties: {} }) as Record<string, unknown>,
  };
}
