import type { Context } from '@varve/context';
import type { Message } from '@varve/messages';
import type { AgentEvent, SessionFacts } from '../events.ts';
import type { TurnEnd } from '../loop.ts';
import type { OutputFormat } from '../options.ts';
import { createRetryLines } from './describe.ts';

export const EXIT = { done: 0, failed: 1, usage: 2, limit: 3, permission: 4, interrupted: 130 };

/** How a run ended, failures included. */
export type RunEnd =
  | TurnEnd
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'interrupted' };

export interface PrinterOptions {
  readonly format: OutputFormat;
  /** Standard output. */
  readonly write: (text: string) => void;
  /** Standard error: what is not the answer. */
  readonly warn: (text: string) => void;
}

type Usage = ReturnType<Context['usage']>;

/** Shows a run to a script: the answer as text, one JSON object, or one of each event. */
export function createPrinter({ format, write, warn }: PrinterOptions) {
  let startedAt = performance.now();
  let denials: object[] = [];
  let isPermissionMissing = false;
  let facts: SessionFacts | undefined;
  let turns = 0;
  const retryLine = createRetryLines();
  const line = (value: object) => write(`${JSON.stringify(value)}\n`);
  const stream = (value: object) => {
    if (format === 'stream-json') line({ ...value, session_id: facts?.sessionId });
  };

  return {
    emit(event: AgentEvent): void {
      switch (event.kind) {
        case 'session':
          facts = event;
          stream(initOf(event));
          break;
        case 'reply':
          turns += 1;
          stream(assistantOf(event.message));
          break;
        case 'results':
          for (const message of event.messages) stream(userOf(message));
          break;
        case 'agent-event': {
          // as the conversation's own, but for whose they are
          const { event: inner, callId } = event;
          const parent = { parent_tool_use_id: callId };
          if (inner.kind === 'reply') stream({ ...assistantOf(inner.message), ...parent });
          if (inner.kind === 'results')
            for (const message of inner.messages) stream({ ...userOf(message), ...parent });
          if (inner.kind === 'call-refused' && format === 'text')
            warn(`refused (${event.agent}): ${inner.reason}\n`);
          break;
        }
        case 'call-refused': {
          const { id, name, input } = event.call;
          denials.push({ tool_name: name, tool_use_id: id, tool_input: input });
          isPermissionMissing ||= event.by === 'nobody';
          if (format === 'text') warn(`refused: ${event.reason}\n`);
          break;
        }
        case 'retry':
          warn(`${retryLine(event)}\n`);
          break;
        case 'notice':
          warn(`${event.text}\n`);
          break;
        case 'layer':
          if (isCompaction(event.event)) stream(boundaryOf(event.event.event));
          break;
      }
    },

    /** Begins the next prompt: what is counted is counted for each. */
    begin(): void {
      startedAt = performance.now();
      denials = [];
      isPermissionMissing = false;
      turns = 0;
    },

    /** Shows the end of a prompt, and gives the exit code. */
    end(end: RunEnd, before: Usage | undefined, after: Usage | undefined): number {
      const code = codeOf(end, isPermissionMissing);
      const text = textOf(end);
      if (format !== 'text') {
        line({
          type: 'result',
          subtype: SUBTYPES[end.kind],
          is_error: code !== EXIT.done && code !== EXIT.permission,
          duration_ms: Math.round(performance.now() - startedAt),
          num_turns: turns,
          result: text,
          session_id: facts?.sessionId,
          total_cost_usd: (after?.dollars ?? 0) - (before?.dollars ?? 0),
          usage: usageBetween(before, after),
          permission_denials: denials,
        });
      } else if (end.kind === 'done') write(text.endsWith('\n') ? text : `${text}\n`);
      else warn(`${text}\n`);
      return code;
    },
  };
}

const SUBTYPES: Readonly<Record<RunEnd['kind'], string>> = {
  done: 'success',
  blocked: 'error_during_execution',
  refused: 'error_during_execution',
  failed: 'error_during_execution',
  interrupted: 'error_during_execution',
  'turn-limit': 'error_max_turns',
  'cost-limit': 'error_max_budget_usd',
};

function codeOf(end: RunEnd, isPermissionMissing: boolean): number {
  switch (end.kind) {
    case 'done':
      return isPermissionMissing ? EXIT.permission : EXIT.done;
    case 'turn-limit':
    case 'cost-limit':
      return EXIT.limit;
    case 'interrupted':
      return EXIT.interrupted;
    default:
      return EXIT.failed;
  }
}

function textOf(end: RunEnd): string {
  switch (end.kind) {
    case 'done':
      return end.text;
    case 'blocked':
      return end.reason;
    case 'refused':
      return end.text || 'The model refused to answer.';
    case 'failed':
      return end.message;
    case 'interrupted':
      return 'Interrupted; go on with --continue.';
    case 'turn-limit':
      return 'The limit of --max-turns is reached; go on with --continue.';
    case 'cost-limit':
      return 'The limit of --max-cost is reached; go on with --continue.';
  }
}

const initOf = ({ cwd, model, tools, permissionMode, mcpServers }: SessionFacts) => ({
  ...{ type: 'system', subtype: 'init', cwd, model, tools, permissionMode },
  mcp_servers: mcpServers,
});

function assistantOf({ content, response }: Message): object {
  const { id, model, stopReason = null, usage } = response ?? {};
  const message = { id, type: 'message', role: 'assistant', model, content };
  return {
    type: 'assistant',
    message: { ...message, stop_reason: stopReason, usage },
    parent_tool_use_id: null,
  };
}

const userOf = ({ content }: Message): object => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
});

type LayerEvent = Extract<AgentEvent, { kind: 'layer' }>['event'];

type Ended = Extract<
  Extract<LayerEvent, { kind: 'progress' }>['event'],
  { type: 'compaction-ended' }
>;

/** A compaction that stands in the log. */
const isCompaction = (event: LayerEvent): event is LayerEvent & { readonly event: Ended } =>
  event.layer === 'compact' &&
  event.kind === 'progress' &&
  event.event.type === 'compaction-ended' &&
  event.event.outcome === 'compacted';

const boundaryOf = ({ start, tokensAfter }: Ended): object => ({
  ...{ type: 'system', subtype: 'compact_boundary' },
  compact_metadata: {
    trigger: start.trigger,
    pre_tokens: start.tokensBefore,
    post_tokens: tokensAfter,
  },
});

function usageBetween(before: Usage | undefined, after: Usage | undefined): object {
  const names = [
    'input_tokens',
    'cache_creation_input_tokens',
    'cache_read_input_tokens',
    'output_tokens',
  ] as const;
  return Object.fromEntries(
    names.map((name) => [name, (after?.usage[name] ?? 0) - (before?.usage[name] ?? 0)]),
  );
}
