import { type CallModel, createContext } from '@varve/context';
import { createFork } from '@varve/fork-agent';
import { createModelStream, type ModelClient, send } from '@varve/models';

// stands for a provider, so that this runs without a key
const client: ModelClient = {
  provider: 'example',
  stream: () =>
    createModelStream(async function* () {
      const content = [{ type: 'text', text: 'Done.' }];
      const usage = { input_tokens: 40, output_tokens: 9, cache_read_input_tokens: 900 };
      const end = { id: 'r', model: 'claude-opus-4-8', content, stopReason: 'end_turn' as const };
      yield { type: 'response-end', response: { ...end, usage } } as const;
    }),
};
const model = 'claude-opus-4-8';
const call: CallModel = (request) => send(client, request);
const tools = [{ name: 'bash', description: 'Runs it.', input_schema: { type: 'object' } }];
const discovered = { name: 'read', description: 'Reads it.', input_schema: { type: 'object' } };
const context = createContext({ model, tools, call });
for (const content of ['Fix a.ts.', 'Fix b.ts.']) {
  await context.user(content);
  await context.send();
}

await context.user('It is Friday.', { origin: { kind: 'reminder' } }); // nobody takes it for a person's words
await context.setHead({ tools: [...tools, discovered] }); // what thinking was bound to the old tools goes with them
const [from, to] = context.view().messages.slice(2);
if (from && to) {
  const span = { fromId: from.id, toId: to.id, with: [], then: [] };
  const rewind = { kind: 'replace-span', ...span } as const;
  const { entryIds } = await context.edit([rewind], { by: 'person', reason: 'rewind' });
  await context.undo(entryIds[0] as string); // or `edit-refused`, and nothing has changed
}
const last = context.lastRequest();
if (last) {
  const fork = createFork({ client, parent: last.request, reply: last.reply }); // reads its cache
  const { usage } = await fork.run({ directive: 'List the callers of parse().' });
  await context.addUsage({ by: 'fork-agent', model, usage });
}
console.log(context.usage().dollars, context.usage().cache.hitShare);
