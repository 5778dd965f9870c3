import { mayChange, replacementsIn, shellCommand, type ToolCall } from '@varve/messages/tools';
import { errorSignature } from './error-signature.ts';
import type { DoneCall, Extractor } from './extractor.ts';
import type { Place } from './fact.ts';
import { isMiss } from './miss.ts';
import { oneLine, subjectOf } from './names.ts';
import { hasEnded } from './outcome.ts';
import { createSlots, type Slots } from './slots.ts';

const MAX_COMMAND = 200;
/** Edits that are compared with later ones, newest kept. */
const MAX_EDITS = 400;

/** What was tried and did not work: a command that failed at least twice, an edit that was taken back. */
export function createApproachFacts(): Extractor {
  const slots = createSlots('failed-approach');
  const failures = new Map<string, number>();
  const edits = new Map<string, string>();
  return {
    done(done, place) {
      if (done.outcome.status === 'refused') noteRefused(done.call, slots, place);
      if (!hasEnded(done.outcome)) return;
      if (done.outcome.status === 'passed') slots.drop(subjectOf(done.call));
      if (done.call.kind === 'shell' && !isMissed(done))
        noteCommand(done.call.command, done, { slots, failures, place });
      if (done.outcome.status === 'passed') noteRevert(done.call, { slots, edits, place });
    },
    facts: slots.facts,
    superseded: slots.superseded,
  };
}

/** A look that found nothing may be repeated. */
const isMissed = (done: DoneCall): boolean => done.outcome.status === 'failed' && isMiss(done);

/** What was not run is not to be taken for done. */
function noteRefused(call: ToolCall, slots: Slots, place: Place): void {
  if (mayChange(call)) slots.set(subjectOf(call), 'not run: it was refused', place);
}

interface Commands {
  readonly slots: Slots;
  readonly failures: Map<string, number>;
  readonly place: Place;
}

function noteCommand(
  command: string,
  { outcome, text }: DoneCall,
  { slots, failures, place }: Commands,
): void {
  const key = oneLine(shellCommand(command).key, MAX_COMMAND);
  const before = failures.get(key) ?? 0;
  const count = outcome.status === 'failed' ? before + 1 : before;
  if (outcome.status === 'failed') failures.set(key, count);
  if (count < 2) return;
  const state = outcome.status === 'failed' ? `last: ${errorSignature(text)}` : 'passed in the end';
  slots.set(key, `failed ${count} times, ${state}`, place);
}

interface Edits {
  readonly slots: Slots;
  readonly edits: Map<string, string>;
  readonly place: Place;
}

function noteRevert(call: ToolCall, { slots, edits, place }: Edits): void {
  if (call.kind === 'shell') noteRestored(call.command, slots, place);
  if (call.kind !== 'edit') return;
  for (const { oldText: before, newText: after } of replacementsIn(call.input) ?? []) {
    const path = call.path ?? '';
    if (edits.get(`${path}\n${after}`) === before) {
      slots.set(`edit of ${path}: ${one(before)}`, 'taken back', place);
    }
    edits.set(`${path}\n${before}`, after);
    const oldest = edits.size > MAX_EDITS ? edits.keys().next().value : undefined;
    if (oldest !== undefined) edits.delete(oldest);
  }
}

const RESTORES =
  /\bgit\s+(?:checkout\s+(?:\S+\s+)?--\s+[^;&|\n]+|restore\s+(?!--staged\b)[^;&|\n]+|reset\s+--hard[^;&|\n]*|revert\s+[^;&|\n]+|stash\s+drop[^;&|\n]*|clean\s+-\w*f[^;&|\n]*)/g;

function noteRestored(command: string, slots: Slots, place: Place): void {
  for (const [restored] of command.matchAll(RESTORES)) {
    slots.set(one(restored), 'taken back with git', place);
  }
}

const one = (text: string): string => oneLine(text, 100);
