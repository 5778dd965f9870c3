import { createLedger } from '@varve/ledger';
import type { Request } from '@varve/messages';
import { createNotesCompaction, createSessionMemory, memoryNotes } from '@varve/session-memory';
import { createEstimator } from '@varve/tokens';
import type { Strategy, StrategyContext } from '../../strategy.ts';
import { createGated, type Gate, NO_PASSAGE } from '../gated.ts';
import { createCompactionGate, noModel } from './compaction-gate.ts';
import { LEDGER_TEMPLATE, notesOf } from './ledger-notes.ts';
import { createNoteTaker } from './note-taker.ts';
import { createOwnCalls } from './own-calls.ts';

/**
 * `@varve/session-memory` with its defaults: notes are taken along the way, and from the threshold of the window on they
 * stand in for what they cover. A ledger writes them in place of a model, through the edits and checks that a model's would
 * go through; its calls are priced as a model's. Where notes cannot stand in, it compacts as `ledger-compact` does.
 */
const sessionMemory: Strategy = {
  name: 'session-memory',
  create: (context) =>
    createGated(context, {
      gates: [createNotesGate(context), createCompactionGate({ summarize: noModel })],
    }),
};

export default sessionMemory;

function createNotesGate({ model }: StrategyContext): Gate {
  const { text: sizeOf, block } = createEstimator({ family: model.tokenizer });
  const ledger = createLedger();
  const calls = createOwnCalls();
  let last: Request;
  const runFork = createNoteTaker({
    parent: () => last,
    notes: () => memory.snapshot().notes ?? LEDGER_TEMPLATE.text,
    write: () => notesOf(ledger, { sizeOf }),
    path: NOTES_PATH,
    sizeOf: block,
    onCall: calls.made,
  });
  const memory = createSessionMemory({ file: memoryNotes(NOTES_PATH), runFork, sizeOf });
  const planner = createNotesCompaction({ memory, textSize: sizeOf });
  return {
    calls: calls.take,
    observe(entry, view) {
      ledger.observe(entry, view);
      planner.observe(entry, view);
    },
    async replied({ view, contextTokens, sent }) {
      last = sent;
      memory.afterResponse({ view, contextTokens });
      await memory.settle();
    },
    async pass(context) {
      const plan = planner.plan(context);
      if (plan.kind === 'none') return NO_PASSAGE;
      const { edits, reason, receipt } = plan;
      const entries = edits.map(
        (edit) => ({ type: 'edit', by: BY, reason, receipt, edit }) as const,
      );
      return { entries, isCompaction: true, again: false };
    },
  };
}

const NOTES_PATH = 'notes.md';
const BY = 'session-memory';
