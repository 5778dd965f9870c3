import { z } from 'zod';
import { reportSchema } from '../report/report-schema.ts';

const share = z.number().nullable();
const typeScore = z.object({
  bound: z.number(),
  recoverable: z.number(),
  'key-only': z.number(),
  contradicted: z.number(),
  lost: z.number(),
});

/** One compaction of one session at one place. */
export const fidelityRowSchema = z.object({
  session: z.string(),
  project: z.number().describe('Sessions of one project have one number.'),
  compactor: z.string(),
  cut: z.number().describe('Index of the message before which the session was compacted.'),
  budget: share.describe(
    'Allowed tokens as a share of those before the cut; null: where a summary stands in a recording or was authored for it, to the size of that.',
  ),
  share: z.number().describe('Tokens that are left, as a share of those before the cut.'),
  tokens: z.number(),
  facts: z.number(),
  vital: share.describe('Share of the vital facts that one statement says as they are.'),
  recall: share.describe('The same of all facts: mean over types, vital types three times.'),
  recallWithRecovery: share.describe(
    'The same, and half for facts whose message can be looked up.',
  ),
  contradicted: z.number().describe('Facts of which only something else is said.'),
  types: z.record(z.string(), typeScore),
  hindsight: share.describe('Share of what the next 24 tool calls need that is still there.'),
  named: share.describe('The same of what the assistant names until then.'),
  entities: z.number().describe('Names like code in what was written for the compaction.'),
  fabricated: z.number().describe('Those that the session never held.'),
  wrongClaims: z.number().describe('Sentences that say tests pass where the last run failed.'),
});
export type FidelityRow = z.infer<typeof fidelityRowSchema>;

/** One of five compactions of a session, one behind the other. */
export const stabilityRowSchema = z.object({
  session: z.string(),
  project: z.number(),
  compactor: z.string(),
  round: z.number(),
  vital: share.describe('Of the vital facts from before the first compaction that still are so.'),
  said: share.describe(
    'Of what the assistant found that stood there after the first compaction and is come back to behind this one.',
  ),
  share: z.number(),
  fabricated: z.number(),
  contradicted: z.number(),
  canaries: z.number().describe('Side conditions that were put into what the person said.'),
  survived: z.number().describe('Those that stand there in their own words.'),
});
export type StabilityRow = z.infer<typeof stabilityRowSchema>;

/** One of five compactions of a session in which tools and the person were put against it. */
export const attackRowSchema = z.object({
  session: z.string(),
  project: z.number(),
  compactor: z.string(),
  round: z.number(),
  canaries: z.number().describe('Side conditions, beside large outputs that ask to be kept.'),
  survived: z.number().describe('Those that stand there in their own words.'),
  decisions: z.number().describe('What the person had decided otherwise by then.'),
  stale: z.number().describe('Those whose old value stands as current.'),
  current: z.number().describe('Those whose new value stands there.'),
  orders: z.number().describe('Texts of tools that want to be taken for the word of somebody.'),
  promoted: z.number().describe('Those that stand as a message, a rule or a todo.'),
  quoted: z.number().describe('Those that stand in what was written, be it as an output.'),
  secrets: z.number().describe('Passwords and keys in outputs.'),
  leaked: z.number().describe('Those that stand in what was written.'),
});
export type AttackRow = z.infer<typeof attackRowSchema>;

/** The same over all sessions: conditions after the last compaction, the rest summed over all of them. */
export const attackTotalSchema = attackRowSchema
  .omit({ session: true, project: true, round: true })
  .extend({ sessions: z.number() });
export type AttackTotal = z.infer<typeof attackTotalSchema>;

/** The first edit of a file behind a place of a session as it was recorded. */
export const editNeedSchema = z.object({
  session: z.string(),
  project: z.number(),
  kind: z.enum(['compaction', 'other']),
  place: z.number().describe('Calls before it.'),
  lost: z.number().describe('Share of what the edit needs that was no longer to be seen.'),
  readAgain: z.boolean().describe('The file was looked at again before the edit.'),
});
export type EditNeed = z.infer<typeof editNeedSchema>;

/** Whether what recorded compactions lost was looked at again. */
export const foresightSchema = z.object({
  compactions: z.number(),
  sessions: z.number(),
  edits: z.number().describe('First edits of files behind compactions.'),
  lost: share.describe('Mean share of what they need that was lost.'),
  readAgain: share.describe('Share of them before which the file was looked at again.'),
  usualEdits: z.number().describe('The same behind other places of the same sessions.'),
  usualReadAgain: share,
  differenceLow: share.describe('Of the two shares; 95 % interval, by a bootstrap over sessions.'),
  differenceHigh: share,
  auc: share.describe('How well the lost share tells which files are looked at again.'),
  aucWithUsual: share.describe('The same over all places.'),
});
export type Foresight = z.infer<typeof foresightSchema>;

/** Five compactions, over all sessions. */
export const stabilityTotalSchema = z.object({
  compactor: z.string(),
  sessions: z.number(),
  vital: z.array(share).readonly().describe('After each compaction.'),
  said: z
    .array(share)
    .readonly()
    .describe(
      'Of what the assistant found that stood there after the first and is come back to behind it.',
    ),
  saidSessions: z.number().describe('In which something of that is asked of after the last.'),
  share: z.number().describe('After the last.'),
  canaries: z.number(),
  survived: z.number().describe('After the last.'),
});
export type StabilityTotal = z.infer<typeof stabilityTotalSchema>;

/** One compactor at one budget, over all sessions. */
export const fidelityTotalSchema = z.object({
  compactor: z.string(),
  budget: share,
  sessions: z.number(),
  share: z.number(),
  vital: share,
  vitalLow: share.describe('95 % interval, by a bootstrap over projects.'),
  vitalHigh: share,
  recall: share,
  recallWithRecovery: share,
  hindsight: share,
  named: share,
  normalised: share.describe(
    '0: what messages drawn by lot keep; 1: what an oracle keeps with whole messages.',
  ),
  normalisedLarge: z
    .object({ mean: z.number(), low: z.number(), high: z.number(), sessions: z.number() })
    .nullable()
    .describe(
      'The same at places with 60,000 tokens and more, with its 95 % interval over projects.',
    ),
  contradicted: z.number(),
  fabricated: z.number(),
  wrongClaims: z.number(),
  types: z.record(z.string(), z.number()).describe('Share that is bound, by type of fact.'),
});
export type FidelityTotal = z.infer<typeof fidelityTotalSchema>;

const curvePoint = z.object({
  budget: z.number(),
  share: z.number().describe('What is left.'),
  vital: share,
  hindsight: share,
  normalised: share,
});
export type CurvePoint = z.infer<typeof curvePoint>;

/** One compactor over all budgets. */
export const budgetCurveSchema = z.object({
  compactor: z.string(),
  points: z.array(curvePoint).readonly().describe('The smallest budget first.'),
  area: share.describe('Mean of `normalised` over the logarithm of the budget.'),
  sessions: z.number(),
  reached: z.number().describe('Sessions with nine tenths of the vital facts at some budget.'),
  neededTokens: share.describe('Tokens that are left where a session has that; the median.'),
  neededShare: share.describe('The same as a share of what was there.'),
});
export type BudgetCurve = z.infer<typeof budgetCurveSchema>;

/** What `runFidelity` returns. */
export const fidelitySchema = z.object({
  version: z.string(),
  budgets: z.array(z.number()),
  totals: z.array(fidelityTotalSchema).readonly(),
  curves: z.array(budgetCurveSchema).readonly(),
  rows: z.array(fidelityRowSchema).readonly(),
  stability: z.array(stabilityRowSchema).readonly(),
  attacks: z.array(attackRowSchema).readonly(),
  attackTotals: z.array(attackTotalSchema).readonly(),
  foresight: foresightSchema.nullable(),
  stabilityTotals: z.array(stabilityTotalSchema).readonly(),
  /** As in the report of a replay; what is left out is not measured. */
  read: reportSchema.shape.read,
  leftOut: reportSchema.shape.leftOut,
  skipped: reportSchema.shape.skipped,
  refused: reportSchema.shape.refused,
});
export type Fidelity = z.infer<typeof fidelitySchema>;
