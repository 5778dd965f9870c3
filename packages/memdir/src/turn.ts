import { foldText } from './fold.ts';

/** What a turn of the user asks of recall. */
export type TurnKind = 'search' | 'nothing-to-search' | 'forget';

/** `go on`, `ok`, `thanks` and the like, in the languages that are met most. */
const GOING_ON = new Set(
  `go on ok okay k kk yes yep yeah yup no nope sure fine good great nice perfect cool thanks thank thx ty you continue proceed next
  done right correct agreed ahead please do it that now and then again more keep going alright lgtm
  ja nein gut danke weiter bitte mach oui non merci continue vas y d'accord sí si no gracias sigue vale claro sim não obrigado
  hai はい うん ok了 続けて 続けてください ありがとう 了解 好 好的 是 是的 对 继续 谢谢 可以 行 嗯 네 예 응 계속 감사 감사합니다 да нет спасибо дальше продолжай tak nie dzięki ano ne díky`.split(
    /\s+/,
  ),
);

export function turnKind(text: string): TurnKind {
  const words = foldText(text)
    .split(/[^\p{L}\p{N}'’]+/u)
    .filter((word) => word !== '');
  if (words.every((word) => GOING_ON.has(word))) return 'nothing-to-search';
  return asksToForget(text) ? 'forget' : 'search';
}

/** What may stand between a verb and what it is about. */
const NEAR = String.raw`[^.!?\n]{0,60}?`;
/** Where a model keeps what it was told. */
const YOURS = String.raw`\byour (?:\w+ )?(?:memor(?:y|ies)|notes?|records?|head|mind|brain|storage)\b`;
/** What a program has, and no person has told. */
const PART = String.raw`\s+(?:columns?|fields?|tables?|rows?|keys?|inputs?|labels?|forms?|checks?|tests?|validat\w+|parser|regex|pattern|class|types?|variables?|functions?|branch|leaks?|caches?|usage|limits?|allocat\w+|pools?|pages?|buffers?|maps?|mapped|blocks?|address(?:es)?|barriers?|footprint|profil\w+)\b`;
const PRIVATE = `(?:phone|mobile|number|address|e-?mail|name|birthday|birth date|age|salary|health|illness|diagnosis|family|wife|husband|partner|children|location|password|preferences?)`;
/** `the number you saved`, and no file that was put somewhere. */
const YOU_KEPT = String.raw`(?<!\b(?:files?|folders?|director(?:y|ies)|scripts?|branch(?:es)?|screenshots?|images?|copy|copies|backups?|logs?|reports?|code|results?|output|tests?)(?: that| which)?) you(?:'ve| have| had|'d)?(?: just| once| already)? (?:saved?|stored?|noted|kept|keep|remember(?:ed)?|memori[sz]ed|learn(?:ed|t)|wrote down|written down|know|have (?:on|about))\b(?! (?:it |them )?(?:in|into|to|at|under|as)\b(?! (?:your|memory)\b))`;
/** What a memory holds, so that taking it away is forgetting. */
const KEPT = String.raw`(?:(?<!in-)\bmemor(?:y|ies)\b(?!${PART})|${YOURS}|\b(?:what|everything|anything|all|that) you(?:'ve| have)? (?:know|remember|saved?|stored?|noted|kept|learn(?:ed|t))|${YOU_KEPT}|\babout me\b|\bmy (?:\w+ ){0,2}${PRIVATE}\b(?!(?: \w+)?${PART}))`;
/** To take something away, as a request or as what somebody would mind. */
const REMOVE =
  '(?:(?:delet|remov|eras|wip|purg|expung|nuk)(?:e|ing)|drop(?:ping)?|scrub(?:bing)?|(?:clear|discard|ditch|dump|unlearn)(?:ing)?|get(?:ting)? rid of|do(?:ing)? away with|throw(?:ing)? (?:away|out)|let(?:ting)? go of)';
const GONE =
  '(?:gone|forgotten|deleted|removed|erased|wiped|dropped|cleared|purged|scrubbed|discarded|expunged|out of|taken out|thrown (?:away|out))';
const WISHES =
  "(?:i(?:'d| would)? (?:want|like|need|prefer|love|wish|have)|i'd rather|i want|let's (?:have|get)|(?:could|can|may) (?:i|we) (?:have|get)|(?:you|we) (?:have|get)|should|must|ought to|needs? to|has to|have to|please (?:have|get|make sure)|can|could)";
const REMEMBER =
  '(?:remember|keep|store|save|retain|memori[sz]e|hold on ?to|hang on ?to|know|have)';

const FORGETS: readonly RegExp[] = [
  new RegExp(String.raw`\b${REMOVE}\b${NEAR}${KEPT}`, 'i'),
  new RegExp(
    String.raw`\b(?:take|taking|leave|leaving|keep|strike)\b${NEAR}\b(?:out of|off|from)\b ${YOURS}`,
    'i',
  ),
  // I want it gone from your memory; my number should be deleted
  new RegExp(String.raw`\b${WISHES}\b${NEAR}\b${GONE}\b${NEAR}${YOURS}`, 'i'),
  new RegExp(
    String.raw`\b${WISHES}\b${NEAR}(?:\bmy (?:\w+ ){0,2}${PRIVATE}\b(?!(?: \w+)?${PART})|${YOU_KEPT})${NEAR}\b${GONE}\b`,
    'i',
  ),
  new RegExp(
    String.raw`(?:\bmy (?:\w+ ){0,2}${PRIVATE}\b(?!(?: \w+)?${PART})|${YOU_KEPT})${NEAR}\b(?:should|must|has to|have to|needs? to|ought to|can|could) (?:just |please )?(?:go\b|be ${GONE}\b)`,
    'i',
  ),
  /\b(?:would|do|if) you (?:don't )?mind (?:just )?forgetting\b|\b(?:how about|consider|start|try) (?:you )?forgetting\b|\b(?:rather|if|wish|that) you(?:'d| would)? (?:just |please )?forgot\b|\b(?:should|must|want|like|needs? to|please|can) (?:\w+ ){0,6}(?:be )?forgotten\b/i,
  /\b(?:stop|quit|no longer|not any ?more)\b[^.!?\n]{0,30}?\b(?:remember|memoriz|memoris|keep(?:ing)? in mind)/i,
  /\b(?:do not|don['’]?t|never|shouldn['’]?t|should not|needn['’]?t|must not|mustn['’]?t|not want you to|n['’]t want you to)\b (?:\w+ ){0,2}?(?:remember|keep|store|save|retain|memorize|memorise)\b(?! to\b)[^.!?\n]{0,30}?\b(?:my|me|i|that i)\b/i,
  new RegExp(
    String.raw`\b(?:no longer want|(?:not|n't) want|(?:rather|prefer|wish)(?: that| it if)?) you (?:to|didn't|did not|wouldn't|not|no longer|stopped) ?(?:\w+ )?${REMEMBER}(?:ing)?\b${NEAR}(?:\bmy\b|\bme\b|${YOURS})`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:do not|don't|never|no (?:need|reason)(?: for you)? to|should not|shouldn't|must not|mustn't)\b (?:\w+ )?(?:remember|keep|store|save|retain|memori[sz]e|hold on ?to|hang on ?to)\b(?:${NEAR}${YOURS}|[^.!?\n]{0,30}?\bmy (?:\w+ ){0,2}${PRIVATE}\b(?!(?: \w+)?${PART})|[^.!?\n]{0,40}?\b(?:on (?:record|file)|about me)\b)`,
    'i',
  ),
  // German, French, Spanish, Portuguese, Italian, Dutch, Polish, Czech, Russian
  /\b(?:vergiss|vergesst|vergessen (?:sie|wir)|(?:könntest|kannst|würdest|könnten|können|bitte)[^.!?\n]{0,60}\bvergessen)\b/i,
  /\b(?:lösch|entfern|streich)\w*\b[^.!?\n]{0,60}\b(?:gedächtnis|erinnerung|gemerkt|über mich|meine?n? (?:\w+ )?(?:telefon\w*|nummer|adresse|namen?|geburtstag|e-?mail))/i,
  /\b(?:oublie[sz]?|oublier)\b/i,
  /\b(?:efface|supprime|enlève|retire)[rz]?\b[^.!?\n]{0,60}\b(?:mémoire|souvenir|sur moi|mon (?:numéro|nom|adresse|âge)|ma (?:date|famille))/i,
  /\b(?:olvida|olvides|olvidar|olvide|olvídate|olvidarte|esque[cç]a|esquece|esquecer|dimentica|dimenticare|vergeet|zapomnij|zapomeň|zapomenout)(?![\p{L}])/iu,
  /\b(?:borra|elimina|apaga|cancella|quita)[r]?\b[^.!?\n]{0,60}\b(?:memoria|memória|recuerdos?|de mí|sobre mí|sobre mim|su di me|mi (?:número|nombre|dirección)|meu (?:número|nome)|il mio)/i,
  /(?:забудь|забыть|(?:удали|сотри)[^.!?\n]{0,40}(?:памят|обо мне|мой|мою|моё))/i,
  // Japanese, Chinese, Korean
  /(?:忘れて|忘れてください|(?:記憶|メモリ|私の)[^。！？\n]{0,20}(?:削除|消し))/,
  /(?:忘掉|忘记(?:我|关于|掉|这|那)|忘了(?:我|关于|这|那)|(?:删除|删掉|清除)[^。！？\n]{0,20}(?:记忆|关于我|我的(?:电话|号码|地址|名字|生日)))/,
  /(?:잊어|(?:기억|메모리|내 (?:전화|번호|이름|주소))[^.!?\n]{0,20}(?:삭제|지워))/,
];

/** A reminder: `do not forget`, and the same in other languages. */
const REMINDERS: readonly RegExp[] = [
  /\b(?:do not|don['’]?t|never|won['’]?t|not|let['’]?s not|without|cannot|can['’]?t)\b(?: \w+){0,2}? forget/i,
  /\b(?:vergiss|vergesst)\b(?: \w+)? nicht\b|\bnicht (?:zu )?vergessen/i,
  /\bn['’]?oublie\w*|\bne (?:pas )?oublie\w*/i,
  /\bno (?:te |se |me )?olvid|\bnão (?:se |me )?esque[cç]|\bnon dimenticare|\bniet vergeten|\bnie zapomnij|\bnezapomeň/i,
  /не забудь|忘れないで|别忘|不要忘|不能忘|잊지/,
];

/** A question in the negative: `can't you forget it?` asks to forget. */
const NEGATED_REQUEST =
  /\b(?:can['’]?t|couldn['’]?t|won['’]?t|why don['’]?t|don['’]?t) (?:you|we)\b[^.!?\n]{0,20}\bforget\b/i;
const FORGET = /\bforget\b/i;
/** What a person forgets is no wish, and what is left to itself is no memory. */
const OWN_FORGETTING =
  /\b(?:i|we|they|people|users|developers|always|often|sometimes|easily|to not)(?:['’]ll|['’]d)? (?:always |often |sometimes |easily |might |will |would |may )?forget\b|\bforget(?:-|\s)me(?:-|\s)not\b|\b(?:fire|set|plug|launch|send)(?: it)?(?:-|\s)and(?:-|\s)forget\b/i;

/** Whether a turn asks that something is no longer remembered, in whatever manner it asks. */
export function asksToForget(text: string): boolean {
  const turn = text.normalize('NFC').replaceAll('’', "'");
  if (NEGATED_REQUEST.test(turn)) return true;
  if (
    FORGET.test(turn) &&
    !REMINDERS.some((pattern) => pattern.test(turn)) &&
    !OWN_FORGETTING.test(turn)
  ) {
    return true;
  }
  return (
    FORGETS.some((pattern) => pattern.test(turn)) &&
    !REMINDERS.slice(1).some((pattern) => pattern.test(turn))
  );
}
