// Runs one extraction on the folder that is given: three new files, and a change of one that is there. It is killed on the way.
import { createMemdir } from '@varve/memdir';
import { createExtraction } from '@varve/memdir/extract';
import { diskFolder } from '@varve/memdir/node';

const [path = ''] = process.argv.slice(2);
const said = [
  'The first rule is that releases go out on Tuesdays.',
  'The second rule is that reviews come before merges.',
  'The third rule is that answers are short.',
  'The port of staging is 6432.',
];
const memory = createMemdir({ folder: diskFolder(path), now: () => 1_772_636_400_000 });
const extraction = createExtraction({
  memory,
  now: () => 1_772_636_400_000,
  onEvent: (event) => process.stdout.write(`${JSON.stringify(event)}\n`),
  runFork: async ({ runTool }) => {
    for (const [at, text] of said.entries()) {
      const statements = [{ part: 'rule', text, turn: 1, quote: text }];
      const input = { name: `Rule ${'abcd'[at]}`, description: text, type: 'feedback', statements };
      runTool({ type: 'tool_use', id: `c${at}`, name: 'save_memory', input });
    }
    process.stdout.write('writing\n');
    return { kind: 'done' };
  },
});
extraction.afterTurn([
  { id: 'm1', role: 'user', content: [{ type: 'text', text: said.join(' ') }] },
  { id: 'm2', role: 'assistant', content: [{ type: 'text', text: 'Good.' }] },
]);
await extraction.flush();
