import { createToolStorage, memoryStore } from '@varve/tool-storage';

const results = createToolStorage({ store: memoryStore(), sessionId: 'session-1' }); // or fileStore(folder) of ./node
const output = Array.from({ length: 9_000 }, (_, at) => `src/a${at % 9}.ts:${at}: call(${at})`);
const content = output.join('\n');
const shown = await results.offload({ toolUseId: 'toolu_1', toolName: 'grep', content });
const message = {
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: shown.content }],
};
console.log(shown.kind, content.length, '->', JSON.stringify(message).length, 'characters');
if (shown.kind === 'stored') {
  const { text } = await results.read(shown.handle, { lines: [100, 101] });
  const { content: answer } = await results.runReadTool({
    handle: shown.handle,
    search: 'call(7)',
  });
  // what code reads, and what the model reads with results.readTool
  console.log(`${text}${answer}`);
}
