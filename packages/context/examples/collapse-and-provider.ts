import { createContext } from '@varve/context';
import type { Request } from '@varve/messages';

// A pretend model, and a provider that compacts where it is asked to.
const call = async ({ server }: Request) => ({
  content: server?.compaction
    ? [{ type: 'compaction', content: 'The build fails: a bracket is missing.' }]
    : [{ type: 'text', text: 'A bracket is missing. '.repeat(400) }],
});
const context = createContext({
  model: 'claude-opus-5-5',
  call,
  compaction: {
    summarize: call,
    collapse: {}, // folds old stretches of work one by one, so that a compaction is seldom due
    byProvider: { provider: 'anthropic', call }, // has the provider compact; a summary where it fails
  },
});
await context.user('Why does the build fail?');
await context.send();
const outcome = await context.compact();
const [first] = context.view().messages;
if (outcome.kind !== 'compacted' || first?.content[0]?.type !== 'compaction') {
  throw new Error(`Not as it was said: ${JSON.stringify([outcome, first])}`);
}
