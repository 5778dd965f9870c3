import { z } from 'zod';
import { defineTool } from './tool.ts';

/** The tool with which the model leaves plan mode, once the person approves the plan. */
export const PLAN_TOOL = 'ExitPlanMode';

export const planTool = defineTool({
  name: PLAN_TOOL,
  description:
    'In plan mode: shows your plan to the person, who approves it or says what is wrong with it. Call it when you know what to change; not for questions that only need an answer.',
  input: z.object({
    plan: z
      .string()
      .min(1)
      .describe('The plan in Markdown: what changes where, and how it is checked'),
  }),
  reads: false,
  async run({ plan: text }, { plan }) {
    if (plan === undefined) throw new Error('Plan mode is not on.');
    return plan.approve(text);
  },
});
