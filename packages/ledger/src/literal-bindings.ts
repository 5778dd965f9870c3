/** A name and the value that a text gives it. */
interface Binding {
  /** Lower case, single spaces. */
  readonly key: string;
  readonly value: string;
}

const NAME = String.raw`((?:[\p{L}_][\p{L}\d_.-]*\s+){0,3}[\p{L}_][\p{L}\d_.-]*)`;
const ADDRESS = String.raw`\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\p{L}\d_.-]*[\p{L}\d_-])`;
const NUMBER = String.raw`[vV]?\d[\d_,]*(?:\.\d+)*(?:\s?(?:%|ms|s|sec|seconds|min|minutes|h|hours|days|kb|mb|gb|kib|mib|gib|bytes|tokens|k|m|x|px|req/s|rps))?(?![\p{L}\d_-])`;
const VALUE = String.raw`(${ADDRESS}|${NUMBER}|[\x60"'][^\x60"'\n]{1,60}[\x60"']|[\p{L}][\p{L}_]*[/.:\d_-][\p{L}\d_./:-]*[\p{L}\d])`;
const LINKS = String.raw`(?:\s+(?:is|are|was|be|to|equals|becomes)(?:\s+(?:now|set to|at|exactly|always|still))?|\s*(?:=|:|→|->))`;

const STATED = new RegExp(String.raw`(?:^|[\s(\x60"'])${NAME}${LINKS}\s*${VALUE}`, 'giu');
const ADJACENT =
  /\b(ports?|versions?|node|python|timeout|limit|budget|retries|attempts|workers|threads|batch size|page size)\s+(?:of\s+|to\s+)?(v?\d[\d._]*(?:\s?(?:ms|s|mb|gb))?)(?![\w-])/giu;
const ENVIRONMENT =
  /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)=("[^"\n]{1,80}"|'[^'\n]{1,80}'|[^\s"'`;&|)]{1,80})/g;

/** Names with their values in a line of prose or output: `the cache size is 8`, `port 4021`, `RETRIES=3`. */
export function bindingsOf(text: string): Binding[] {
  const found = new Map<string, string>();
  const add = (name: string | undefined, value: string | undefined): void => {
    const key = name === undefined ? '' : plainName(name);
    const plain = plainValue(value ?? '');
    if (key !== '' && plain !== '') found.set(key, plain);
  };
  for (const shape of [STATED, ADJACENT]) {
    for (const match of text.matchAll(shape)) {
      if (!isDenied(text, match)) add(ownName(match), match[2]);
    }
  }
  for (const [, name, value] of text.matchAll(ENVIRONMENT)) add(name, value);
  return [...found].map(([key, value]) => ({ key, value }));
}

/** With a sign right behind it a name is one word: `run A_B=3` names no `run a_b`. */
function ownName([found, name = '']: RegExpExecArray): string {
  return found.includes(`${name}=`) ? (name.split(/\s+/).at(-1) ?? name) : name;
}

/** `must not listen on port 5747`, `instead of port 8080`: what is ruled out is nobody's value. */
function isDenied(text: string, { index, 0: found, 2: value = '' }: RegExpExecArray): boolean {
  const until = text.slice(0, index + found.length - value.length);
  const clause = until.split(/[,;!?:]|\.\s|\b(?:but|sondern)\b/i).at(-1) ?? '';
  return DENIAL.test(clause);
}

const DENIAL =
  /\b(?:never|not|cannot|avoid|no longer|instead of|rather than|except|unless)\b|n['’]t\b/i;

/** Words that lead into a name without being part of it. */
const LEAD =
  /^(?:(?:the|a|an|our|your|my|its|this|that|and|but|so|set|change|use|make|put|keep|let|please|now|should|must|we|i|it|of|for|with|then|actually|always|only|just|still|correction|no|from|on|in|at|on|by|has|have|new|need|want|needs|wants)\s+)+/i;
const TAIL = /\s+(?:should|must|will|would|can|has|have|needs|need|to|now|value)$/i;
/** A pronoun or a verb names nothing. */
const EMPTY =
  /^(?:it|this|that|there|here|what|which|who|they|he|she|we|you|i|is|are|be|set|the|answer|and|or|then|to|e|http|https|localhost|one|both|all|some|none|.*\b(?:said|above|below|step|option|phase|point|item|following|example))$/;

function plainName(name: string): string {
  let key = name.toLowerCase().replace(/\s+/g, ' ').trim();
  key = key.replace(LEAD, '');
  while (TAIL.test(key)) key = key.replace(TAIL, '');
  return EMPTY.test(key) || key.length < 2 || /[.!?]\s/.test(key)
    ? ''
    : key.replace(/^ports$/, 'port');
}

function plainValue(value: string): string {
  return value.replace(/^[`"']|[`"']$/g, '').replace(/[.,:]+$/, '');
}
