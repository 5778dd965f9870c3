import { flushCompileCache } from 'node:module';
import { salvageLog } from '../../src/node/index.ts';

// Salvages a log and prints what came of it in a word.
flushCompileCache(); // who is killed leaves none for the next
const [path = ''] = process.argv.slice(2);
process.stdout.write('begun\n');
await salvageLog(path).then(
  () => process.stdout.write('done\n'),
  (error: { readonly code?: string }) => process.stdout.write(`${error.code}\n`),
);
