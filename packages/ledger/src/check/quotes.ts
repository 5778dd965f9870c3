import type { Ledger } from '../ledger.ts';
import type { Finding, Repaired } from './finding.ts';
import { type CheckedLine, checkLines, linesOf } from './lines.ts';
import type { Spoken } from './spoken.ts';

/** Takes out what a summary says the user said and the user did not say. White space, case and the kind of quotation marks aside, a quote has to be exact; an ellipsis may leave something out. */
export function verifyQuotes(text: string, _: Ledger, spoken: Spoken): Repaired {
  return checkLines(text, (line, inUserSection) =>
    inUserSection ? checkItem(line, spoken) : checkLine(line, spoken),
  );
}

/** What follows is put into the user's mouth. */
const ATTRIBUTION =
  /\b(?:(?:the )?(?:user|human)(?:['’]s)?|they)\b[^"“\n]{0,80}?\b(?:said|says|asked|asks|wrote|told|wants?|wanted|requested|instructed|insisted|demanded|replied|answered|stated|message|request|instruction|words|quote[ds]?)\b|^\s*(?:[-*+]\s*|\d+[.)]\s*)?(?:\*\*)?(?:user|human)(?:\*\*)?\s*(?:said\s*)?:/i;
const SPEAKER =
  /^\s*(?:[-*+]\s*|\d+[.)]\s*)?(?:\*\*)?(?:user|human)(?:\*\*)?\s*(?:said\s*)?:(?:\*\*)?\s*(.+)$/i;
const QUOTED = /"([^"\n]{3,})"|“([^”\n]{3,})”|«([^»\n]{3,})»/g;

function checkLine(line: string, spoken: Spoken): CheckedLine {
  if (!ATTRIBUTION.test(line)) return { text: line, findings: [] };
  const said = SPEAKER.exec(line)?.[1];
  if (said !== undefined && !new RegExp(QUOTED.source).test(said)) return checkItem(line, spoken);
  return checkQuotes(line, spoken);
}

function checkQuotes(line: string, spoken: Spoken): CheckedLine {
  const findings: Finding[] = [];
  const text = line.replace(QUOTED, (quote, straight, curly, angled) => {
    const words: string = straight ?? curly ?? angled;
    if (spoken.holds(words)) return quote;
    if (spoken.maybe(words)) {
      findings.push({ kind: 'quote-unverified', detail: words });
      return `${quote} ${REFUSING}`;
    }
    findings.push({ kind: 'quote-removed', detail: words });
    return REMOVED;
  });
  return { text: isHollow(text) ? undefined : text, findings };
}

/** Marks what only the result of a refused call holds. */
const REFUSING = '(unverified: said when a call was refused)';
/** Stands where a quote was, so that the rest of the line is not read as if it were whole. */
const REMOVED = '[a quote nobody said was removed]';

/** A line of which only the removed quote was left says nothing. */
function isHollow(line: string): boolean {
  if (!line.includes(REMOVED)) return false;
  const rest = line.replaceAll(REMOVED, '').replace(/^\s*(?:[-*+]|\d+[.)])\s*/, '');
  return !/[\p{L}\d]/u.test(
    rest.replace(/\b(?:the|user|human|said|asked|also|and|wrote|that)\b/gi, ''),
  );
}

/** An item of a list of the user's messages: its quotes where it has some, else all of it. */
function checkItem(line: string, spoken: Spoken): CheckedLine {
  const words = itemWords(line);
  if (words === '' || NOTHING.test(words) || spoken.holds(words))
    return { text: line, findings: [] };
  if (new RegExp(QUOTED.source).test(line)) return checkQuotes(line, spoken);
  if (isRemark(words)) return { text: line, findings: [] };
  const mark = spoken.maybe(words) ? REFUSING : RETOLD;
  if (mark !== REFUSING && spoken.likeness(words) < ALIKE) {
    return { text: undefined, findings: [{ kind: 'quote-removed', detail: words }] };
  }
  return {
    text: `${line} ${mark}`,
    findings: [{ kind: 'quote-unverified', detail: words }],
  };
}

/** Marks what retells a message. */
const RETOLD = '(not word for word)';

/** What stands in brackets, or leads to what follows, is not put into anybody's mouth. */
const isRemark = (words: string): boolean => /^\s*[[(]/.test(words) || words.endsWith(':');

/** What the user said by the lists of a checked summary: items that were found to be the user's, and no others. */
export function quotedWords(summary: string): string[] {
  const items: string[] = [];
  let last: string | undefined;
  for (const { line, isHeading, inUserSection } of linesOf(summary)) {
    const words = isHeading || !inUserSection ? '' : itemWords(line);
    const isOwn = words !== '' && !NOTHING.test(words) && !isRemark(words) && !isMarked(words);
    if (last !== undefined && isOwn && !ITEM.test(line)) items[items.length - 1] += `\n${words}`;
    else if (isOwn) items.push(words);
    last = isOwn ? words : undefined;
  }
  return items;
}

const ITEM = /^\s*(?:[-*+]|\d+[.)]|\[[^\]]{1,60}\])\s/;

const isMarked = (words: string): boolean =>
  [RETOLD, REFUSING, REMOVED].some((mark) => words.includes(mark));

const NOTHING = /^(?:none|nothing|n\/a|no (?:other |further )?messages?)\b/i;
/** From this share of shared words on an item retells a message rather than inventing one. */
const ALIKE = 0.6;

function itemWords(line: string): string {
  const item = SPEAKER.exec(line)?.[1] ?? line;
  return item
    .replace(/^\s*(?:(?:[-*+>]|\d+[.)])\s*)*/, '')
    .replace(/^\[[^\]]{1,60}\]\s*/, '')
    .replace(/ \(superseded: .*\)$/, '')
    .replace(/^["“«]|["”»]\s*$/g, '')
    .trim();
}
