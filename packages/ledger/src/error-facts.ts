import type { ToolCall } from '@varve/messages/tools';
import { shellCommand } from '@varve/messages/tools';
import { errorSignature } from './error-signature.ts';
import type { Extractor } from './extractor.ts';
import type { Place } from './fact.ts';
import { isMiss } from './miss.ts';
import { nameOfFile, oneLine, subjectOf } from './names.ts';
import { hasEnded } from './outcome.ts';
import { createSlots } from './slots.ts';

interface OpenError {
  readonly key: string;
  readonly subject: string;
  /** How many edits had been made when it was seen last. */
  edits: number;
}

/** Edits that are named as what resolved an error. */
const MAX_NAMED = 3;
const MAX_EDITS = 64;

/**
 * Errors with what resolved them: the same call passes later, or fails with another error; the files edited between are named.
 * An error that was never seen resolved is open.
 */
export function createErrorFacts(): Extractor {
  const slots = createSlots('error');
  const open = new Map<string, OpenError>();
  const edited: string[] = [];
  let edits = 0;

  const between = (since: number): string => {
    const recent = edited.slice(Math.max(0, edited.length - (edits - since)));
    const names = [...new Set(since === edits ? [] : recent)].slice(-MAX_NAMED);
    return names.length === 0 ? '' : ` after editing ${names.join(', ')}`;
  };
  const close = (error: OpenError, how: string, place: Place): void => {
    slots.set(error.key, `resolved: ${how}${between(error.edits)}`, place);
    open.delete(error.subject);
  };
  const failed = (subject: string, signature: string, place: Place): void => {
    const key = `${signature} (${oneLine(subject, MAX_SUBJECT)})`;
    const before = open.get(subject);
    if (before !== undefined && before.key !== key) close(before, 'gone at the next run', place);
    if (before?.key === key) before.edits = edits;
    else open.set(subject, { key, subject, edits });
    slots.set(key, 'open', place);
  };
  return {
    done(done, place) {
      const { call, outcome, text } = done;
      if (!hasEnded(outcome)) return;
      const subject = subjectOf(call);
      if (outcome.status === 'failed') {
        if (!isMiss(done)) failed(subject, errorSignature(text), place);
        return;
      }
      const error = open.get(subject);
      if (error !== undefined) close(error, 'the same call passed', place);
      for (const path of editedBy(call)) {
        edits++;
        edited.push(nameOfFile(path));
        if (edited.length > MAX_EDITS) edited.shift();
      }
    },
    facts: slots.facts,
  };
}

const MAX_SUBJECT = 80;

function editedBy(call: ToolCall): readonly string[] {
  if (call.kind === 'edit' || call.kind === 'write')
    return call.path === undefined ? [] : [call.path];
  if (call.kind === 'patch') return call.files.map(({ path }) => path);
  return call.kind === 'shell'
    ? shellCommand(call.command).files.changes.map(({ path }) => path)
    : [];
}
