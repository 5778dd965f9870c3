import { type CallModel, createContext } from '@varve/context';
import { toolUses } from '@varve/messages';
import { createToolStorage, memoryStore } from '@varve/tool-storage';

// A pretend model: it reads the log of the build, looks the error up in what was stored, and answers.
const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
const use = (id: string, input: object) => ({
  content: [{ type: 'tool_use', id, name: id, input }],
});
const call: CallModel = async ({ messages }) => {
  const seen = JSON.stringify(messages);
  const handle = /handle=\\"([^\\"]+)/.exec(seen)?.[1];
  if (handle === undefined) return use('build', {});
  if (!seen.includes('missing bracket')) return use('read_stored', { handle, search: 'bracket' });
  return text('A bracket is missing in part 1900.');
};
const summary = text('<summary>The build fails: a bracket is missing in part 1900.</summary>');
const summarize = async () => ({ ...summary, stopReason: 'end_turn' as const });

const storage = createToolStorage({ store: memoryStore(), sessionId: 'demo' });
const model = 'claude-opus-5-5';
const context = createContext({ model, storage, call, compaction: { summarize } });
const part = (at: number) => `part ${at} ${at === 1900 ? 'missing bracket' : 'built, ok'}\n`;
const build = () => Array.from({ length: 4_000 }, (_, at) => part(at)).join('');

await context.user('Why does the build fail?');
for (let calls = toolUses(await context.send()); calls[0]; calls = toolUses(await context.send())) {
  const { id, name, input } = calls[0];
  const content = name === 'build' ? build() : (await storage.runReadTool(input)).content;
  await context.results([{ toolUseId: id, content }]);
  console.log(name, '→', context.size().tokens, 'tokens in the next request');
}
console.log(context.view().messages.at(-1)?.content[0]);
console.log((await context.compact()).kind, '→', context.size().tokens, 'tokens');
