import type { ReadScore } from './score-reads.ts';

/** Why a session's price was predicted wrong, as far as file and bill tell; empty where it is right to within 5 %. */
export function reasonFor(score: ReadScore, doubts: readonly string[]): string {
  const { costErrorShare, unexplained, breaks, losses } = score;
  if (Math.abs(costErrorShare) <= RIGHT_SHARE) return '';
  const lost = unexplained.reduce((sum, { lostTokens }) => sum + lostTokens, 0);
  const tooMany = breaks.predicted - breaks.both;
  const parts = [
    ...(costErrorShare < 0 && unexplained.length > 0
      ? [
          `${count(unexplained.length, 'loss', 'losses')} of the cache without a cause in the file (${thousands(lost)} tokens)`,
        ]
      : []),
    ...(costErrorShare > 0 && tooMany > 0
      ? [`${count(tooMany, 'loss was', 'losses were')} foretold and not billed`]
      : []),
    ...(costErrorShare > 0 && losses.tokens < losses.expectedTokens && isSaidDifferent(losses)
      ? [
          `it lost ${thousands(losses.tokens)} tokens for no reason in the file, where such sessions lose ${thousands(losses.expectedTokens)} on average`,
        ]
      : []),
    ...doubts.flatMap((doubt) => DOUBTS[doubt] ?? []),
  ];
  return parts.length > 0
    ? parts.join('; ')
    : 'many small differences, none with a cause in the file';
}

const RIGHT_SHARE = 0.05;

/** Fewer than a thousand as they are: 0K may be some. */
function thousands(tokens: number): string {
  if (tokens < 1) return 'no';
  return tokens < 1000 ? `${Math.round(tokens)}` : `${Math.round(tokens / 1000)}K`;
}

/** Two figures that are written alike are no reason. */
const isSaidDifferent = ({ tokens, expectedTokens }: ReadScore['losses']): boolean =>
  thousands(tokens) !== thousands(expectedTokens);

const count = (all: number, one: string, many: string): string =>
  `${all} ${all === 1 ? one : many}`;

const DOUBTS: Readonly<Record<string, string>> = {
  'clock-untrusted': 'its clock runs backwards or stands still',
  'rules-not-published': 'the cache rules of its model are not published',
  'gateway-hides-writes': 'a gateway hides what was written to the cache',
  'lifetime-not-recorded': 'the lifetime of what was written is not recorded',
  'starts-mid-session': 'it begins in the middle',
};
