import type { Context, ContextOptions } from '@varve/context';
import { createFork } from '@varve/fork-agent';
import type { Usage } from '@varve/messages';
import type { ModelClient } from '@varve/models';
import { createSessionMemory, type SessionMemory } from '@varve/session-memory';
import { notesFile } from '@varve/session-memory/node';
import type { Emit } from '../events.ts';
import type { Switches } from '../switches.ts';

export interface SessionNotesOptions {
  /** The file of the notes. */
  readonly path: string;
  readonly thresholds: Switches['notes.thresholds'];
  readonly context: () => Context;
  readonly client: () => ModelClient;
  /** The window where it was said to be another. */
  readonly models: ContextOptions['models'];
  readonly emit: Emit;
  readonly addBill: (bill: { readonly model: string; readonly usage: Usage }) => void;
}

/** Growth between two extractions, in tokens: two fifths of the calls of 5,000, and notes stand in as often. */
const GROWTH_TOKENS = 20_000;

/** The notes of a session, taken by a fork of the conversation, which reads its cache. */
export function createSessionNotes(options: SessionNotesOptions): SessionMemory {
  const { path, thresholds, context, client, models, emit, addBill } = options;
  return createSessionMemory({
    file: notesFile(path),
    thresholds: { growthTokens: GROWTH_TOKENS, ...thresholds },
    appendNote: (note) => context().note(note),
    onEvent: (event) => emit({ kind: 'notes', event }),
    async runFork({ view, runTool, ...run }) {
      const last = context().lastRequest();
      if (last === undefined) return { kind: 'failed', reason: 'nothing was sent yet' };
      const { request } = last;
      const messages = view.open ? [...view.messages, view.open.assistant] : view.messages;
      const fork = createFork({
        ...{ client: client(), models, tools: runTool },
        parent: { ...request, messages },
      });
      const { stopReason, usage, error } = await fork.run(run);
      addBill({ model: request.head.model, usage });
      const hasEnded = stopReason === 'end' || stopReason === 'empty';
      return hasEnded ? { kind: 'done' } : { kind: 'failed', reason: stopReason, cause: error };
    },
  });
}
