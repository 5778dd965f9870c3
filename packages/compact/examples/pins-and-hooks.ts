import { compact } from '@varve/compact';
import { createCompactionPipeline } from '@varve/compact/pipeline';

const history = [
  { role: 'user', content: 'Why does the build fail?' },
  { role: 'assistant', content: 'A bracket is missing. '.repeat(400) },
];
const text = '<summary>The build fails: a bracket is missing.</summary>';
const summarize = async () => ({ content: [{ type: 'text', text }] });
const head = { model: 'claude-opus-5-5' };

const pins = ['Never push to main.']; // here a list; `createCompaction` takes a function that returns it
const { run } = createCompactionPipeline({
  hooks: {
    before: [{ name: 'focus', run: () => ({ instructions: 'Keep the error messages.' }) }],
    sessionStart: [{ name: 'rules', run: () => ({ context: 'Tests run with `make test`.' }) }],
    after: [{ name: 'tell', run: ({ outcome }) => ({ notice: `It ${outcome}.` }) }],
  },
});
const start = { trigger: 'manual', path: 'full', reason: 'manual', threadId: 'main' } as const;
const done = await run(
  { ...start, tokensBefore: 2_500 },
  {
    async compact({ instructions: focus, signal }) {
      const result = await compact(history, { summarize, head, pins, focus, signal });
      return result.kind === 'failed' ? { kind: 'failed', reason: result.reason } : result;
    },
    commit: (_, { sessionContext }) => void sessionContext, // put it in force, with what hooks said
  },
);

if (done.kind !== 'compacted' || !JSON.stringify(done).includes('Never push to main.')) {
  throw new Error(`Not as it was said: ${JSON.stringify(done)}`);
}
