import { createFold } from '@varve/compact/fold';
import { createProjection, type Entry, type Message, type PlanContext } from '@varve/messages';
import { contextLimits, createEstimator, resolveModel } from '@varve/tokens';

const { model } = resolveModel('claude-opus-4-5');
const messages: Message[] = [
  { id: 'u', role: 'user', content: [{ type: 'text', text: 'Rename it everywhere.' }] },
];
for (let count = 0; count < 200; count++) {
  const call = {
    type: 'tool_use',
    id: `c${count}`,
    name: 'Read',
    input: { file_path: `${count}.ts` },
  };
  const result = {
    type: 'tool_result',
    tool_use_id: `c${count}`,
    content: 'let a = 1;\n'.repeat(20),
  };
  messages.push({ id: `a${count}`, role: 'assistant', content: [call] });
  messages.push({ id: `r${count}`, role: 'user', content: [result] });
}
const at = '2026-01-31T12:00:00Z';
const entries = messages.map(
  (message): Entry => ({ id: `e-${message.id}`, at, type: 'message', message }),
);
const log = createProjection();

const { windowTokens, effectiveTokens, autocompactTokens = effectiveTokens } = contextLimits(model);
const estimator = createEstimator({ family: model.tokenizer });
const context: PlanContext = {
  nowMs: Date.now(),
  contextTokens: messages.reduce((sum, each) => sum + estimator.message(each), 0),
  limits: { windowTokens, effectiveTokens, autocompactTokens },
  sizeOf: estimator.message,
  atUserTurn: false,
  cache: { warm: false, markers: [] },
  prices: { read: 0.5, write: 6.25, output: 25 },
  thinking: model.thinking,
};

const fold = createFold({ afterRequests: 12 });
for (const entry of entries) fold.observe(entry, log.append(entry));
const plan = fold.plan(context); // asked before each request
const edits = plan.kind === 'edit' ? plan.edits : []; // each an entry of the same log

if (edits.length === 0) throw new Error(`Nothing was folded: ${JSON.stringify(plan)}`);
console.log(edits.length, 'edit');
