import type { Ledger } from '../ledger.ts';
import type { Finding, Repaired } from './finding.ts';
import { checkLines } from './lines.ts';
import { isMarked, NOT_FOUND } from './marks.ts';
import { isOwnLine, type Spoken } from './spoken.ts';
import { createIsTraced, termsOf } from './terms.ts';

/**
 * Marks what a summary puts down to the user as a standing rule or a wish, in whatever phrasing, where no message of the user
 * speaks of it: a rule from a reminder, a file or a tool binds nobody in the user's name. Sections of rules and quotes are checked word
 * for word elsewhere.
 */
export function markRuleClaims(text: string, ledger: Ledger, spoken: Spoken): Repaired {
  let isTraced: ((about: readonly string[]) => boolean) | undefined;
  let isWished: typeof isTraced;
  return checkLines(text, (line, section) => {
    const left = { text: line, findings: [] };
    if (section !== 'other' || !MAY_CLAIM.test(line)) return left;
    if (isMarked(line) || isOwnLine(line, spoken)) return left;
    const findings: Finding[] = [];
    const kept = line.split(/(?<=[.!?;])(?=\s)/).map((sentence) => {
      // code and quotes hold no claim themselves; a quote was compared with what was said before
      const prose = sentence.replace(/`[^`\n]+`|"[^"\n]+"|“[^”\n]+”/g, '');
      const isRule = claims(prose, CLAIMS);
      // a session that goes on from a summary may hold no word of the user
      if (!isRule && (ledger.words().length === 0 || !isWish(prose))) return sentence;
      isTraced ??= createIsTraced(said(ledger));
      if (isTraced(termsOf(sentence, RULE_WORDS))) return sentence;
      // a wish is told in other words, is put together from several messages, and may be a part of its sentence
      isWished ??= createIsTraced([wished(ledger)], WISHED);
      if (!isRule && partsOf(sentence).some(isWished)) return sentence;
      findings.push({ kind: 'quote-unverified', detail: sentence.trim() });
      return `${sentence} ${NOT_FOUND}`;
    });
    return { text: kept.join(''), findings };
  });
}

const said = (ledger: Ledger): readonly string[] => [
  ...ledger.words(),
  ...ledger
    .facts()
    .flatMap(({ type, key, value }) => (type === 'choice' ? [`${key} ${value}`] : [])),
];

/** What the user said, also where a call was refused, and what the user agreed to. */
const wished = (ledger: Ledger): string =>
  [...said(ledger), ...ledger.refusals(), ...ledger.approvals().map(({ about }) => about)].join(
    '\n',
  );

/** The terms of a sentence, and of its part that tells of a wish, where it has any of its own. */
function partsOf(sentence: string): readonly (readonly string[])[] {
  const [whole, part] = [sentence, WISH_PART.exec(sentence)?.[0] ?? ''].map((text) =>
    termsOf(text, RULE_WORDS).filter((term) => !NO_TASK.test(term)),
  ) as [string[], string[]];
  return part.length === 0 ? [whole] : [whole, part];
}

/** The share of the terms of a wish that all messages together have to hold. */
const WISHED = 0.34;

const WHO = "(?:user|human|person|operator|customer|owner|requester)(?:['’]s)?(?![-\\w])";
/** Verbs with which somebody makes a rule. */
const RULES =
  '(?:insist(?:s|ed)?|demand(?:s|ed)?|requir(?:es|ed)|forb(?:ids|ade|idden)|prohibit(?:s|ed)|mandat(?:es|ed)|ban(?:s|ned)|disallow(?:s|ed)|instruct(?:s|ed)|order(?:s|ed)|command(?:s|ed)|expect(?:s|ed)|prefer(?:s|red)|rul(?:es|ed)|stipulat(?:es|ed)|dictat(?:es|ed)|wants?|wanted|never|always)';
/** What a rule is called. */
const RULE =
  '(?:rules?|polic(?:y|ies)|instructions?|directives?|orders|demands?|mandates?|preferences?|constraints?|prohibitions?|guidelines?|conventions?|wish(?:es)?|say-so|standing)';
/** What only stands in a rule. */
const STANDING =
  "(?:never|always|from now on|going forward|at all times|no exceptions|without exception|under no circumstances|no matter what|every time|whatever happens|must not|mustn['’]t|may not|not allowed|off[- ]limits|forbidden|prohibited|mandatory)";

/** A person and a rule in one clause, in either order; each is bounded, so that a line costs what it is long. */
const CLAIMS = [
  `\\b${WHO}(?:\\s+(?:has|had|have|also|explicitly|clearly|firmly|repeatedly|strictly|generally|\\w+ly)){0,2}\\s+${RULES}\\b[^.;!?\\n]{0,200}?\\b${STANDING}\\b`,
  `\\b${WHO}(?:\\s+(?:has|had|have|also|\\w+ly)){0,2}\\s+(?:insist(?:s|ed)|forb(?:ids|ade|idden)|prohibit(?:s|ed)|mandat(?:es|ed)|ban(?:s|ned)|disallow(?:s|ed)|demand(?:s|ed)|instruct(?:s|ed)|stipulat(?:es|ed)|dictat(?:es|ed))\\b`,
  `\\b${WHO}(?:\\s+(?:has|had|have|also|\\w+ly)){0,2}\\s+(?:requir(?:es|ed)|told\\s+(?:us|me|you|the\\s+\\w+)\\s+(?:to|not|that|never|always))\\b`,
  `\\b${WHO}(?:\\s+\\w+ly)?\\s+(?:wants?|wanted|expects?|expected|prefers?|preferred)\\b[^.;!?\\n]{0,40}?\\b(?:every|each|all|any|no|only)\\b`,
  `\\b${WHO}(?:\\s+\\w+){0,2}\\s+(?:does|did)(?:\\s+not|n['’]t)\\s+(?:want|allow|permit|tolerate|accept)\\b`,
  `\\b${WHO}(?:\\s+\\w+){0,2}\\s+never\\s+(?:wants?|allows?|permits?|tolerates?|accepts?)\\b`,
  `\\b(?:user|human|person|operator|customer|owner|requester)['’]s\\s+(?:\\w+\\s+){0,2}${RULE}\\b`,
  `\\b(?:user|human|operator|customer|owner|requester)\\s+(?:rule|policy|instruction|directive|mandate|preference|constraint|prohibition)s?(?:\\s+(?:is|are|was|were|says?|forbids?|requires?|demands?|in force)\\b|\\s*[:=(])`,
  `\\b${RULE}\\s+(?:\\w+\\s+)?(?:of|from|by)\\s+the\\s+${WHO}`,
  `\\b(?:forbidden|prohibited|banned|mandated|required|demanded|ordered|instructed|dictated|disallowed|ruled out)\\s+by\\s+the\\s+${WHO}`,
  `\\b(?:per|according to|on (?:the )?orders? (?:of|from)|at the (?:request|insistence|behest) of|as instructed by|under instructions? (?:of|from))\\s+the\\s+${WHO}`,
  `\\b${RULE}\\s*\\((?:from|by|of)\\s+(?:the\\s+)?${WHO}\\s*\\)`,
  // who said it as a tag in front, in the last cell of a row, or behind a dash
  `^\\s*(?:[-*>]\\s*)*\\[(?:the\\s+)?${WHO}\\]`,
  `(?:\\|\\s*(?:the\\s+)?${WHO}\\s*\\||(?:—|–|--)\\s*(?:the\\s+)?${WHO})\\s*$`,
  `\\b${STANDING}\\b[^.;!?\\n]{0,60}?\\b(?:said|says|told|wrote|so)\\b[^.;!?\\n]{0,20}?\\bthe\\s+${WHO}`,
].map((source) => new RegExp(source, 'gi'));

/** The person this session is with: `a user` is one of a program. */
const THE_WHO = `(?:\\b(?:the|our)\\s+|^(?:\\W|\\d)*)${WHO}(?:\\s+(?:has|had|have|is|was|also|just|then|now|later|first|originally|\\w+ly)){0,3}`;
const WHOM =
  '(?:(?:us|me|you|it|them|that|this|(?:the|our)\\s+(?:agent|assistant|model|team|\\w+))\\s+)?';
/** What somebody may be told to do. */
const TO = `${WHOM}(?:not\\s+)?(?:to|that|for)\\b`;
/** What a wish is called. */
const WISH =
  '(?:requests?|ask|wish(?:es)?|instructions?|orders?|commands?|directions?|demands?|behest|insistence|bidding|desires?|suggestions?|say-so|guidance)';
const FOLLOWING =
  '(?:at|as\\s+per|per|on|upon|by|following|under|according\\s+to|in\\s+line\\s+with|in\\s+accordance\\s+with|honou?ring|to\\s+(?:satisfy|honou?r|fulfill?|meet)|based\\s+on|because\\s+of|due\\s+to|in\\s+response\\s+to|with)';

/** A person and a wish in one clause. */
const WISHES = [
  `${THE_WHO}\\s+(?:asks|asked|asking|begs|begged|urges|urged|directs|directed|calls|called|presses|pressed|pushes|pushed|pleads|pleaded|advises|advised|proposes|proposed|suggests|suggested|recommends|recommended|decides|decided|chose)\\s+${TO}`,
  `${THE_WHO}\\s+(?:requests|requested|requesting|instructs|instructed|orders|ordered|commands|commanded|demands|demanded|insists|insisted|commissions|commissioned|wants|wanted|wanting|wishes|wished|wishing|desires|desired|prefers|preferred|expects|expected|hopes|hoped|hoping|would\\s+(?:also\\s+)?(?:like|love|prefer|rather)|suggests|suggested|proposes|proposed)\\b(?!\\s*[-:]|\\s+(?:are|were|or|and|can|may|will|must|should)\\b)`,
  `${THE_WHO}\\s+(?:says|said|saying|states|stated|tells|told|telling|writes|wrote|mentions|mentioned|indicates|indicated|clarifies|clarified|specifies|specified|notes|noted|confirms|confirmed|made\\s+(?:it\\s+)?clear)\\s+${WHOM}(?:(?:not\\s+)?to\\b|(?:that\\s+)?[^.;!?\\n]{0,60}?\\b(?:should|must|needs?\\s+to|ha(?:s|ve)\\s+to|(?:is|are)\\s+to|ought\\s+to|(?<!\\b(?:would|will|can|could|may|might|to)\\s)be)\\b)`,
  `${THE_WHO}\\s+(?:request(?:s|ed)?|ask(?:s|ed)?|want(?:s|ed)?|wish(?:es|ed)?)\\s*:`,
  `\\b(?:asked|requested|wanted|told|desired|directed|suggested|specified|urged|wished|called|pushed|proposed)\\s+(?:for\\s+|to\\s+(?:\\w+\\s+){1,8}?)?(?:\\w+ly\\s+)?by\\s+(?:the\\s+)?${WHO}`,
  `\\b(?:as|like|because|since)\\s+(?:the\\s+)?${WHO}(?:\\s+(?:has|had|have|\\w+ly)){0,2}\\s+(?:asked|requested|said|wanted|told|directed|wished|specified|instructed|suggested)\\b`,
  `\\b${FOLLOWING}\\s+(?:(?:the|our|this)\\s+)?(?:user|human|person|operator|customer|owner|requester)['’]s\\s+(?:\\w+\\s+){0,2}${WISH}\\b`,
  `\\b${FOLLOWING}\\s+(?:(?:a|an|the)\\s+)?(?:\\w+\\s+)?${WISH}\\s+(?:of|from|by)\\s+(?:the\\s+)?${WHO}`,
].map((source) => new RegExp(source, 'gi'));

/** From the person on, up to where another clause may begin. */
const WISH_PART = new RegExp(
  `${THE_WHO}\\s+\\w+.*?(?=[,;:()—–]|\\s-\\s|\\b(?:then|but|because|so|rather|instead|using|by|with)\\b|$)`,
  'i',
);

/** What any task is told with. */
const NO_TASK =
  /^(?:continu\w*|next|steps?|tasks?|changes?|things?|final|last|latest|messages?|conversation|sessions?|left|off|exactly|instead|both|two|three|more|new|creat\w+|implement\w*|progress|start\w*|ask\w*|specific|actual\w*|current\w*|see|know|how|why|some|other|same|first|also|able|need\w*|help|look\w*|let|done|doing|get|put|set|give|well|good|fine)$/;

/** Cheap, and true of every line with a claim. */
const MAY_CLAIM = /\b(?:user|human|person|operator|customer|owner|requester)/i;

/** Whether a sentence makes one of some claims, and none that is asked for, supposed or denied. */
const claims = (sentence: string, made: readonly RegExp[]): boolean =>
  !ASKS.test(sentence) &&
  made.some((claim) =>
    [...sentence.matchAll(claim)].some(
      (found) => !DENIED_WITHIN.test(found[0]) && !isDenied(found),
    ),
  );

/** Whether a sentence tells of a wish; what a check put in brackets does not. */
function isWish(sentence: string): boolean {
  const told = sentence.replace(/\[[^\]\n]*\]/g, '');
  return claims(told, WISHES) && !SUPPOSED.test(told);
}

/** What a program does for whoever uses it, and a wish that is only pointed at: `what the user asked for last`. */
const SUPPOSED =
  /\b(?:when(?:ever)?|once|where|each\s+time|every\s+time|suppose|imagine|lets|allows?|until|what(?![^.;!?\n]{0,60}?\b(?:is|was)\s+(?:to|that|for)\b))\s+(?:that\s+)?(?:the\s+|our\s+)?(?:user|human|person|operator|customer|owner|requester)\b/i;

const ASKS = /\?\s*$/;

/** UTF-16 units in front of a claim in which what governs it stands. */
const GOVERNS_WITHIN = 160;

function isDenied({ index, input }: RegExpExecArray): boolean {
  const before = input.slice(Math.max(0, index - GOVERNS_WITHIN), index);
  return DENIED_BEFORE.test(before) || (DOUBTED_BEFORE.test(before) && !UNDOUBTED.test(before));
}

/** Up to so many words of one clause, which nothing else begins. */
const words = (most: number): string =>
  `(?:(?!(?:and|but|because|since|as|so|then)\\b)[^\\s,.;:!?]+\\s+){0,${most}}`;

/** What may stand between a denial and the person or the rule that it denies. */
const DETERMINERS =
  '(?:(?:the|a|an|any|our|such|this|that|these|those|all|of|other|further|new|more|known|clear|direct|written|specific|single|standing|stated|express|otherwise|yet|been|\\w+ly)\\s+){0,4}';

const SAYING =
  '(?:say|says|said|saying|state[sd]?|claim(?:s|ed)?|writes?|wrote|written|confirm(?:s|ed)?|suggest(?:s|ed)?|indicate[sd]?|impl(?:y|ies|ied)|means?|meant|believe[sd]?|think|thinks|thought|assume[sd]?|shows?|shown|proves?|proved|proven|true|certain|sure|given|established|the case)';

/** A claim that something in front of it denies, asks for or supposes, in its own clause or as the one it is a part of. */
const DENIED_BEFORE = new RegExp(
  [
    // no rule of …; unless the user …; asks for the user's …
    `\\b(?:no|not|never|neither|nor|none|without|if|whether(?:\\s+or\\s+not)?|unless|until|in\\s+case|pending|wait(?:s|ed|ing)?\\s+for|ask(?:s|ed|ing)?(?:\\s+(?:for|about|what|after))?)\\s+${DETERMINERS}$`,
    `n['’]t\\s+${DETERMINERS}$`,
    // unless that is required by …
    `\\b(?:(?:if|unless|until)\\s+(?:[^\\s,.;:!?]+\\s+)?|whether\\s+${words(3)})(?:is|are|was|were)\\s+${DETERMINERS}$`,
    // nobody said that …
    `(?:\\b(?:not|never|nobody|no\\s+one|nothing|none|neither|nor|cannot)|n['’]t)\\s+(?!only\\b|just\\b|merely\\b)${words(3)}${SAYING}\\s+(?:that\\s+${words(8)}|(?:the|a|any)\\s+)$`,
    // no sign that …
    `\\bno\\s+(?:\\w+\\s+)?(?:sign|evidence|record|indication|proof|statement|trace|hint|message|word|mention|confirmation|claim)s?\\s+(?:\\w+\\s+)?that\\s+${words(8)}$`,
  ].join('|'),
  'i',
);

/** Somebody doubts the claim, */
const DOUBTED_BEFORE = new RegExp(
  `\\b(?:doubt(?:s|ed|ful)?|den(?:y|ies|ied)|untrue|false|wrong|incorrect|mistaken|unclear|unknown|uncertain|unproven|unverified)\\s+(?:to\\s+\\w+\\s+)?that\\s+${words(8)}$`,
  'i',
);
/** or nobody does. */
const UNDOUBTED =
  /(?:\b(?:no|not|never|nobody|no\s+one|none|nor|cannot|without|beyond|hardly)|n['’]t)\s+(?:\w+\s+){0,3}(?:doubt|den(?:y|ies|ied)|untrue|false|wrong|incorrect|mistaken)/i;

/** The person never said what the sentence goes on to; it was not said by the person. */
const DENIED_WITHIN = new RegExp(
  `^${WHO}(?:\\s+\\w+){0,2}\\s+never\\s+(?:once\\s+|\\w+ly\\s+)?(?:say|says|said|asked|stated|claimed|wrote|mentioned|told|spoke|suggested|set|gave|made|demanded|required|insisted|instructed|ordered|forbade|prohibited|banned|mandated)\\b|\\b(?:not|never|if|unless|until|without|n['’]t)\\s+(?:\\w+\\s+){0,3}(?:said|says|told|wrote|so)\\s[^.;!?\\n]{0,20}?\\bthe\\s+${WHO}$`,
  'i',
);

/** What says that it is a rule, not what it is about. */
const RULE_WORDS =
  /^(?:ask(?:s|ed|ing)?|request\w*|told|tell\w*|direct(?:s|ed)|urg(?:es|ed)|wish\w*|like|behest|insistence|bidding|desire\w*|suggest\w*|propos(?:es|ed)|following|accordance|response|honou?r\w*|never|always|must|rules?|polic(?:y|ies)|instruct\w*|directives?|orders?|ordered|demand\w*|mandat\w*|preferences?|prefers?|preferred|constraints?|prohibit\w*|guidelines?|conventions?|wish(?:es)?|standing|insist\w*|requir\w*|forb\w+|ban(?:s|ned)|disallow\w*|expect\w*|stipulat\w*|dictat\w*|wants?|wanted|allow\w*|permit\w*|exceptions?|circumstances|matter|every|time|times|owner|requester|according|per|request|again|only|does|did|firm\w*|strict\w*|clear\w*|explicit\w*|repeated\w*|future|forward|going|further|make|keep|use|used|using|be|work|task|stated|that|we|us)$/;
