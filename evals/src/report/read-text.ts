import { lossText, sumLosses } from '../session/losses.ts';
import { agentName } from './agent-names.ts';
import { formatTokens } from './format.ts';
import type { Report } from './report-schema.ts';

/** What every command that reads sessions says of them; of bills and prices only those commands that use them. */
type Read = Pick<Report, 'read'> & {
  readonly leftOut: readonly Report['leftOut'][number][];
  readonly skipped: readonly Report['skipped'][number][];
  readonly refused: readonly Pick<Report['refused'][number], 'file' | 'reason'>[];
} & Partial<Pick<Report, 'bills' | 'prices'>>;

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
  const { read, leftOut, bills, skipped, refused, prices } = report;
  return [
    ...refusedText(refused, names),
    `Read: ${agentsText(read)}.${bills ? billsText(bills) : ''}`,
    ...(bills ? unpricedText(bills) : []),
    ...lostText(read, names),
    ...leftText(leftOut, { names, isBilled: bills !== undefined }),
    ...skippedText(skipped, names),
    ...(prices ? ageText(prices) : []),
  ];
}

/** Files that had to be read and could not be. */
export function refusedText(refused: Read['refused'], names: number): readonly string[] {
  if (refused.length === 0) return [];
  const count = refused.length === 1 ? '' : ` ${refused.length} files:`;
  const text = byReason(refused, Math.max(names, LEAST_REFUSED));
  return [`Refused:${count} ${text}.`];
}

/** So many are named even where space is short. */
const LEAST_REFUSED = 8;

function agentsText(read: Read['read']): string {
  const counts = new Map<string, number>();
  for (const { format } of read) counts.set(format, (counts.get(format) ?? 0) + 1);
  const sorted = [...counts].sort(([one, left], [other, right]) =>
    right === left ? (one < other ? -1 : 1) : right - left,
  );
  const parts = sorted.map(([format, count]) => `${agentName(format)} ${count}`);
  return `${plural(read.length, 'file')} (${parts.join(', ')})`;
}

function billsText({ billedRequests, requests, dollars, subAgents }: Report['bills']): string {
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
}: Report['bills']) {
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
function leftText(
  leftOut: Read['leftOut'],
  { names, isBilled }: { readonly names: number; readonly isBilled: boolean },
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
  const others = isBilled ? ' of all other figures' : '';
  const all = isCounted
    ? ' With nothing else there, some of these count all the same.'
    : isBilled
      ? ' They are in what was billed.'
      : '';
  return [`Left out${others}: ${parts.join('; ')}.${all}`];
}

const counted = (count: number, one: string, many: string, more = ''): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}${more === '' ? '' : ` (${more})`}`];

function skippedText(skipped: Read['skipped'], names: number): readonly string[] {
  if (skipped.length === 0) return [];
  const count = skipped.length === 1 ? '' : ` ${skipped.length} files:`;
  return [`Not read:${count} ${byReason(skipped, names)}.`];
}

/**
 * Files by their reason; what can be read is said once, and not where space is short and no file is an agent's. Of each reason `names` files are named, and
 * how many more there are.
 */
export function byReason(
  files: readonly { readonly file: string; readonly reason: string }[],
  names: number,
): string {
  const reasons = new Map<string, string[]>();
  let supported = '';
  for (const { file, reason } of files) {
    const at = reason.indexOf(SUPPORTED);
    const own = (at === -1 ? reason : reason.slice(0, at)).replace(LINE, '$1');
    if (at !== -1) supported = `. ${capital(reason.slice(at + '; '.length))}`;
    reasons.set(own, [...(reasons.get(own) ?? []), file]);
  }
  const parts = [...reasons].map(([reason, all]) => `${listed(all, names)} (${reason})`);
  const isCut = [...reasons.values()].some((all) => all.length > names);
  const isOfAgent = [...reasons.keys()].some((reason) => OF_AGENT.test(reason));
  const isShort = Number.isFinite(names) && !isOfAgent;
  return `${parts.join('; ')}${isCut ? ' (--json lists them)' : ''}${isShort ? '' : supported}`;
}

/** Where it stands in each file keeps no two reasons apart. */
const LINE = /^(of [\w ]+: )?line \d+: /;

/** Whose file it is; one that is nobody's needs no list of agents on the first screen. */
const OF_AGENT = /^of [A-Z]|\bis from [A-Z]/;

/** How a refusal goes on to what can be read. */
const SUPPORTED = '; read are sessions of ';
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function ageText({ checkedOn, isOld }: Report['prices']): readonly string[] {
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
