import { createCollapse, createSnip } from '@varve/compact';
import { createEstimator, resolveModel } from '@varve/tokens';
import { tokens } from '../ui/describe.ts';
import type { Command } from './command.ts';

export const snipCommand: Command = {
  name: 'snip',
  hint: '[tokens]',
  about: 'drop the oldest rounds, down to so many tokens, without a summary',
  async run({ words, session, face, signal }) {
    const { context } = session.agent;
    const budgetTokens = words === '' ? undefined : Number(words);
    if (budgetTokens !== undefined && !(Number.isInteger(budgetTokens) && budgetTokens > 0))
      return face.show('/snip takes a whole number of tokens.', 'warning');
    const before = context.size().tokens;
    const layer = { name: 'snip', planner: createSnip({ budgetTokens }) };
    const done = await context.apply(layer, { signal });
    if (done.kind === 'none') return face.show(`Nothing was dropped: ${done.reason}.`, 'note');
    const after = tokens(context.size().tokens);
    face.show(
      `Dropped: ${tokens(before)} tokens are ${after} now; /undo brings them back.`,
      'note',
    );
  },
};

/** Shares of the window: all that may be folded is folded at once. */
const NOW = { stageAt: 0, commitAt: 0, targetAt: 0 };

export const collapseCommand: Command = {
  name: 'collapse',
  about: 'fold old stretches of work, each into a summary of its own',
  async run({ session, face, signal }) {
    const { context } = session.agent;
    const { model = '' } = context.view().head ?? {};
    const { text } = createEstimator({ family: resolveModel(model).model.tokenizer });
    face.working('folding');
    const before = context.size().tokens;
    const planner = createCollapse({ ...NOW, summarize: session.summarize, sizeOfText: text });
    const done = await context.apply({ name: 'collapse', planner }, { signal });
    if (done.kind === 'none') return face.show(`Nothing was folded: ${done.reason}.`, 'note');
    const after = tokens(context.size().tokens);
    face.show(
      `Folded: ${tokens(before)} tokens are ${after} now; /undo shows a stretch again.`,
      'note',
    );
  },
};
