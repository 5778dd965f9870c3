import { compact } from '@varve/compact';

const rounds = Array.from({ length: 40 }, (_, index) => {
  const [id, input] = [`c${index}`, { file_path: `src/${index}.ts` }];
  const content = `export const part${index} = 1;\n`.repeat(100);
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ];
}).flat();
const history = [{ role: 'user', content: 'Fix the parser. Never touch vendor/.' }, ...rounds];

// stands for a model, so that this runs without a key
const text = '<summary>The parser was read. Nothing is fixed yet.</summary>';
const summarize = async () => ({
  content: [{ type: 'text', text }],
  stopReason: 'end_turn' as const,
});

const head = { model: 'claude-opus-5' }; // as the conversation's own requests have it
const done = await compact(history, { head, summarize, keepTokens: 4_000 });
if (done.kind === 'compacted') {
  const { tokensBefore, tokensAfter, keptMessages, repaired } = done.receipt;
  console.log({ tokensBefore, tokensAfter, keptMessages, repaired });
  console.log(done.summary.slice(0, 200));
}

const broken = () => Promise.reject(new Error('down'));
const down = await compact(history, { head, summarize: broken });
console.log(down.kind === 'compacted' ? down.receipt.engine : down.reason);
