import { createProjection, type View } from '@varve/messages';
import { compactFromNotes, createSessionMemory, memoryNotes } from '@varve/session-memory';

const line = '_What the user asked for, and what was decided about the design._';
const edit = { path: 'notes.md', old_str: line, new_str: `${line}\nA parser without recursion.` };
const memory = createSessionMemory({
  file: memoryNotes('notes.md'), // on disk: notesFile(path) of '@varve/session-memory/node'
  // A real one sends `fork.directive` to a child of the conversation; this one makes one edit.
  runFork: async (fork) => {
    console.log(fork.runTool({ id: 'c1', name: 'Edit', input: edit }).content);
    return { kind: 'done' };
  },
});

const log = createProjection();
let view: View = { messages: [], changedFrom: 0 };
for (let at = 0; at < 60; at++) {
  const content = [{ type: 'text', text: `What message ${at} says. `.repeat(500) }];
  const message = { id: `m${at}`, role: at % 2 === 0 ? 'user' : 'assistant', content } as const;
  const entry = { id: `e${at}`, at: '2026-01-31T12:00:00Z', type: 'message', message } as const;
  view = log.append(entry);
  memory.observe(entry, view);
}
await memory.extractNow(); // `afterResponse` does it by itself, when it is time

const { notes, cursorId, template } = memory.snapshot();
const textSize = (text: string) => Math.ceil(text.length / 4);
const result = compactFromNotes(view.messages, {
  notes,
  template,
  cursorIndex: view.messages.findIndex(({ id }) => id === cursorId),
  thresholdTokens: 100_000,
  sizeOf: ({ content }) => textSize(JSON.stringify(content)),
  textSize,
  thinking: 'free',
});
if (result.kind === 'compacted') {
  console.log(result.tokensBefore, 'to', result.tokensAfter, 'tokens');
  console.log(result.summaryText);
}
