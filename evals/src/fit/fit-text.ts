import { formatRatio } from '../report/format.ts';
import { formatTable } from '../report/table.ts';
import { wrap } from '../report/wrap.ts';
import type { HeldOut, NeedFit } from './fit-need.ts';
import { HORIZON_REQUESTS } from './sample-session.ts';

/** What a fit says of itself: held-out figures, and the weights. */
export function formatFit(fit: NeedFit): string {
  const { sessions, projects, samples, neededShare, heldOut, plain, bins, kinds, names, model } =
    fit;
  const told = `${samples} samples (a result or input at one of its ages) of ${sessions} sessions of ${projects} projects; needed within ${HORIZON_REQUESTS} requests: ${formatRatio(neededShare)}. All figures are of projects that were left out when the weights were chosen.`;
  return [
    ...wrap(told),
    '',
    `AUC at equal age          ${shown(heldOut)}`,
    `  age, size, kind of tool ${shown(plain)}`,
    ...kinds.map(
      ({ kind, samples: of, auc }) => `  ${kind.padEnd(24)}${formatRatio(auc)}  of ${of}`,
    ),
    '',
    ...formatTable(bins, [
      { title: 'said', cell: ({ said }) => formatRatio(said), align: 'right' },
      { title: 'was', cell: ({ was }) => formatRatio(was), align: 'right' },
      { title: 'of', cell: ({ count }) => String(count), align: 'right' },
    ]),
    '',
    ...formatTable(
      names.map((name, at) => ({
        name,
        weight: model.weights[at] as number,
        folds: rangeOf(fit, at),
      })),
      [
        { title: 'feature', cell: ({ name }) => name },
        { title: 'weight', cell: ({ weight }) => weight.toFixed(3), align: 'right' },
        { title: 'without one project', cell: ({ folds }) => folds, align: 'right' },
      ],
    ),
    `intercept ${model.intercept.toFixed(3)}, calibration × ${fit.calibration.scale.toFixed(3)} ${signed(fit.calibration.shift)}`,
    '',
  ].join('\n');
}

const shown = ({ auc, low, high }: HeldOut): string =>
  `${formatRatio(auc)}${low === null ? '' : `  (mean over projects, 95 %: ${formatRatio(low)} to ${formatRatio(high)})`}`;

function rangeOf({ folds }: NeedFit, at: number): string {
  const values = folds.map(({ model }) => model.weights[at] as number);
  return `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`;
}

const signed = (value: number): string => `${value < 0 ? '-' : '+'} ${Math.abs(value).toFixed(3)}`;
