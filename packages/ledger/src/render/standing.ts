import { cutMiddle } from '@varve/messages/text';
import type { Fact } from '../fact.ts';
import { type Frame, type Row, writeSections } from './sections.ts';

interface StandingOptions {
  readonly pins: readonly string[];
  /** The oldest first. */
  readonly rules: readonly Fact[];
  /** Tokens that pins and rules may take, headings included. */
  readonly limit: number;
  readonly frame: Frame;
  readonly sizeOf: (text: string) => number;
}

/** The share of the room that rules may take. */
const RULE_SHARE = 2 / 3;

/** Pins and rules as rows that never go: pins first, then the newest rules; what there is no room for is counted in a line. */
export function chooseStanding({ pins, rules, limit, frame, sizeOf }: StandingOptions): Row[] {
  const pinned = fitPins(pins, { limit, frame, sizeOf });
  const left = limit - sizeOf(writeSections(pinned, frame));
  const newest = rules.toReversed();
  const ruled = (count: number): Row[] => [
    ...pinned,
    ...newest.slice(0, count).toReversed().map(ruleRow),
    ...(count < newest.length ? [moreRow(newest.length - count)] : []),
  ];
  const whole = ruled(newest.length);
  if (sizeOf(writeSections(whole, frame)) <= limit - left * (1 - RULE_SHARE)) return whole;
  const most = limit - left * (1 - RULE_SHARE);
  let [fits, tooMany] = [0, newest.length];
  while (tooMany - fits > 1) {
    const count = (fits + tooMany) >> 1;
    if (sizeOf(writeSections(ruled(count), frame)) <= most) fits = count;
    else tooMany = count;
  }
  const some = ruled(fits);
  return sizeOf(writeSections(some, frame)) <= limit ? some : pinned;
}

/** Pins word for word while they fit; the first that does not is cut in the middle. */
function fitPins(
  pins: readonly string[],
  { limit, frame, sizeOf }: Omit<StandingOptions, 'pins' | 'rules'>,
): Row[] {
  const rows: Row[] = [];
  const fits = (row: Row): boolean => sizeOf(writeSections([...rows, row], frame)) <= limit;
  for (const pin of pins) {
    if (fits(pinRow(pin))) {
      rows.push(pinRow(pin));
      continue;
    }
    const cut = [0.5, 0.2, 0.05].map((share) => cutPin(pin, share)).find(fits);
    if (cut !== undefined) rows.push(cut);
    break;
  }
  return rows;
}

function cutPin(pin: string, share: number): Row {
  const units = Math.floor((pin.length * share) / 2);
  const marker = (count: number) => ` […${count} characters…] `;
  const text = cutMiddle(pin, { headUnits: units, tailUnits: units, marker });
  return { ...pinRow(text), whole: false };
}

const STANDS = Number.POSITIVE_INFINITY;

const pinRow = (text: string): Row => ({
  section: 'pin',
  text,
  whole: true,
  rank: STANDS,
  position: -1,
});

const ruleRow = (fact: Fact): Row => ({
  section: 'rule',
  text: `- ${fact.value}`,
  whole: true,
  rank: STANDS,
  position: fact.position,
  fact,
});

/** In brackets, so that nobody takes it for the user's word. */
const moreRow = (count: number): Row => ({
  section: 'rule',
  text: `[${count} older ones are not shown here; the conversation itself has them]`,
  whole: false,
  rank: STANDS,
  position: -1,
});
