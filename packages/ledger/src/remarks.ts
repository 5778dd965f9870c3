/**
 * Words that set a rule elsewhere and none where they stand: what is told of how things are, what somebody feels or supposes, a
 * question without its mark, a purpose.
 */
const REMARKS: readonly RegExp[] = [
  clause(String.raw`\bconsider whether\b`),
  // what a tool prints; what may be so, or cannot
  clause(String.raw`^[×✗✓]? ?no [^.;]{0,40}\b(?:found|applied|matched|reported)\b`),
  /\bmaybe not\b|\b\p{L}+ed can['’]?t be\b/giu,
  /^i (?:like (?:the|that|it|how)|guess|don['’]?t know|do not know)\b[^.;]*/gi,
  /\b(?:we|you|i|one) could\b[^.;]*/gi,
  // you can use, to use, transcripts use; use that, when you are there
  /\b(?:you can (?:always |also )?|(?<!have )(?<!need )(?<!want you )(?<!sure )to |(?!(?<=\b(?:you|we|to) )always\b)\p{L}{3,}s )use\b|\buse (?:that|it|this|these|them),/giu,
  // I don't suppose, events don't have; if you don't mind; you don't have to do this
  /\b(?:i|they|he|she|it|that|this|those|these|which|who|[\p{L}_]{2,}s)\s+(?:really |just |still |also |even )?(?:don['’]?t|do not)\s+(?!want\b|need\b|like\b|allow|ever\b)\w+/giu,
  /\b(?:if|unless|when|since|because|as|although|though|where)\s+(?:you|we|i)\b[^,.;:]{0,40}?\b(?:don['’]?t|do not)\s+\w+/gi,
  /\bi don['’]?t want to \w+ you\b|\byou don['’]?t have to do (?:this|that|it)\b|\bdon['’]?t (?:really|actually|even) (?:care|mind|know|think|see)\b/gi,
  // it is always so; it was never shown; users will always
  /\b(?:is|are|was|were|been|has|have|had|it|that|this|they|he|she|also|can|could|almost|seems?|i|\p{L}+s will|i['’](?:m|ve|d)|it['’]s)\s+(?:also |almost |still )?(?:always|never)\b|\balways-/giu,
  /\bnever\s+(?!(?:committed|merged|open|listen|embed|feed|proceed|exceed|shorten|widen|seed)\b)(?:\p{L}+(?:ed|wn|en)|got|had|was|were|did|been|ran|saw)\b/giu,
  /\b(?:the|an?|my|your|is|are|was|were|has|have|had|i['’]ve|it['’]s|not|if|were|being)\s+only\b|\bonly (?:recently|just now|thing|one|real|way|reason|problem|issue|downside)\b/gi,
  // it should have been; whether it should be; it should be recorded
  /\bshould(?:n['’]?t)?(?: not)? have (?:been|\p{L}+ed|done|had|gone)\b/giu,
  /\b(?:if|whether)\b[^,.;:]{0,80}?\b(?:should(?:n['’]?t)?|needs? to|has to|have to|must)\s+\w+/gi,
  /\bshould (?:also )?be (?:in|recorded|updated|closed|able|fixed|added|removed|\d+)\b/gi,
  /\bneed(?:s|ed)? to be able to\b|\bshould have a (?:look|chat|think|go)\b|\b(?:which|so (?:it|this|that|they)) may not\b/gi,
  /\byou(?:['’]d| would)? prefer\b|\b(?!(?<=\b(?:you|we|to) )always\b)\p{L}{3,}s prefer\b/giu,
  /\b(?:to ensure|can remember|(?:i|you|we) remember|do you remember)\b/gi,
  /\bi (?:really |just |do )?love\b|\bno love\b/gi,
  /(?:['’]s|\b(?:is|was|are|were|has been|have been)) no longer\b/gi,
  // what it is for, and what comes of it: so that you can be sure, to avoid a second look
  clause(String.raw`(?:\bso that|(?<!^)\bso) (?:i|we|you|they|it|he|she)\b`),
  /(?<!\bwant )(?<!\bneed )(?<!\blike )(?<!\bhave )\bto (?:avoid|prevent)\b/gi,
  // what was seen, and what was expected of what fails
  clause(String.raw`\bi(?:['’](?:m|ve))?(?: also| just)? (?:notic\w*|see|saw|seeing|seen|found)\b`),
  clause(String.raw`\b(?:expected|actual) (?:output|result|behaviou?r|value)s?\b`),
  clause(String.raw`\bthe (?:issue|problem|bug|cause|reason) (?:is|was)\b`),
  // what something does not do any more, as it is told of things and not asked of them
  /(?<!\b(?:should|must|shall|may|can|will|do|we|you|to) )(?<!^)\bno longer \p{L}+/giu,
  // what is so of a thing: which may have to be, where it should go
  /\b(?:(?<!\balso )(?:that|which)|(?:where|how|what|who)\b[^,.;:]{0,60}) (?:should|needs? to|has to|have to|must)\b(?! (?:not|never|always|only)\b)[^,.;:]*/gi,
  // a part of a name; what only happens
  /\b[\p{L}\d/]+-only\b|\b(?:i|we|you|they|it)['’](?:ll|re|s) only\b|\bonly \p{L}{3,}s\b(?= the| an?\b)/giu,
  // what is left to who reads it
  /\b(?:all|any|every|whatever|each)\b[^,.;]{0,40}\byou (?:need|want|(?:would |['’]d )?like|wish)\b|\byou (?:don['’]?t|do not) (?:need|have) to be\b/gi,
  // where everything of a kind is looked at, and nothing is said of it
  /\b(?:check|review|investigate|find|see|look at|rank|list|audit|analy[sz]e) (?:every|each|all|any)\b/gi,
];

const TOLD = String.raw`never (?:(?:mind|the|did|had|got|was|were|been|ran|saw)\b|(?!(?:open|listen|embed|feed|proceed|exceed|shorten|widen|seed|bring|string)\b)\p{L}+(?:ed|wn|en|ing)\b)|always (?:\p{L}+[^s]s|the|been)\b|(?:do not|don['’]?t) (?:know|think|see|understand|get (?:it|why)|care|mind|remember|have|need|want|like|worry|really|actually|even|you|we)\b`;
/** A command or a prohibition, where one begins: what stands around it may be a remark, it is none. */
const COMMAND = new RegExp(
  [
    // at the start of a clause
    String.raw`(?:^|[,;:–—(!]\s*|\s-+\s|(?<!\bwhere (?:i|we|you)\b[^,;:]{0,80})\b(?:and|but|so|then|or|therefore) )(?:(?:also|please|just|so|and|but|then|now) ){0,3}(?:must (?:not|never|always)\b|(?!${TOLD})(?:never|always|do not|don['’]?t) \p{L})`,
    String.raw`\b(?:you|we) (?:must|mustn['’]t|(?:shall|may|can) never|may only)\b|\b(?:must|should) (?:never|always)\b(?! (?:happen|occur)\b)`,
    // behind where or when, without a comma
    String.raw`^(?:in|on|for|with|within|during|after|before|from|(?:when|if|while|once) (?:you|we)) (?:[^\s,;:]+ ){1,4}(?<!\b(?:i|we|you|they|it|these|those|which|who|to) )(?!${TOLD})(?:never|always|do not|don['’]?t) \p{L}`,
  ].join('|'),
  'iu',
);

/**
 * Words and the rest of their clause, up to where another begins or something is commanded: only as much as is a remark.
 */
function clause(words: string): RegExp {
  return new RegExp(
    String.raw`${words}(?:(?!\s-+\s|\b(?:never|always|must|(?:do not|don['’]?t)(?! (?:need|have|want)\b))\b)(?:[^,;:–—]|,(?= (?:which|not)\b)))*`,
    'giu',
  );
}

/** What a person wants to have done or to have, and no more. */
const WISH =
  /\bi(?:['’]d| would)? (?:also |really |just )?(?:like|want|need|expect)\b(?= (?:(?:you|us|it|them) )?to\b| (?:an?|some|\d)\b|.{80})(?![^.;]{0,160}\b(?:not?|never|always|only|instead|every|each|without|than|less|avoid|exactly|must|should|don['’]?t|as little|at (?:least|most))\b)/gi;

/** A word that takes something back; behind it stands what holds, in a few words or said as such. */
const TAKES_BACK =
  /^(?:(?:no|nope|actually|wait|never ?mind|scratch that|hang on|sorry|i mean)\b[,.!:; -]*)+/i;
const SAYS_WHAT =
  /\b(?:not|instead|should|must|use|using|keep|remove|undo|revert|rename|put|make|change|set|add|take|leave|go back|only|rather|want|need|prefer|stop \p{L}+ing|skip|correction|meant)\b|\b(?:must|should)n['’]?t\b|(?:^|[,;:.]\s?|\b(?:please|we|you|and|but)\s)don['’]?t\b|\d/iu;
const FEW = 60;
const LOOKS_FINE =
  /\b(?:looks?|is|it['’]s|that['’]s|seems?) (?:ok(?:ay)?|fine|good|great|right|correct)\b/i;

/** Such a question is a request: what it says of how is a part of it. */
const ASKED =
  /^(?:and |but |so |also |please |now |ok(?:ay)?,? |yes,? )*(?:can|could|would|will) (?:you|we)\b/i;
const WONDERS =
  /\b(?:do you (?:have|know|think)|did you|are you|the question is|what if|how about)\b/i;
const STANDING = /\b(?:never|always|must|from now on|only|don['’]?t ever)\b/i;

/** That something is not right, and no word of what would be. */
const ONLY_WRONG =
  /^(?:(?:no|nope|wait|actually|sorry|well|hm+)\b[,.!: -]*)*(?:that|this|it)(?:['’]s| is| was|s)?(?: just| still)? (?:not )?(?:it|that|this|horrible|terrible|bad|ugly|awful|weird|what i (?:asked|meant|said|wanted)(?: (?:you )?(?:to do|for))?)[.!]*$/i;

/** A sentence without what only sounds like a rule in it; empty where nothing else is said. */
export function withoutRemarks(sentence: string): string {
  if (COMMAND.test(sentence) && !(WONDERS.test(sentence) && sentence.endsWith('?')))
    return sentence;
  const rest = sentence.replace(TAKES_BACK, '');
  if (rest !== sentence) {
    if (!/\p{L}|\d/u.test(rest) || LOOKS_FINE.test(rest)) return '';
    if (rest.length > FEW && !SAYS_WHAT.test(rest)) return '';
  }
  if (WONDERS.test(sentence) || ONLY_WRONG.test(sentence)) return '';
  let left = sentence;
  for (const shape of REMARKS) left = left.replace(shape, '');
  left = left.replace(WISH, '').trim();
  return ASKED.test(rest) && !STANDING.test(left) ? '' : left;
}
