import type { Ledger } from '../ledger.ts';
import type { Finding, Repaired } from './finding.ts';
import { type CheckedLine, checkLines, linesOf } from './lines.ts';
import { isMarked, NOT_FOUND, REFUSING, REMOVED, RETOLD } from './marks.ts';
import type { Spoken } from './spoken.ts';

/** Takes out what a summary says the user said and the user did not say. White space, case and the kind of quotation marks aside, a quote has to be exact; an ellipsis may leave something out. */
export function verifyQuotes(text: string, _: Ledger, spoken: Spoken): Repaired {
  return checkLines(text, (line, section) => {
    if (section === 'said') return checkItem(line, spoken);
    return section === 'ruled' ? checkRule(line, spoken) : checkLine(line, spoken);
  });
}

const LEAD = String.raw`^\s*(?:[-*+>|]\s*|\d+[.)]\s*)*(?:\*\*|__|[\x60"'])?`;
const WHO = `(?:the )?(?:user|human)(?:['’]s)?`;
const WHAT = `(?:rules?|instructions?|directives?|orders?|demands?|corrections?|preferences?|constraints?|requirements?|requests?|messages?|decisions?|approvals?|answers?|choices?|feedback|notes?|quotes?|words|said|says|wrote|asked)`;
/** What follows is put into the user's mouth. */
const ATTRIBUTION = new RegExp(
  String.raw`\b(?:${WHO}|they)\b[^"“\n]{0,80}?\b(?:said|says|asked|asks|wrote|told|wants?|wanted|requested|instructed|insisted|demanded|replied|answered|stated|ruled|forbade|approved|${WHAT})\b|\b(?:${WHAT}|according|per|as told|as instructed|as requested)\b[^"“\n]{0,40}?\b(?:of|from|by|to|per) ${WHO}\b|\bper ${WHO}\b|${LEAD}${WHO}(?:\*\*)?\s*(?:said\s*)?:`,
  'i',
);
const SPEAKER = new RegExp(
  String.raw`${LEAD}(?:${WHO}(?:\*\*)?(?:\s+(?:[\w-]+\s+)?${WHAT})?|${WHAT} (?:of|from|by|set by|given by) ${WHO})(?:\s*[(#][^):\n]{0,40}\)?|\s+\d+)?(?:\*\*)?\s*:(?:\*\*)?\s*(.+)$`,
  'i',
);
/** A rule that stands there by itself, put down to nobody. */
const RULE = new RegExp(
  String.raw`${LEAD}(?:(?:standing|general|important|hard|key|strict|global|new|first|second|third) ){0,2}(?:rule|instruction|directive|constraint|prohibition|preference|correction)s?\b[^:"“\n]{0,30}:(?:\*\*)?\s*(.+)$`,
  'i',
);
const QUOTED =
  /"([^"\n]{3,})"|[“„]([^”“\n]{3,})[”“]|«([^»\n]{3,})»|(?<![\p{L}\d])['‘]([^'’\n]{8,})['’](?![\p{L}\d])/gu;

function checkLine(line: string, spoken: Spoken): CheckedLine {
  if (line.includes(NOT_FOUND)) return unchanged(line);
  if (!ATTRIBUTION.test(line)) return RULE.test(line) ? checkRule(line, spoken) : unchanged(line);
  const said = SPEAKER.exec(line)?.[1];
  if (said !== undefined && !new RegExp(QUOTED.source, 'u').test(said))
    return checkItem(line, spoken);
  return checkQuotes(line, spoken);
}

const unchanged = (line: string): CheckedLine => ({ text: line, findings: [] });

/** A rule that nobody is quoted with may be the project's; it is marked where the user did not say it. */
function checkRule(line: string, spoken: Spoken): CheckedLine {
  if (isMarked(line) || !/\p{L}/u.test(line)) return unchanged(line);
  if (ATTRIBUTION.test(line)) {
    const checked = checkLine(line, spoken);
    if (checked.findings.length > 0 || new RegExp(QUOTED.source, 'u').test(line)) return checked;
  }
  const words = RULE.exec(line)?.[1] ?? line;
  const found = [itemWords(line), itemWords(words)].some(
    (said) => said === '' || NOTHING.test(said) || isRemark(said) || spoken.holds(said),
  );
  if (found || spoken.likeness(itemWords(words)) >= ALIKE) return unchanged(line);
  return {
    text: `${line} ${NOT_FOUND}`,
    findings: [{ kind: 'quote-unverified', detail: itemWords(words) }],
  };
}

function checkQuotes(line: string, spoken: Spoken): CheckedLine {
  const findings: Finding[] = [];
  const text = line.replace(QUOTED, (quote, straight, curly, angled, single) => {
    const words: string = straight ?? curly ?? angled ?? single;
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
  if (new RegExp(QUOTED.source, 'u').test(line)) return checkQuotes(line, spoken);
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

/** What stands in brackets, or leads to what follows, is not put into anybody's mouth. */
const isRemark = (words: string): boolean => /^\s*[[(]/.test(words) || words.endsWith(':');

/** What the user said by the lists of a checked summary: items that were found to be the user's, and no others. */
export function quotedWords(summary: string): string[] {
  const items: string[] = [];
  let last: string | undefined;
  for (const { line, isHeading, section } of linesOf(summary)) {
    const words = isHeading || section !== 'said' ? '' : itemWords(line);
    const isOwn = words !== '' && !NOTHING.test(words) && !isRemark(words) && !isMarked(words);
    if (last !== undefined && isOwn && !ITEM.test(line)) items[items.length - 1] += `\n${words}`;
    else if (isOwn) items.push(words);
    last = isOwn ? words : undefined;
  }
  return items;
}

const ITEM = /^\s*(?:[-*+]|\d+[.)]|\[[^\]]{1,60}\])\s/;

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
