import { flushCompileCache } from 'node:module';
import { SessionMemoryError } from '../../src/index.ts';
import { notesFile } from '../../src/node/index.ts';

// Adds `count` lines to notes that others write as well, and prints each once it is in. What is refused because the notes were
// changed meanwhile is tried again on those.
flushCompileCache(); // who is killed leaves none for the next
const [path = '', name = '', count = '0'] = process.argv.slice(2);
const file = notesFile(path, { lockWaitMs: 60_000 });
for (let index = 0; index < Number(count); ) {
  const basis = await file.read();
  try {
    await file.write(`${basis ?? ''}${name}-${index}\n`, { basis });
    process.stdout.write(`${name}-${index}\n`);
    index += 1;
  } catch (error) {
    if (!SessionMemoryError.is(error) || error.code !== 'changed-meanwhile') throw error;
  }
}
