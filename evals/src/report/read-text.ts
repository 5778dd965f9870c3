import { lossText, sumLosses } from '../session/losses.ts';
import { agentName } from './agent-names.ts';
import { formatTokens } from './format.ts';
import type { Report } from './report-schema.ts';

type Read = Pick<Report, 'read' | 'leftOut' | 'bills' | 'skipped' | 'prices'>;

/** How many names stand in a list before the rest is counted. */
export interface ReadTextOptions {
  /** @default all */
  readonly names?: number | undefined;
}

/** What was read of the files, what was lost, what does not count and what was not read, a sentence or two each. */
export function readText(
  report: Read,
  { names = Number.POSITIVE_INFINITY }: ReadTextOptions = {},
): readonly string[] {
  return [
    `Read: ${agentsText(report.read)}.${billsText(report.bills)}`,
    ...unpricedText(report.bills),
    ...lostText(report.read, names),
    ...leftText(report.leftOut, names),
    ...skippedText(report.skipped, names),
    ...ageText(report.prices),
  ];
}

function agentsText(read: Read['read']): string {
  const counts = new Map<string, number>();
  for (const { format } of read) counts.set(format, (counts.get(format) ?? 0) + 1);
  const sorted = [...counts].sort(([one, left], [other, right]) =>
    right === left ? (one < other ? -1 : 1) : right - left,
  );
  const parts = sorted.map(([format, count]) => `${agentName(format)} ${count}`);
  return `${plural(read.length, 'file')} (${parts.join(', ')})`;
}

function billsText({ billedRequests, requests, dollars, subAgents }: Read['bills']): string {
  if (billedRequests === 0) return ' None carries a bill.';
  const agents =
    subAgents.requests === 0
      ? ''
      : `, ${money(subAgents.dollars)} of it by ${plural(subAgents.threads, 'sub-agent')}`;
  const all = billedRequests >= requests;
  const which = all
    ? plural(billedRequests, 'request')
    : `${billedRequests} of ${plural(requests, 'request')}`;
  return ` Billed ${money(dollars)} at list prices for ${which}, each once${agents}.`;
}

function unpricedText({
  unpricedTokens,
  unpricedModels,
  promptTokens,
  outputTokens,
}: Read['bills']) {
  if (unpricedTokens === 0) return [];
  const share = Math.max(1, Math.round((100 * unpricedTokens) / (promptTokens + outputTokens)));
  const models = Object.keys(unpricedModels).map((model) => model || 'no model named');
  return [
    `Without a price: ${share} % of the billed tokens (${formatTokens(unpricedTokens)}; ${models.join(', ')}). Say what a model is with --override <id>=<known id>.`,
  ];
}

function lostText(read: Read['read'], names: number): readonly string[] {
  const losses = sumLosses(read.map((each) => each.losses));
  const text = lossText(losses);
  if (text === '') return [];
  const files = read.filter((each) => lossText(each.losses) !== '').map(({ file }) => file);
  return [`Lost in reading: ${text}; in ${listed(files, names)}.`];
}

/** Which threads count nowhere, and why. */
export function leftText(
  leftOut: readonly Read['leftOut'][number][],
  names = Number.POSITIVE_INFINITY,
): readonly string[] {
  if (leftOut.length === 0) return [];
  const of = (why: string) => leftOut.filter((each) => each.why === why);
  const [copies, forks] = [of('copy'), of('fork')];
  const own = forks.reduce((sum, { ownRequests }) => sum + ownRequests, 0);
  const lossy = of('lossy').map(({ session, text }) => `${session} (${text})`);
  const isCounted = leftOut.some(({ counted }) => counted);
  const parts = [
    ...counted(copies.length, 'copy', 'copies'),
    ...counted(forks.length, 'fork', 'forks', `${plural(own, 'request')} of their own`),
    ...counted(of('sub-agent').length, 'file of a sub-agent', 'files of sub-agents'),
    ...counted(of('short').length, 'session', 'sessions', 'fewer than 3 requests'),
    ...(lossy.length === 0 ? [] : [`too much missing: ${listed(lossy, names)}`]),
  ];
  const all = isCounted
    ? ' With nothing else there, some of these are replayed all the same.'
    : ' They are in what was billed.';
  return [`Left out of all other figures: ${parts.join('; ')}.${all}`];
}

const counted = (count: number, one: string, many: string, more = ''): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}${more === '' ? '' : ` (${more})`}`];

/** Files by the reason for which they were passed over; what can be read is said once. */
export function skippedText(
  skipped: readonly Read['skipped'][number][],
  names = Number.POSITIVE_INFINITY,
): readonly string[] {
  if (skipped.length === 0) return [];
  const reasons = new Map<string, string[]>();
  let supported = '';
  for (const { file, reason } of skipped) {
    const at = reason.indexOf(SUPPORTED);
    const own = (at === -1 ? reason : reason.slice(0, at)).replace(
      /^(?:of [\w ]+: )?line \d+: /,
      '',
    );
    if (at !== -1) supported = ` ${capital(reason.slice(at + '; '.length))}.`;
    reasons.set(own, [...(reasons.get(own) ?? []), file]);
  }
  const parts = [...reasons].map(([reason, files]) => `${listed(files, names)} (${reason})`);
  const isOfAgent = [...reasons.keys()].some((reason) => OF_AGENT.test(reason));
  const isShort = Number.isFinite(names) && !isOfAgent;
  return [`Not read: ${parts.join('; ')}.${isShort ? '' : supported}`];
}

/** Whose file it is; one that is nobody's needs no list of agents on the first screen. */
const OF_AGENT = /^of [A-Z]|\bis from [A-Z]/;

/** How a refusal goes on to what can be read. */
const SUPPORTED = '; read are sessions of ';
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function ageText({ checkedOn, isOld }: Read['prices']): readonly string[] {
  return checkedOn === null || !isOld
    ? []
    : [
        `Prices and windows were last compared with their sources on ${checkedOn}: they may have changed.`,
      ];
}

function listed(all: readonly string[], names: number): string {
  if (all.length <= names) return all.join(', ');
  return `${all.slice(0, names).join(', ')} and ${all.length - names} more`;
}

const money = (dollars: number): string =>
  `$${dollars >= 1_000 ? Math.round(dollars) : dollars.toFixed(2)}`;
const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
