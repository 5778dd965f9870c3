import { compact } from '@varve/compact';

const history = Array.from({ length: 40 }, (_, index) => [
  { role: 'assistant', content: [call(index)] },
  { role: 'user', content: [result(index)] },
]).flat();
const messages = [{ role: 'user', content: 'Fix the parser. Never touch vendor/.' }, ...history];

// Stands for a model, so that this runs without a key; `send` of @varve/models fits.
const summarize = async () => ({
  content: [
    { type: 'text', text: '<summary>The parser was read. Nothing is fixed yet.</summary>' },
  ],
  stopReason: 'end_turn' as const,
});

const done = await compact(messages, { summarize, keepTokens: 4_000, trigger: 'auto' });
if (done.kind === 'compacted') {
  const { tokensBefore, tokensAfter, keptMessages, repaired } = done.receipt;
  console.log({ tokensBefore, tokensAfter, keptMessages, repaired });
  console.log(done.summary.slice(0, 200));
}

const broken = await compact(messages, { summarize: () => Promise.reject(new Error('down')) });
console.log(broken.kind === 'compacted' ? broken.receipt.engine : broken.reason);

function call(index: number) {
  return {
    type: 'tool_use',
    id: `c${index}`,
    name: 'Read',
    input: { file_path: `src/${index}.ts` },
  };
}

function result(index: number) {
  const content = `export const part${index} = 1;\n`.repeat(100);
  return { type: 'tool_result', tool_use_id: `c${index}`, content };
}
