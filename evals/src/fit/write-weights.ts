import type { NeedFit } from './fit-need.ts';
import { HORIZON_REQUESTS } from './sample-session.ts';

/** The constant in the file of the product that holds the weights, with what stands before it. */
const CONSTANT =
  /(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export const NEED_WEIGHTS: NeedWeights = \{[\s\S]*?\n\};\n/;

/** The text of that file with fitted weights in place of its own; undefined where it has no such constant. */
export function withWeights(text: string, fit: NeedFit, command: string): string | undefined {
  if (!CONSTANT.test(text)) return undefined;
  return text.replace(CONSTANT, () => constantOf(fit, command));
}

function constantOf(fit: NeedFit, command: string): string {
  const { names, model, calibration, samples, sessions, projects, heldOut } = fit;
  const { low, high } = heldOut;
  const range =
    low === null
      ? ''
      : `, all pairs pooled; its mean over projects: ${rounded(low)} to ${rounded(high ?? 0)}`;
  const lines = names.map((name, at) => `    ${name}: ${rounded(model.weights[at] as number)},`);
  return [
    '/**',
    ` * Written by \`${command}\`: ${samples} samples of ${sessions} recorded sessions of ${projects} projects.`,
    ` * On projects left out: AUC at equal age ${rounded(heldOut.auc ?? 0)}${range}.`,
    ' */',
    'export const NEED_WEIGHTS: NeedWeights = {',
    `  horizonRequests: ${HORIZON_REQUESTS},`,
    `  intercept: ${rounded(model.intercept)},`,
    '  weights: {',
    ...lines,
    '  },',
    `  calibration: { scale: ${rounded(calibration.scale)}, shift: ${rounded(calibration.shift)} },`,
    '};',
    '',
  ].join('\n');
}

/** Three digits say more than the samples do. */
const rounded = (value: number): number => Number(value.toFixed(3)) + 0;
