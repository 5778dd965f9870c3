import { type CallModel, createContext } from '@varve/context';
import { toolUses } from '@varve/messages';
import { createToolStorage, memoryStore } from '@varve/tool-storage';

// A pretend model: it reads the log of the build, looks the error up in what was stored, and answers.
const call: CallModel = async ({ messages }) => {
  const seen = JSON.stringify(messages);
  const handle = /handle=\\"([^\\"]+)/.exec(seen)?.[1];
  const use = (name: string, input: object) => ({
    content: [{ type: 'tool_use', id: name, name, input }],
  });
  if (handle === undefined) return use('build', {});
  if (!seen.includes('missing bracket')) return use('read_stored', { handle, search: 'bracket' });
  return { content: [{ type: 'text', text: 'A bracket is missing in part 1900.' }] };
};

const storage = createToolStorage({ store: memoryStore(), sessionId: 'demo' });
const context = createContext({ model: 'claude-opus-5-5', system: 'Be brief.', storage, call });
const part = (at: number) =>
  `part ${at} ${at === 1900 ? 'missing bracket' : 'built in 12 ms, ok'}\n`;
const build = () => Array.from({ length: 4_000 }, (_, at) => part(at)).join('');

await context.user('Why does the build fail?');
for (;;) {
  const reply = await context.send();
  const calls = toolUses(reply);
  if (calls.length === 0) break;
  for (const { id, name, input } of calls) {
    const content = name === 'build' ? build() : (await storage.runReadTool(input)).content;
    await context.results([{ toolUseId: id, content }]);
  }
  console.log(calls[0]?.name, '→', context.size().tokens, 'tokens in the next request');
}
console.log(context.view().messages.at(-1)?.content[0]);
