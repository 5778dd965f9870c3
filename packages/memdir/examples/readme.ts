import { createMemdir, inMemoryFolder } from '@varve/memdir';

const folder = inMemoryFolder(); // on disk: diskFolder(path) of '@varve/memdir/node'
const memory = createMemdir({ folder, now: () => Date.parse('2026-11-30T12:00:00Z') });

await memory.save({
  name: 'Release day',
  description: 'When releases go out, and who has to know',
  type: 'feedback',
  body: 'Release on Tuesdays, never on Fridays.\n\n**Why:** support is away at the weekend.',
});

const recall = memory.startRecall(); // one for each session
const result = await recall.recall('Can we release the new version today?');
if (result.kind === 'recalled') for (const { text } of result.memories) console.log(text);

const again = await recall.recall('go on');
console.log(again); // → { kind: 'none', reason: 'nothing-to-search' }
console.log((await memory.loadIndex()).text);
console.log((await memory.check()).ok); // → true
