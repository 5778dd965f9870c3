import { createCollapse, createSnip } from '@varve/compact';
import { recordOf, textOf } from '@varve/guards';
import type { Entry } from '@varve/messages';
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
  asksModel: true,
  async run({ session, face, signal }) {
    const { context } = session.agent;
    const { model = '' } = context.view().head ?? {};
    const { text } = createEstimator({ family: resolveModel(model).model.tokenizer });
    face.working('folding');
    const before = context.size().tokens;
    const count = context.entries().length;
    const planner = createCollapse({ ...NOW, summarize: session.summarize, sizeOfText: text });
    const done = await context.apply({ name: 'collapse', planner }, { signal });
    if (done.kind === 'none') {
      const why = refusedSince(context.entries().slice(count)) ?? done.reason;
      return face.show(`Nothing was folded: ${why}.`, 'note');
    }
    const after = tokens(context.size().tokens);
    face.show(
      `Folded: ${tokens(before)} tokens are ${after} now; /undo shows a stretch again.`,
      'note',
    );
  },
};

/** Why a summary that was written was not taken: nothing is left to fold then, but that is not the reason. */
function refusedSince(entries: readonly Entry[]): string | undefined {
  for (const entry of entries.toReversed()) {
    if (entry.type !== 'note' || entry.by !== 'collapse') continue;
    const { kind, reason } = recordOf(entry.data);
    if (kind === 'failed') return `the summary was refused (${textOf(reason)})`;
  }
  return undefined;
}
