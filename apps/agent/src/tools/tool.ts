import { isAbortError } from '@varve/guards';
import type { Block, Tool as ToolDefinition, ToolUseBlock } from '@varve/messages';
import { z } from 'zod';
import type { Team } from '../agents/team.ts';
import type { AgentEvent } from '../events.ts';
import { messageOf } from '../shown.ts';
import type { FileCache } from './files.ts';

/** What a tool gives: text, blocks, or the bytes that a command printed. */
export interface ToolOutput {
  readonly content: string | readonly Block[] | Uint8Array;
  readonly isError?: boolean | undefined;
}

/** What a call may do beyond reading what is in the folder. */
export type Risk = 'edits' | 'runs' | 'fetches';

export interface ToolOptions {
  readonly signal: AbortSignal;
  readonly cwd: string;
  /** What the settings add to the environment of programs. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Patterns of files that a search leaves out, as ripgrep reads them. */
  readonly hidden?: readonly string[] | undefined;
  /** Whether a name may lead into the own machine or network. @default none may */
  readonly mayReachOwn?: ((url: URL) => boolean) | undefined;
  readonly files: FileCache;
  readonly callId: string;
  /** Gives the text of a skill to the model, or throws why not. */
  readonly skills?: { call(name: string, args: string): Promise<string> } | undefined;
  /** Takes a plan that was approved. */
  readonly plan?: { approve(text: string): Promise<string> } | undefined;
  /** Agents and background work. @default there are none here */
  readonly team?: Team | undefined;
  readonly emit: (event: AgentEvent) => void;
}

/** A tool of the agent. What `run` throws becomes a failed result, but for an abort. */
export interface Tool<Input extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  /** Whether calls change nothing, so that they may run beside each other. */
  readonly reads: boolean | ((input: z.infer<Input>) => boolean);
  /** @default none */
  readonly risk?: Risk | undefined;
  run(input: z.infer<Input>, options: ToolOptions): Promise<ToolOutput | string>;
}

/** Keeps the type of a tool's input within its definition. */
export const defineTool = <Input extends z.ZodType>(tool: Tool<Input>): Tool =>
  tool as unknown as Tool;

/** A call with its input read by the tool's schema. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly reads: boolean;
  readonly risk?: Risk | undefined;
}

export type ParsedCall =
  | { readonly kind: 'call'; readonly call: ToolCall }
  | { readonly kind: 'refused'; readonly call: ToolCall; readonly reason: string };

/** The tools of a session. */
export interface Tools {
  /** What the provider is told; their bytes are part of every cached prefix. */
  readonly definitions: readonly ToolDefinition[];
  parse(block: ToolUseBlock): ParsedCall;
  /** Rejects with the reason of an abort only. */
  run(call: ToolCall, signal: AbortSignal): Promise<ToolOutput>;
}

export interface ToolsOptions extends Omit<ToolOptions, 'signal' | 'callId'> {
  readonly tools: readonly Tool[];
  /** Tools that the context adds to a request by itself. */
  readonly added?: readonly Tool[] | undefined;
  /** Tools that come and go, such as those of MCP servers. @default none */
  readonly find?: ((name: string) => Tool | undefined) | undefined;
}

export function createTools({ tools, added = [], find, ...options }: ToolsOptions): Tools {
  const byName = new Map([...tools, ...added].map((tool) => [tool.name, tool]));
  const toolOf = (name: string) => byName.get(name) ?? find?.(name);
  return {
    definitions: tools.map(definitionOf),
    parse({ id, name, input }) {
      const tool = toolOf(name);
      const unread = { id, name, input, reads: true };
      if (tool === undefined) {
        const reason = `There is no tool ${name}. There are: ${[...byName.keys()].join(', ')}.`;
        return { kind: 'refused', call: unread, reason };
      }
      const read = tool.input.safeParse(input);
      if (!read.success) {
        const reason = `The input of ${name} is not as it should be:\n${z.prettifyError(read.error)}`;
        return { kind: 'refused', call: unread, reason };
      }
      const reads = typeof tool.reads === 'function' ? tool.reads(read.data) : tool.reads;
      return { kind: 'call', call: { id, name, input: read.data, reads, risk: tool.risk } };
    },
    async run({ id, name, input }, signal) {
      signal.throwIfAborted();
      try {
        const tool = toolOf(name) as Tool;
        const output = await tool.run(input, { ...options, signal, callId: id });
        return typeof output === 'string' ? { content: output } : output;
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (isAbortError(error)) return failed('The tool was stopped.');
        return failed(messageOf(error));
      }
    },
  };
}

const failed = (content: string): ToolOutput => ({ content, isError: true });

export function definitionOf({ name, description, input }: Tool): ToolDefinition {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return { name, description, input_schema: schema };
}
