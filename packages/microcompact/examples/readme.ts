import { explainClearing, microcompact } from '@varve/microcompact';

const history = Array.from({ length: 20 }, (_, index) => {
  const [id, input] = [`call-${index}`, { file_path: `src/${index}.ts` }];
  const content = 'export const answer = 42;\n'.repeat(400);
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ];
}).flat();

const options = { preset: 'classic', model: 'claude-opus-4-6' } as const;
const { messages, cleared, savedTokens, reason, receipt } = microcompact(history, options);
console.log({ messages: messages.length, cleared: cleared.length, savedTokens, reason });
console.log('no longer shown:', receipt.paths);
for (const row of explainClearing(history, options).slice(-4)) console.log(row.path, row.reason);
