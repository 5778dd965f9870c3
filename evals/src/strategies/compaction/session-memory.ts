import { createLedger, type Ledger } from '@varve/ledger';
import type { Entry, Request, View } from '@varve/messages';
import { createSessionMemory, memoryNotes, type SessionMemory } from '@varve/session-memory';
import { createEstimator } from '@varve/tokens';
import type { Strategy } from '../../strategy.ts';
import { contextStrategy, type SettingInput } from '../context-strategy.ts';
import { ledgerAlone } from './ledger-compact.ts';
import { LEDGER_TEMPLATE, notesOf } from './ledger-notes.ts';
import { createNoteTaker } from './note-taker.ts';

/**
 * `@varve/session-memory` with its defaults: notes are taken along the way, and from the threshold of the window on they
 * stand in for what they cover. A ledger writes them in place of a model, through the edits and checks that a model's would
 * go through; its calls are priced as a model's. Where notes cannot stand in, it compacts as `ledger-compact` does.
 */
const sessionMemory: Strategy = contextStrategy('session-memory', (input) => {
  const memory = createMemory(input);
  return {
    layers: [],
    compaction: { ...ledgerAlone(input), notes: { memory } },
    settle: memory.settle,
  };
});

export default sessionMemory;

/** Notes that a ledger takes in place of a model. */
function createMemory({
  model,
  onCall,
  context,
}: Pick<SettingInput, 'model' | 'onCall' | 'context'>): SessionMemory {
  const { text: sizeOf, block } = createEstimator({ family: model.tokenizer });
  const ledger = createLedger();
  const memory = createSessionMemory({
    file: memoryNotes(NOTES_PATH),
    runFork: createNoteTaker({
      parent: () => context().lastRequest()?.request as Request,
      notes: () => memory.snapshot().notes ?? LEDGER_TEMPLATE.text,
      write: () => notesOf(ledger, { sizeOf }),
      path: NOTES_PATH,
      sizeOf: block,
      onCall,
    }),
    sizeOf,
  });
  return { ...memory, observe: both(ledger, memory) };
}

/** The ledger that writes the notes sees what the notes cover. */
const both =
  (ledger: Ledger, memory: Pick<Ledger, 'observe'>) =>
  (entry: Entry, view: View): void => {
    ledger.observe(entry, view);
    memory.observe(entry, view);
  };

const NOTES_PATH = 'notes.md';
