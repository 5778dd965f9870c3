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
}

/** Makes typed events of what the agent does; secrets are taken out of them. */
function createTelemetry({ onTelemetry, context, sharesPrefix }: TelemetryOptions): Emit {
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
        return tell('varve.permission', { tool: event.call.name, decision: 'allowed' });
      case 'call-refused':
        return tell('varve.permission', { tool: event.call.name, decision: 'refused' });
      case 'hook': {
        const { event: name, outcome, durationMs } = event;
        return tell('varve.hook', { event: name, outcome, durationMs: Math.round(durationMs) });
      }
      default:
        return undefined;
    }
  };
}

interface Telling extends Omit<TelemetryOptions, 'onTelemetry'> {
  readonly tell: (name: TelemetryEvent['name'], fields: object) => void;
}

function ofLayer(event: ContextEvent, { tell, context, sharesPrefix }: Telling): void {
  if (event.layer === 'compact' && event.kind === 'progress') {
    if (event.event.type !== 'compaction-ended') return;
    const { start, outcome, tokensAfter, failure } = event.event;
    const { trigger, reason, path, tokensBefore } = start;
    const { engine, calls } = outcome === 'compacted' ? lastReceipt(context()) : NO_RECEIPT;
    const figures = { tokensBefore, tokensAfter, engine, attempts: calls, sharesPrefix };
    tell('varve.compaction', { trigger, reason, path, outcome, failure, ...figures });
  }
  if (event.layer === 'compact' && event.kind === 'idle') {
    const { windowTokens, autocompactTokens } = context().limits();
    const sizes = { tokens: context().size().tokens, threshold: autocompactTokens };
    tell('varve.gate', { reason: event.reason, ...sizes, window: windowTokens });
  }
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
  { switches, context }: { readonly switches: Switches; readonly context: Context },
): Emit | undefined {
  const told = onTelemetry ?? (path === undefined ? undefined : telemetryFile(path));
  const sharesPrefix = switches['compact.sharePrefix'];
  return told && createTelemetry({ onTelemetry: told, sharesPrefix, context: () => context });
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
