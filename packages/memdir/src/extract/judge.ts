import { corrects } from '../evidence/corrections.ts';
import { type DatedText, dateProblem } from '../evidence/dates.ts';
import { MOST_QUOTE_CHARS, quoteProblem } from '../evidence/quotes.ts';
import { type ShownProblem, shownProblem } from '../evidence/shown.ts';
import { lostSpecifics } from '../evidence/specifics.ts';
import { statementKey, statementsOf } from '../evidence/statements.ts';
import type { ReadMemory } from '../memory-file.ts';
import { formHashes } from '../tombstones.ts';
import { asksToForget } from '../turn.ts';
import type { ExtractionRefusal, HoldReason } from './event.ts';
import type { SaidText } from './origins.ts';
import { isSource, promptTexts } from './prompt.ts';
import type { Claim } from './proposal.ts';
import type { SessionWords } from './session-words.ts';

export type Verdict =
  | { readonly kind: 'taken'; readonly liftsTombstone: boolean }
  | { readonly kind: 'held'; readonly reason: HoldReason; readonly message: string }
  | { readonly kind: 'refused'; readonly reason: ExtractionRefusal; readonly message: string };

export interface JudgeOptions {
  /** The new messages, secrets taken out. */
  readonly said: readonly SaidText[];
  readonly words: SessionWords;
  readonly todayMs: number;
  /** When each was forgotten, by the hashes of their statements. */
  readonly forgotten: ReadonlyMap<string, number>;
  /** All of memory. */
  readonly files: readonly ReadMemory[];
}

const refused = (reason: ExtractionRefusal, message: string): Verdict => ({
  ...{ kind: 'refused', reason, message },
});

/** Decides about statements by the words of the user alone; what a model says about them counts for nothing. */
export function createJudge({ said, words, todayMs, forgotten, files }: JudgeOptions) {
  const sources = said.filter(isSource);
  const users = sources.filter(({ origin }) => origin === 'user');
  const dated = sources.map(({ text, atMs }): DatedText => ({ text, atMs }));
  const lastForget = users.findLast(({ text }) => asksToForget(text))?.turn ?? 0;
  const promptRuns = new Set(promptTexts().flatMap(runsOf));

  /** What is wrong with a text, whoever said it. */
  function formProblem(text: string): Verdict | undefined {
    if (statementsOf(text).length === 0 || !isSentence(text))
      return refused(
        'not-a-statement',
        'It is no sentence that states something: write one, of at most 600 characters.',
      );
    if (runsOf(text).some((run) => promptRuns.has(run)))
      return refused(
        'prompt-text',
        'It repeats the instructions: write what the user said, or leave it out.',
      );
    return undefined;
  }

  function dateRefusal(text: string, known: string): Verdict | undefined {
    const problem = dateProblem(text, { todayMs, sources: [...dated, { text: known }] });
    if (problem === undefined) return undefined;
    return problem.kind === 'relative'
      ? refused(
          'relative-date',
          `"${problem.text}" names no day later on: write the full date where the message gives it, or leave it out.`,
        )
      : refused(
          'unknown-date',
          `No message gives "${problem.text}": write a date that one gives, as it gives it, or leave it out.`,
        );
  }

  /** The message that holds a quote: that of the turn which is named, else the last one. */
  function sourceOf({ quote, turn }: Claim): SaidText | undefined {
    const holds = ({ text }: SaidText): boolean => quoteProblem(quote, [text]) === undefined;
    return users.find((each) => each.turn === turn && holds(each)) ?? users.findLast(holds);
  }

  /** Sentences that a quote is taken from. */
  function sentencesAt({ text }: SaidText, quote: string): string {
    const key = statementKey(quote);
    const around = statementsOf(text).filter((each) => {
      const sentence = statementKey(each.text);
      return sentence.includes(key) || key.includes(sentence);
    });
    return around.length === 0 ? text : around.map((each) => each.text).join(' ');
  }

  const allSaid = users.map(({ text }) => text).join('\n');
  let memory: string | undefined;
  /** Names are looked up in it, and only those that the conversation lacks. */
  function memoryText(): string {
    memory ??= files
      .map(({ name, description, body }) => `${name}\n${description}\n${body}`)
      .join('\n');
    return memory;
  }

  function beyondQuote(text: string, quote: string, source: SaidText, known: string) {
    const sentences = sentencesAt(source, quote);
    const isWhole = statementKey(sentences).includes(statementKey(quote));
    return shownProblem(text, {
      quoted: isWhole ? sentences : `${sentences}\n${quote}`,
      around: `${source.text}\n${agreedTo(source.turn)}\n${known}`,
      said: allSaid,
      memory: memoryText,
      atMs: source.atMs ?? todayMs,
    });
  }

  const agreedTo = (turn: number): string =>
    sources
      .filter((each) => each.origin === 'assistant' && each.turn === turn)
      .map(({ text }) => text)
      .join('\n');

  return {
    /** `known`: the text of the file it goes to; its dates may stand in the statement too. */
    judge(claim: Claim, known: string): Verdict {
      const { text, quote } = claim;
      const problem = formProblem(text) ?? dateRefusal(text, known);
      if (problem !== undefined) return problem;
      const wrong = quoteProblem(
        quote,
        users.map((each) => each.text),
      );
      const source = sourceOf(claim);
      if (wrong !== undefined || source === undefined) {
        const message =
          wrong === 'quote-too-long'
            ? `The quote is too long: copy the words that show it, at most ${MOST_QUOTE_CHARS} characters.`
            : 'The quote stands in no message of the user: copy it letter by letter, or leave the statement out.';
        return { kind: 'held', reason: 'no-user-quote', message };
      }
      const sentences = sentencesAt(source, quote);
      if (asksToForget(sentences))
        return refused('asked-to-forget', 'The user asks to forget this: leave it out.');
      const bearing = `${sentences}\n${agreedTo(source.turn)}`;
      if (!words.share(bearing, text)) {
        const message = 'The quote says nothing of this: quote the words that show it.';
        return { kind: 'held', reason: 'quote-of-something-else', message };
      }
      if (words.isFromOutside(text)) {
        const message =
          'What it says was read elsewhere and not said by the user: it waits for the user. Leave it.';
        return { kind: 'held', reason: 'outside-context', message };
      }
      const beyond = beyondQuote(text, quote, source, known);
      if (beyond !== undefined) return refused('beyond-quote', beyondMessage(beyond));
      const later = users.filter((each) => each.turn > source.turn);
      const isTakenBack = later
        .flatMap((each) => statementsOf(each.text))
        .some((each) => corrects(each.text, text) || corrects(each.text, sentences));
      if (isTakenBack)
        return refused('said-otherwise', 'The user said otherwise later: save what was said last.');
      const forgottenMs = Math.max(
        -1,
        ...[...formHashes({ name: '', description: '', body: text })].map(
          (hash) => forgotten.get(hash) ?? -1,
        ),
      );
      if (forgottenMs < 0) return { kind: 'taken', liftsTombstone: false };
      const isLater = source.atMs === undefined || source.atMs > forgottenMs;
      if (isLater && source.turn > lastForget && WISH.test(source.text))
        return { kind: 'taken', liftsTombstone: true };
      return refused(
        'forgotten',
        'The user asked to forget this: it is saved only when the user asks for it again.',
      );
    },

    /** Why a statement may not be removed; undefined where the user's words allow it. */
    removalProblem(claim: Claim): string | undefined {
      const source = sourceOf(claim);
      if (source === undefined)
        return 'To remove it takes a quote of the user: copy it letter by letter, or leave the statement in.';
      const bearing = `${sentencesAt(source, claim.quote)}\n${agreedTo(source.turn)}`;
      return words.share(bearing, claim.text)
        ? undefined
        : 'The quote says nothing of it: quote the words that make it untrue, or leave it in.';
    },

    /**
     * Whether a name or a description may stand in the index: it needs no quote, but must say nothing that its statements do not. A
     * description also has to be about the same.
     */
    isSoundLabel(label: string, of: 'name' | 'description', statements: string): boolean {
      if (/^[{[<`]|["']\s*:|https?:\/\//.test(label) || REFUSAL.test(label)) return false;
      if (runsOf(label).some((run) => promptRuns.has(run))) return false;
      if (dateRefusal(label, statements) !== undefined || words.isFromOutside(label)) return false;
      if (lostSpecifics([label], statements).some((each) => /\p{N}/u.test(each))) return false;
      return of === 'name' || words.share(label, statements);
    },
  };
}

/** What is wrong with a statement that says more than its quote, or something else. */
const beyondMessage = ({ kind, text }: ShownProblem): string => {
  if (kind === 'value')
    return `The user does not say "${text}": write what the user says, or leave it out.`;
  if (kind === 'denial')
    return 'The quote says the opposite: deny what the user denies and nothing else, or leave it out.';
  return kind === 'order'
    ? 'Two things of the quote have changed places: write it as the user says it, or leave it out.'
    : 'A part of it is no word of the user: leave that part out, or save it on its own with the words that show it.';
};

/** Beyond it a sentence is a text. */
const MOST_STATEMENT_CHARS = 600;

const isSentence = (text: string): boolean =>
  [...text].length <= MOST_STATEMENT_CHARS &&
  !/^\s*(?:[{[<|]|```|---)|[{,]\s*"[\w-]+"\s*:|^\s*"[\w-]+"\s*:/.test(text) &&
  !REFUSAL.test(text);

/** What a model says in place of an answer. */
const REFUSAL =
  /\b(?:as an ai\b|i(?:'m| am) (?:sorry|unable|not able)|i (?:do not|don['’]t|cannot|can['’]t|could not|couldn['’]t) (?:see|find|have|access|assist|help|analy[sz]e|identify)\b|there (?:is|are|was|were) (?:no|nothing|not)\b[^.]{0,40}\b(?:conversation|messages?|memor(?:y|ies)|to (?:save|extract|analy[sz]e|remember|store))|no (?:new )?(?:memories|information|messages) (?:to|were|was|found)|nothing (?:new )?to (?:save|remember|extract|store)|please provide (?:the|a|more))/i;

/** Words with which a person wants something kept, or says a thing anew. */
const WISH =
  /\b(?:remember|keep in mind|note that|memori[sz]e|save (?:that|this)|after all|again|from now on|do (?:in fact )?\w+ after|actually|merk dir|merke|doch|wieder|ab jetzt|retiens|souviens|finalement|recuerda|al final)\b|覚えて|やはり|记住|还是|기억해/iu;

const RUN_WORDS = 8;

/** Every run of words of a text, so that a copy of a part of it is found. */
function runsOf(text: string): readonly string[] {
  const words = statementKey(text).split(' ');
  return words
    .slice(0, Math.max(0, words.length - RUN_WORDS + 1))
    .map((_, at) => words.slice(at, at + RUN_WORDS).join(' '));
}
