import { microcompact } from '@varve/microcompact';

const options = { preset: 'classic', model: 'claude-opus-4-6' } as const;
const turn = (id: string) => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: { path: id } }] },
  {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content: 'x '.repeat(9_000) }],
  },
];
type History = readonly ReturnType<typeof turn>[number][];
let history: History = [];
let original: History = [];
let [kept, lost] = [0, 0];

for (let at = 0; at < 40; at++) {
  const fresh = turn(`${at}.ts`);
  original = [...original, ...fresh];
  history = microcompact([...history, ...fresh], options).messages; // once for each request
  const messages = microcompact(original, options).messages; // don't: `original` never changes
  kept = JSON.stringify(history).length;
  lost = JSON.stringify(messages).length;
}
console.log({ kept, lost });
