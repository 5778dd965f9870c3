import { appendFileSync } from 'node:fs';
import type { Context, ContextEvent } from '@varve/context';
import type { JsonObject } from '@varve/messages';
import { redactJson } from '@varve/redact';
import type { AgentEvent, Emit } from './events.ts';
import type { Switches } from './switches.ts';

/** What a layer, a permission or a hook did, for whoever counts it: figures and reasons, and never what was said. */
export interface TelemetryEvent {
  readonly name: `varve.${
    | 'compaction'
    | 'compaction.retry'
    | 'cache.break'
    | 'gate'
    | 'clear'
    | 'notes'
    | 'memory'
    | 'dream'
    | 'permission'
    | 'hook'}`;
  readonly fields: JsonObject;
}

/** Takes an event; what it throws is its own. */
export type OnTelemetry = (event: TelemetryEvent) => void;

interface TelemetryOptions {
  readonly onTelemetry: OnTelemetry;
  readonly context: () => Context;
  readonly sharesPrefix: boolean;
  /** Of permissions, as it is now. */
  readonly mode: () => string;
}

/** Makes typed events of what the agent does; secrets are taken out of them. */
function createTelemetry(options: TelemetryOptions): Emit {
  const { onTelemetry, context, sharesPrefix, mode } = options;
  const tell = (name: TelemetryEvent['name'], fields: object) => {
    try {
      const known = Object.entries(fields).filter(([, value]) => value !== undefined);
      onTelemetry({ name, fields: redactJson(Object.fromEntries(known)) as JsonObject });
    } catch {
      // nothing of the work depends on it
    }
  };
  return (event) => {
    switch (event.kind) {
      case 'layer':
        return ofLayer(event.event, { tell, context, sharesPrefix });
      case 'summary-attempt': {
        const { attempt, reason, omitted: dropped, remaining, next } = event.attempt;
        return tell('varve.compaction.retry', { attempt, reason, dropped, remaining, next });
      }
      case 'notes': {
        const { kind, ...rest } = event.event;
        return tell('varve.notes', { kind, reason: 'reason' in rest ? rest.reason : undefined });
      }
      case 'dream':
        if (event.event.kind !== 'progress') tell('varve.dream', ofDream(event.event));
        return undefined;
      case 'call-start':
        return tell('varve.permission', {
          ...{ tool: event.call.name, decision: 'allowed', by: event.by, mode: mode() },
        });
      case 'call-refused':
        return tell('varve.permission', {
          ...{ tool: event.call.name, decision: 'refused', by: event.by, mode: mode() },
        });
      case 'hook': {
        const { event: name, outcome, durationMs } = event;
        return tell('varve.hook', { event: name, outcome, durationMs: Math.round(durationMs) });
      }
      default:
        return undefined;
    }
  };
}

interface Telling extends Omit<TelemetryOptions, 'onTelemetry' | 'mode'> {
  readonly tell: (name: TelemetryEvent['name'], fields: object) => void;
}

function ofLayer(event: ContextEvent, { tell, context, sharesPrefix }: Telling): void {
  /** Whether to compact was decided: how large the next request is, from where on it is done, and what snipping spared. */
  function tellGate(reason: string): void {
    const { effectiveTokens: window, autocompactTokens: threshold } = context().limits();
    const { tokens } = context().size();
    tell('varve.gate', { reason, tokens, threshold, window, snipped: snippedTokens(context()) });
  }
  if (event.layer === 'compact' && event.kind === 'progress') {
    if (event.event.type === 'compaction-started' && event.event.start.trigger === 'auto')
      tellGate('due');
    if (event.event.type !== 'compaction-ended') return;
    const { start, outcome, tokensAfter, failure } = event.event;
    const { trigger, reason, path, tokensBefore } = start;
    const { engine, calls } = outcome === 'compacted' ? lastReceipt(context()) : NO_RECEIPT;
    const figures = { tokensBefore, tokensAfter, engine, attempts: calls, sharesPrefix };
    tell('varve.compaction', { trigger, reason, path, outcome, failure, ...figures });
  }
  if (event.layer === 'compact' && event.kind === 'idle') tellGate(event.reason);
  if (event.kind === 'expected-break' || event.kind === 'unexpected-break') {
    const { model, readTokens: read, expectedReadTokens: expected, breaks } = event;
    const cause = breaks.map((each) => each.cause).join(',') || 'unexplained';
    const isExpected = event.kind === 'expected-break';
    tell('varve.cache.break', { model, cause, lost: expected - read, expected, isExpected });
  }
  if (event.kind === 'edited' && event.layer !== 'compact') {
    const { layer, reason, entryIds, changedFrom } = event;
    tell('varve.clear', { layer, reason, edits: entryIds.length, changedFrom });
  }
  if (event.kind === 'recall') {
    const { found } = event;
    const files = 'paths' in found ? found.paths.length : 0;
    tell('varve.memory', { kind: 'recall', result: found.kind, files });
  }
  if (event.kind === 'extraction') {
    const { kind, ...rest } = event.event;
    const counts =
      'writes' in rest
        ? { written: rest.writes.length, refused: rest.refused.length, held: rest.held.length }
        : {};
    const reason = 'reason' in rest ? rest.reason : undefined;
    tell('varve.memory', { kind: `extraction-${kind}`, reason, ...counts });
  }
}

type DreamNews = Extract<AgentEvent, { readonly kind: 'dream' }>['event'];

function ofDream(event: DreamNews): object {
  if (event.kind === 'completed') {
    const { improved, sessions, waiting } = event.report;
    return { kind: event.kind, improved, sessions, waiting };
  }
  return { kind: event.kind, reason: 'reason' in event ? event.reason : undefined };
}

/** What snipping freed since the last answer. */
function snippedTokens(context: Context): number {
  let freed = 0;
  for (const entry of context.entries().toReversed()) {
    if (entry.type === 'message' && entry.message.role === 'assistant') break;
    if (entry.type !== 'edit' || entry.by !== 'snip') continue;
    const { tokensBefore, tokensAfter } = entry.receipt ?? {};
    if (typeof tokensBefore === 'number' && typeof tokensAfter === 'number')
      freed += tokensBefore - tokensAfter;
  }
  return freed;
}

const NO_RECEIPT: JsonObject = {};

function lastReceipt(context: Context): JsonObject {
  const last = context
    .entries()
    .findLast((entry) => entry.type === 'edit' && entry.by === 'compact');
  return (last?.type === 'edit' && last.receipt) || NO_RECEIPT;
}

/** Who is told of a session; undefined where nobody is. */
export function telemetryOf(
  { onTelemetry, telemetryFile: path }: Wanted,
  { switches, context, mode }: Watched,
): Emit | undefined {
  const told = onTelemetry ?? (path === undefined ? undefined : telemetryFile(path));
  const sharesPrefix = switches['compact.sharePrefix'];
  return told && createTelemetry({ onTelemetry: told, sharesPrefix, mode, context: () => context });
}

interface Watched extends Pick<TelemetryOptions, 'mode'> {
  readonly switches: Switches;
  readonly context: Context;
}

interface Wanted {
  readonly onTelemetry?: OnTelemetry | undefined;
  readonly telemetryFile?: string | undefined;
}

/** Appends events to a file, each a line of JSON. */
function telemetryFile(path: string): OnTelemetry {
  return ({ name, fields }) => {
    const line = JSON.stringify({ at: new Date().toISOString(), name, ...fields });
    appendFileSync(path, `${line}\n`, { mode: 0o600 });
  };
}
