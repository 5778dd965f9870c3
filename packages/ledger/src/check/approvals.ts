import type { Approval, Ledger } from '../ledger.ts';
import { sentencesOf } from '../sentences.ts';
import type { Finding, Repaired } from './finding.ts';
import { checkLines } from './lines.ts';
import { isOwnLine, type Spoken } from './spoken.ts';
import { isAlike, termsOf } from './terms.ts';

/**
 * Takes out claims that the user approved something where no person asked for it or agreed to it: what a reminder, a notice or
 * a tool says is nobody's approval. The rest of the sentence stays.
 */
export function removeApprovals(text: string, ledger: Ledger, spoken: Spoken): Repaired {
  let given: Given | undefined;
  return checkLines(text, (line, section) => {
    if (section === 'said' || !MAY_CLAIM.test(line) || isOwnLine(line, spoken))
      return { text: line, findings: [] };
    const findings: Finding[] = [];
    const prose = withoutCode(line);
    let at = 0;
    const kept = line.split(/(?<=[.!?;])(?=\s)/).map((sentence) => {
      const claim = claimIn(sentence, prose.slice(at, at + sentence.length));
      at += sentence.length;
      if (claim === undefined || spoken.holds(sentence)) return sentence;
      given ??= givenBy(ledger);
      if (isGiven(claim.about, given)) return sentence;
      findings.push({ kind: 'invented-approval', detail: sentence.trim() });
      return `${claim.before}${MARK}${claim.after}`;
    });
    return { text: kept.join(''), findings };
  });
}

/** The same line with a mark for each character of code: the person and the `ok` of a command line are nobody's yes. */
const withoutCode = (line: string): string =>
  line.replace(/`[^`\n]+`/g, (code) => '·'.repeat(code.length));

/** Stands in place of the claim. */
const MARK = '[approval not found in what the user said]';

const WHO = '(?:the\\s+)?(?:user|human|person|operator|customer|owner|requester)';
const MANNER =
  '(?:has|had|have|already|also|explicitly|clearly|just|then|now|since|since then|fully|verbally|\\w+ly)';
const VERB =
  "(?:approved|authori[sz]ed|confirmed|consented|agreed|okayed|ok['’]?(?:d|ed)|green-?li(?:t|ghted)|signed[ -]off|permitted|allowed|sanctioned|cleared)";
const NOUN =
  '(?:approvals?|permission|consent|go[- ]ahead|green light|clearance|sign[- ]?off|authori[sz]ation|blessing|confirmation|thumbs[- ]up|okay|ok)';
const KIND = '(?:(?:the|an?|his|her|their|its|full|explicit|prior|final|clear|verbal|express)\\s+)';
const GIVEN = '(?:given|granted|received|obtained|secured|got|gotten|confirmed|in place|on record)';

/** Any word for a yes, in whatever form. */
const YES =
  "(?:\\b(?:approv\\w*|authori[sz]\\w*|consent\\w*|agree(?:d|s|ment|ing|able)|okay(?:ed|s)?|(?<![\x22“'\x60])ok(?:['’]?(?:d|ed|s))?|green-?\\s?li(?:t|ght\\w*)|go(?:es|ing)?[- ]ahead|sign(?:ed|s)?[ -]?off|permi(?:tted|ts|ssion)|allow(?:ed|s|ance)|sanction(?:ed|s)|clear(?:ed|ance)|bless(?:ed|es|ing)|thumbs[- ]up|confirm(?:ed|s|ation)|accept(?:ed|s|ance)|endors(?:ed|es|ement)|ratif\\w+|lgtm|(?:fine|happy|okay|comfortable|on board|cool) (?:with|for)|the nod|nodded|waived?|yes|carte blanche|free hand|blanket)\\b|[✅👍])";

/**
 * How summaries say so; each is bounded, so that a line costs what it is long. The signals are the rule: a person and a yes in
 * one clause, in either order. These know better where a claim begins and ends, or name no person.
 */
const CLAIMS = [
  `\\b${WHO}(?:\\s+${MANNER}){0,3}\\s+(?:${VERB}\\b(?:\\s+(?:to|on|with|of))?|(?:gave|given|granted|provided|expressed)\\s+(?:us\\s+|me\\s+)?${KIND}{0,2}${NOUN}\\b(?:\\s+(?:to|for|on|of))?|(?:said|answered|replied)\\s+["“'‘]?(?:yes|ok(?:ay)?|go ahead|sure)\\b["”'’]?(?:\\s+to)?)`,
  `\\b(?:pre-?)?${VERB}\\s+(?:on\\s+)?by\\s+${WHO}\\b`,
  `\\b${WHO}(?:['’]s)?\\s+${KIND}{0,2}${NOUN}\\b`,
  `\\b${KIND}{0,2}${NOUN}\\s+(?:(?:was|is|has been|were|already)\\s+){0,2}(?:${GIVEN}\\s+)?(?:from|by|of)\\s+${WHO}\\b`,
  `\\b${NOUN}\\b[^.;!?\\n]{0,60}?\\b(?:was|were|is|has been|have been)\\s+(?:already\\s+)?${GIVEN}\\b`,
  `\\b(?:${GIVEN}|has|have)\\s+${KIND}{0,2}${NOUN}\\b`,
  `\\b${NOUN}\\s+${GIVEN}\\b`,
  `(?:\\b(?:was|were|is|are|has been|have been)|:)\\s+(?:already\\s+|explicitly\\s+)?(?:approved|authori[sz]ed|green-?lit)\\b(?!\\s+(?:by|in)\\b)`,
].map((source) => new RegExp(source, 'i'));
/** The general ones, which look at prose only. */
const SIGNALS = [`\\b${WHO}\\b[^.;!?\\n]{0,80}?${YES}`, `${YES}[^.;!?\\n]{0,60}?\\b${WHO}\\b`].map(
  (source) => new RegExp(source, 'i'),
);

/** Cheap, and true of every line with a claim. */
const MAY_CLAIM =
  /approv|authori|confirm|consent|agree|ok|green|sign|permi|allow|sanction|clear|ahead|bless|thumb|said|answered|replied|accept|endors|ratif|lgtm|fine|happy|comfort|board|cool|nod|waive|yes|carte|free hand|blanket|[✅👍]/iu;

/** Before a claim or in it: it is denied, wished for, or waited for. */
const HEDGED =
  /\b(?:not|never|no|nobody|without|until|till|unless|once|if|whether|when|pending|await\w*|wait\w*|need\w*|requir\w*|ask\w*|request\w*|seek\w*|get|must|should|before|subject to|refused|rejected|denied|declined|withdrew)\b|n['’]t\b/i;
/** Behind it. */
const STILL_OPEN =
  /^[^.;,!?]{0,60}\b(?:required|needed|pending|missing|outstanding|necessary|awaited|not|never|before)\b/i;
/** What others approve. */
const OTHERS = /\b(?:PR|MR|pull request|merge request|review(?:er|ers|s|ed)?|CI|plan mode)\b/i;

interface Claim {
  readonly before: string;
  readonly after: string;
  /** What is said to be approved, by its words. */
  readonly about: readonly string[];
}

function claimIn(sentence: string, prose: string): Claim | undefined {
  for (const pattern of [...CLAIMS, ...SIGNALS]) {
    const found = pattern.exec(SIGNALS.includes(pattern) ? prose : sentence);
    if (found === null) continue;
    const before = sentence.slice(0, found.index);
    const after = sentence.slice(found.index + found[0].length);
    const clause = before.slice(before.search(/[^,:()]*$/));
    if (HEDGED.test(clause) || HEDGED.test(found[0]) || STILL_OPEN.test(after)) continue;
    if (!NAMES_USER.test(found[0]) && OTHERS.test(sentence)) continue;
    return { before, after, about: aboutOf(before, found[0], after) };
  }
  return undefined;
}

/** What a user approves follows the claim; what is approved stands before it, in it or behind it. */
function aboutOf(before: string, claim: string, after: string): readonly string[] {
  const [own] = after.split(/[,;]|\b(?:because|since|so|and then)\b/) as [string];
  const follows = termsOf(own);
  if (follows.length > 0 && STARTS_WITH_USER.test(claim)) return follows;
  const around = termsOf(`${before} ${claim} ${own}`);
  return around.length > 0 ? around : termsOf(after);
}

const STARTS_WITH_USER = new RegExp(`^${WHO}\\s`, 'i');
const NAMES_USER = new RegExp(WHO, 'i');

/** What persons asked for or agreed to. */
interface Given {
  /** Terms of each sentence that asks for something. */
  readonly asked: readonly (readonly string[])[];
  readonly agreed: readonly { readonly terms: readonly string[]; readonly toAnything: boolean }[];
}

function givenBy(ledger: Ledger): Given {
  const choices = ledger
    .facts()
    .filter(({ type, value }) => type === 'choice' && !DENIES.test(value))
    .map(({ key, value }): Approval => ({ said: value, about: key }));
  return {
    asked: ledger
      .words()
      .flatMap(sentencesOf)
      .filter(mayAsk)
      .map((sentence) => termsOf(sentence)),
    agreed: [...ledger.approvals(), ...choices].map(({ said, about }) => ({
      terms: termsOf(`${said} ${about}`),
      // what it answers is not known any more
      toAnything: about === '' && termsOf(said).length === 0,
    })),
  };
}

const DENIES =
  /\b(?:not|no|never|without|wait|stop|cancel|deny|denied|reject(?:ed)?|until)\b|n['’]t\b/i;
const mayAsk = (sentence: string): boolean =>
  !DENIES.test(sentence) &&
  (!sentence.trim().endsWith('?') || /^\W*(?:can|could|would|will|please)\b/i.test(sentence));

function isGiven(about: readonly string[], { asked, agreed }: Given): boolean {
  if (about.length === 0) return agreed.length > 0;
  const shares = (terms: readonly string[]) =>
    terms.some((term) => about.some((word) => isAlike(term, word)));
  return asked.some(shares) || agreed.some(({ terms, toAnything }) => toAnything || shares(terms));
}
