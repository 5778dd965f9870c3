import { createCompaction } from '@varve/compact';
import { isStillCurrent } from '@varve/compact/pipeline';
import { createProjection, type Entry, type PlanContext, type View } from '@varve/messages';
import { contextLimits, createEstimator, resolveModel } from '@varve/tokens';

const text = '<summary>The parser was read. Nothing is fixed yet.</summary>';
const summarize = async () => ({ content: [{ type: 'text', text }] });

const { model } = resolveModel('claude-opus-4-5');
const compactor = createCompaction({ summarize, keepTokens: 4_000 });
const log = createProjection();
const entries: Entry[] = [];
let view: View = { messages: [], changedFrom: 0 };
const append = (entry: Entry) => {
  view = log.append(entry);
  entries.push(entry);
  compactor.observe(entry, view); // those of a resumed log as well
};

const at = '2026-01-31T12:00:00Z';
const head = { id: 'h', model: model.id, system: [], tools: [], params: {} };
append({ id: 'head', at, type: 'head', head });
for (let count = 0; count < 80; count++) {
  const content = [{ type: 'text', text: `What message ${count} says. `.repeat(500) }];
  const message = {
    id: `m${count}`,
    role: count % 2 === 0 ? 'user' : 'assistant',
    content,
  } as const;
  append({ id: `e${count}`, at, type: 'message', message });
}

const { windowTokens, effectiveTokens, autocompactTokens = effectiveTokens } = contextLimits(model);
const estimator = createEstimator({ family: model.tokenizer });
const context: PlanContext = {
  nowMs: Date.now(),
  contextTokens: view.messages.reduce((sum, each) => sum + estimator.message(each), 0),
  limits: { windowTokens, effectiveTokens, autocompactTokens },
  sizeOf: estimator.message,
  atUserTurn: true,
  cache: { warm: false, markers: [] },
  prices: { read: 0.5, write: 6.25, output: 25 },
  thinking: model.thinking,
};
const plan = compactor.plan(context); // asked before each request
if (plan.kind === 'work') {
  const done = await compactor.run(plan.work);
  if (done.kind === 'compacted' && isStillCurrent(plan.work, entries)) {
    const { edit, receipt } = done;
    append({ id: 'c1', at, type: 'edit', by: 'compact', reason: receipt.reason, edit, receipt });
    console.log(receipt.tokensBefore, 'to', receipt.tokensAfter, 'tokens');
  } else if (done.kind === 'failed') console.log('Not compacted:', done.reason);
} else console.log('Nothing to do:', plan.reason);

if (entries.at(-1)?.type !== 'edit') throw new Error(`Not compacted: ${JSON.stringify(plan)}`);
