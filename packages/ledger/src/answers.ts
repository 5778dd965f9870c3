import { isRecord, listOf, recordOf } from '@varve/guards';
import { type Input, stringIn } from '@varve/messages/tools';

/**
 * What a person answered to the questions of a call, one pair of question and answer each. What agents put around an answer is
 * taken off: quotation marks, tags, JSON. Nothing where nobody answered, whatever the result says of it.
 */
export function answersIn(input: Input, text: string): readonly (readonly [string, string])[] {
  const questions = questionsIn(input);
  const [only] = questions;
  if (only === undefined) return [];
  const found = quotedAnswers(questions, text) ??
    jsonAnswers(questions, text) ?? [[only, plain(text)] as const];
  return found
    .map(([question, answer]) => [question, answer.trim()] as const)
    .filter(([question, answer]) => isAnswer(answer, question))
    .map(([{ words }, answer]) => [words, answer] as const);
}

interface Question {
  readonly words: string;
  /** What an answer may be filed under. */
  readonly names: readonly string[];
  /** What may be picked. */
  readonly options: readonly string[];
}

type Answers = readonly (readonly [Question, string])[];

const WORDS = ['question', 'text', 'prompt'];

function questionsIn(input: Input): readonly Question[] {
  if (!Array.isArray(input.questions)) {
    const words = stringIn(input, ['question', 'prompt', 'message', 'text']);
    return words === undefined ? [] : [toQuestion(words, input, 0)];
  }
  return input.questions.flatMap((item, at) => {
    const words = isRecord(item) ? stringIn(item, WORDS) : undefined;
    return words === undefined ? [] : [toQuestion(words, recordOf(item), at)];
  });
}

function toQuestion(words: string, fields: Input, at: number): Question {
  const names = [words, fields.id, fields.header, fields.name, fields.key, String(at)];
  const given = [...listOf(fields.options), ...listOf(fields.choices), ...listOf(fields.follow_up)];
  const options = given.map((option) =>
    typeof option === 'string' ? option : stringIn(recordOf(option), ['label', 'value', 'text']),
  );
  return {
    words,
    names: names.filter((name) => typeof name === 'string'),
    options: options.flatMap((option) => option?.toLowerCase() ?? []),
  };
}

/** `"Which one?"="This one"`, for each question that was answered. */
function quotedAnswers(questions: readonly Question[], text: string): Answers | undefined {
  const found = questions.flatMap((question) => {
    const opening = `"${question.words}"="`;
    const start = text.indexOf(opening);
    if (start === -1) return [];
    const from = start + opening.length;
    const end = text.slice(from).search(/"(?:, "|\.|\s|,|$)/);
    return [[question, end === -1 ? text.slice(from) : text.slice(from, from + end)] as const];
  });
  return found.length === 0 ? undefined : found;
}

/** An object that files answers under the id, the header, the words or the number of each question. */
function jsonAnswers(questions: readonly Question[], text: string): Answers | undefined {
  const read = parsed(text.trim()) ?? parsed(plain(text).trim());
  if (read === undefined) return undefined;
  const filed = read.answers ?? read.responses ?? read;
  if (Array.isArray(filed)) {
    return questions.map((question, at) => [question, answerOf(filed[at])] as const);
  }
  const fields = recordOf(filed);
  const found = questions.flatMap((question) => {
    const name = question.names.find((each) => Object.hasOwn(fields, each));
    return name === undefined ? [] : [[question, answerOf(fields[name])] as const];
  });
  const [only] = questions;
  if (found.length > 0 || only === undefined) return found;
  return [[only, ANSWERS.some((name) => name in read) ? answerOf(read) : '']];
}

function parsed(text: string): Input | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Fields in which an answer stands; more than one may hold a part of it. */
const ANSWERS = ['answers', 'answer', 'selected', 'value', 'response', 'text', 'label', 'freeText'];

function answerOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (depth === MOST_DEPTH) return '';
  if (Array.isArray(value)) return joined(value.map((each) => answerOf(each, depth + 1)));
  if (!isRecord(value) || UNANSWERED.some((name) => value[name] === true)) return '';
  return joined(ANSWERS.map((name) => answerOf(value[name], depth + 1)));
}

/** An answer in a list in a field is the deepest that is known. */
const MOST_DEPTH = 4;

const UNANSWERED = ['skipped', 'dismissed', 'cancelled', 'canceled', 'timedOut', 'timed_out'];

const joined = (parts: readonly string[]): string =>
  parts.filter((part) => part.trim() !== '').join('; ');

/** A result without what leads to the answer, and without the tags around it. */
function plain(text: string): string {
  const opening = TAG.exec(text) ?? ANY_TAG.exec(text);
  if (opening === null) return text.replace(LEAD, '');
  const from = opening.index + opening[0].length;
  const end = text.indexOf(`</${opening[1]}>`, from);
  return end === -1 ? text.replace(LEAD, '') : text.slice(from, end);
}

/** A tag that says what it holds, wherever it stands, or any in front of everything. */
const TAG = /<((?:user_)?(?:answer|response|reply|message))>/i;
const ANY_TAG = /^\s*<([a-z][\w-]{0,40})>/i;
const LEAD =
  /^\s*(?:(?:The )?User(?: has)? (?:responded|answered|selected|chose|said|replied)(?: your questions?)?|(?:Your questions have been|Answers?)(?: answered)?)\s*:?\s*/i;

/** UTF-16 units: a remark that nobody answered says so at its beginning. */
const MOST_READ = 300;

/** Something was said, and it is no remark of the agent that nothing was: an option that was offered is always an answer. */
function isAnswer(answer: string, { options }: Question): boolean {
  if (options.includes(answer.toLowerCase())) return true;
  if (!/[\p{L}\p{N}\p{So}]/u.test(answer)) return false;
  const bare = answer.slice(0, MOST_READ).replace(/^[\s("'[<*_-]+|[\s)"'\]>*_.!-]+$/g, '');
  return !isRemark(answer) && !NOBODY.test(bare);
}

/** Whole in brackets, and more than the letter of an option. */
const isRemark = (answer: string): boolean =>
  /^(?:\([^()]{4,}\)|\[[^[\]]{4,}\]|<[^<>]{4,}>)[.!]?$/.test(answer);

const ENDED = '(?:timed?[ -]?out|expired|dismissed|skipped|cancell?ed|aborted|unanswered|ignored)';
const WHO =
  '(?:(?:the|your|this|that|a|any)\\s+)?(?:user|human|person|operator|customer|questions?|prompts?|request|dialog|form|input|answer|response|reply|selection|it|they)';

/** How agents say that nobody answered. What a person says of something else goes on in another way: `skipped tests stay`. */
const NOBODY = new RegExp(
  [
    String.raw`^(?:(?:error|note|warning|status|result)\s*:\s*)?(?:`,
    [
      String.raw`(?:${WHO}\b(?:\s+(?:has|have|had|was|were|is|are|been|got|just))*\s+(?:${ENDED}|closed|left|away|offline|absent|idle|unavailable|declined to|refused to|chose not to|never (?:answered|responded|replied))\b)`,
      String.raw`(?:${ENDED}(?=$|[.,;:!)]|\s+(?:by|after|while|waiting|for|without|before|due|because|in|at|and|with|[—–-])(?:\s|$)))`,
      String.raw`(?:${WHO}\b\s+(?:did|does|do|has|have|is|was|were|could|can|will)(?:\s+not|n['’]t)\s+(?:\w+\s+)?(?:answer\w*|respond\w*|repl(?:y|ied)|available|present|there|reach\w*|made? a (?:choice|selection)|(?:cho[os]se\w*|select\w*|pick\w*|provided?|g[ia]ven?|enter\w*|submit\w*)(?=$|[.,;:!]|\s+(?:an?|any\w*|one)\b))\b)`,
      String.raw`(?:(?:there (?:was|is) |received |got )?no (?:user |human )?(?:answers?|response|reply|input|selection|user|human|person)(?=$|[.,;:!)]|\s+(?:was|were|is|has|within|in|after|from|yet|received|given|provided|selected|available|present|to|before|[—–-])(?:\s|$)))`,
      String.raw`(?:nobody|no[ -]one)\s+(?:\w+\s+)?(?:answer\w*|respond\w*|repli\w*|available|there|present)\b`,
      String.raw`(?:gave up |stopped |still )?waiting for (?:an? |the |your )?(?:answer|response|reply|input|user)\b`,
      String.raw`(?:not|never) (?:yet )?answered\b`,
      String.raw`(?:left|is|was) (?:blank|empty|unanswered)\b`,
      String.raw`(?:this is an? |in )?(?:non-?interactive|headless|unattended)\b`,
      '(?:null|undefined|pending)$',
    ].join('|'),
    ')',
  ].join(''),
  'i',
);
