/**
 * Words by which people say what holds from now on, or that something was wrong. The strong ones make a rule wherever they
 * stand; the soft ones count in what was typed, not deep inside of what was pasted.
 */
export const STRONG_CUES: RegExp = new RegExp(
  [
    String.raw`\b(?:never|always|don['’]?t ever|under no circumstances|at all times|no matter what)\b`,
    String.raw`\b(?:must|must not|mustn['’]t|may not|shall not|forbidden|prohibited|off[- ]limits|not allowed|mandatory)\b`,
    String.raw`\b(?:do not|don['’]?t|cannot be|can['’]?t be)\s+(?!know\b|think\b|see\b|understand\b|get (?:it|why)\b|care\b|mind\b|remember\b)[a-z]`,
    String.raw`\b(?:from now on|going forward|from here on|for the rest of|as a rule|in the future)\b`,
    // German, French, Spanish, Italian, Portuguese: never, always, only, must not, from now on
    String.raw`\b(?:niemals|nie wieder|auf keinen fall|immer nur|ab jetzt|ab sofort|nicht mehr|verboten|jamais|toujours|désormais|interdit|nunca|jamás|siempre|a partir de ahora|prohibido|mai più|d['’]ora in poi|sempre|a partir de agora)(?![\p{L}])`,
    '(?:绝不|不要|必须|始终|禁止|永远|从现在起|絶対に|必ず|決して|常に|禁止|今後は)',
  ].join('|'),
  'iu',
);

export const SOFT_CUES: RegExp = new RegExp(
  [
    String.raw`\b(?:only|instead|rather than|prefer|avoid|make sure|be sure|ensure|remember|keep in mind|note that|stick (?:to|with)|no need (?:to|for)|leave .{1,40} (?:alone|as[- ]is|untouched))\b`,
    String.raw`\b(?:should(?:n['’]t)?|ought to|has to|have to|needs? to)\s+(?:not\s+)?(?:be|use|keep|stay|have|go|run|come|return|live|contain|include|match|follow|work)\b`,
    String.raw`\b(?:I(?:['’]d| would)? (?:like|want|prefer|expect|need))\b(?=.{3})`,
    String.raw`\b(?:not \S+(?: \S+){0,3},? but|use \S+(?: \S+){0,2},? not|\S+ not \S+$)`,
    String.raw`\b(?:stop|quit) [a-z]+ing\b|\bno more\b|\bno longer\b|\bwithout (?:any|a|the|[a-z]+ing)\b`,
    // what holds of everything of a kind
    String.raw`\b(?:every|each|all|any|no)\b.{1,60}\b(?:needs?|requires?|stays?|gets?|goes|go|starts?|started|ends?)\b|\bwhenever\b|\b(?:every|each) time\b`,
    String.raw`^(?:please )?(?:begin|end|start|finish|prefix|sign) (?:each|every|all|your)\b`,
    // how things are to be done
    String.raw`\b(?:keep|treat)\s+(?!going\b|on\b|it up\b)\S+.{3}|\buse\s+\S+(?: \S+){0,4}? (?:for|in|when|as)\b|\bfor [^,]{1,40}, (?:use|prefer|write|run)\b`,
    String.raw`\b(?:respond|reply|answer|write|speak|talk) (?:only )?in\b|\bask (?:me )?(?:before|first)\b|\b(?:check|confirm) with me\b`,
    String.raw`\b(?:refrain from|let['’]?s not|I (?:hate|love|dislike)|it(?: would|['’]d) be (?:great|nice|good|better) if)\b|, not (?:in |on |by |with |the )?\S+`,
    String.raw`\b(?:nur|stattdessen|bitte nicht|kein(?:e[nr]?)? |seulement|plutôt|pas de|sólo|solo|en vez de|en lugar de|invece|somente|em vez de)(?![\p{L}])`,
    '(?:只能|而不是|请勿|だけ|代わりに|しないで)',
  ].join('|'),
  'iu',
);

/** The person takes back or puts right what was said or done before. */
export const CORRECTION_CUES: RegExp =
  /^(?:no\b[,.: ]|nope\b|wrong\b|correction\b|actually\b|wait\b|not (?:that|this|what|like|just|the)\b|undo\b|revert\b|nein\b|non\b[, ])|\b(?:I (?:meant|mean|said|didn['’]?t (?:ask|say|tell|want|mean))|that['’]?s (?:wrong|not (?:right|what|how|correct))|correction|is wrong|was wrong|changed my mind|scratch that|never ?mind)\b/i;
