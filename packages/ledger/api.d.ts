// check/check.d.ts
import type { Ledger } from '../ledger.ts';
import type { Finding } from './finding.ts';
export interface CheckSummaryOptions {
    readonly ledger: Ledger;
    /** Tokens that may be appended to the summary; pins and the newest rules may take 1,000 even where that is more. */
    readonly budgetTokens: number;
    /** What always stands, word for word. */
    readonly pins?: readonly string[];
    /** Text that stays beside the summary: what stands in it is not appended. @default none */
    readonly visible?: string;
    /** Ids of messages that stay beside the summary, see `renderLedger`. @default none */
    readonly shown?: readonly string[];
    /** Where the whole conversation can be read. */
    readonly originals?: string;
    /** Tokens of a text. */
    readonly sizeOf: (text: string) => number;
}
export interface CheckedSummary {
    /** The repaired summary. */
    readonly text: string;
    readonly findings: readonly Finding[];
}
/**
 * Checks a summary against the session that it stands for, and repairs it: quotes of the user that nobody said and approvals that nobody gave are taken out,
 * names that never occurred are marked, superseded values and claims are corrected, and what is missing is appended from the
 * ledger. A sentence that only a tool result holds is no quote of the user.
 *
 * @throws RangeError for a budget, or a size that `sizeOf` gives, that is no number from 0 up; TypeError for other options, or
 * a summary, that are not what they have to be.
 */
export declare function checkSummary(summary: string, options: CheckSummaryOptions): CheckedSummary;

// check/finding.d.ts
/**
 * What a check found. `quote-removed`: the user never said it; `quote-unverified`: close to what the user said, marked;
 * `invented-name`: a path, URL or identifier that never occurred; `invented-approval`: an approval that no person gave, taken
 * out; `stale-value` and `stale-claim`: was true once;
 * `missing-facts`: appended.
 */
export type FindingKind = 'quote-removed' | 'quote-unverified' | 'invented-name' | 'invented-approval' | 'stale-value' | 'stale-claim' | 'missing-facts';
export interface Finding {
    readonly kind: FindingKind;
    /** What was found, in words of the summary. */
    readonly detail: string;
}
/** A text after one check. */
export interface Repaired {
    readonly text: string;
    readonly findings: readonly Finding[];
}

// check/quotes.d.ts
import type { Ledger } from '../ledger.ts';
import type { Repaired } from './finding.ts';
import type { Spoken } from './spoken.ts';
/** Takes out what a summary says the user said and the user did not say. White space, case and the kind of quotation marks aside, a quote has to be exact; an ellipsis may leave something out. */
export declare function verifyQuotes(text: string, _: Ledger, spoken: Spoken): Repaired;
/** What the user said by the lists of a checked summary: items that were found to be the user's, and no others. */
export declare function quotedWords(summary: string): string[];

// check/spoken.d.ts
import type { Ledger } from '../ledger.ts';
/** What the person said, for comparing quotes with it. Each question costs about what its words are long. */
export interface Spoken {
    /** Somebody said exactly this, case, white space and the kind of quotation marks aside; gaps may be left out. */
    holds(words: string): boolean;
    /** It stands in the result of a call that was refused: probably what the person said to it. */
    maybe(words: string): boolean;
    /** The largest share of its words that one message holds, from 0 to 1. */
    likeness(words: string): number;
}
export declare function createSpoken(ledger: Ledger): Spoken;
/** A line of a longer message of the user, which stands there word for word: it is not the summary's claim. */
export declare function isOwnLine(line: string, spoken: Spoken): boolean;

// fact.d.ts
/** What a fact is about. */
export type FactType = 'user-message' | 'rule' | 'said' | 'standing' | 'edit' | 'failure' | 'file' | 'file-read' | 'command' | 'error' | 'test-status' | 'todo' | 'choice' | 'effect' | 'failed-approach' | 'background-task' | 'literal' | 'skill';
/** One thing that is known of a session, as plain data. */
export interface Fact {
    readonly type: FactType;
    /** What it is about: a path, a command, a sentence, a name. Unique within its type. */
    readonly key: string;
    /** What is currently true of the key; of a user message and a rule, the words themselves. */
    readonly value: string;
    /** The message that said so last. */
    readonly messageId: string;
    /** Losing it leads the work astray; the others only cost a look. */
    readonly vital: boolean;
    /** Importance from 1 to 10, see {@link importanceOf}. */
    readonly weight: number;
    /** Number of the message that said so last, counted from 0 over the messages of the ledger. */
    readonly position: number;
}
/** A value that was true of a key once. */
export interface Superseded {
    readonly type: FactType;
    readonly key: string;
    readonly value: string;
    /** What took its place; undefined where the key holds no longer at all. */
    readonly current: string | undefined;
}
/** Where in the session something was said. */
export interface Place {
    readonly messageId: string;
    readonly position: number;
}

// index.d.ts
export { checkSummary } from './check/check.ts';
export { quotedWords } from './check/quotes.ts';
export { createLedger, type Ledger } from './ledger.ts';
export { ledgerNotes } from './notes.ts';
export { findingsIn } from './prose.ts';
export { renderLedger } from './render/render.ts';

// ledger.d.ts
import type { Entry, Message, View } from '@varve/messages';
import { type ToolKind } from '@varve/messages/tools';
import type { Fact, Superseded } from './fact.ts';
/** Facts of a session, extracted mechanically as it grows. It knows no model and makes nothing up. */
export interface Ledger {
    /**
     * Takes the next message, in order. Costs what the message is long, however long the session is. Throws a `TypeError` for one
     * without an id, and a `MessagesError` for one of another library.
     */
    add(message: Message): void;
    /**
     * Folds over a log: messages as they were appended, whatever later edits make of them. A rewind (a span with nothing in its
     * place, whose `by` or `reason` says `rewind`) forgets what it removed, and its undo brings it back; only these two read
     * the session again. `view` is the one after the entry, as a projection made it: it knows which rewinds are in force and
     * what they took, the messages that a summary stood for included. Messages are read when something is asked, or by `catchUp`;
     * one that cannot be read is passed over.
     */
    observe(entry: Entry, view: View): void;
    /**
     * Reads messages that were observed, the oldest first and no more than `most`, and says whether any are left. Whatever is
     * asked reads all of them by itself: this is for moments in which there is time, such as while a model answers.
     */
    catchUp(most?: number): boolean;
    /** What holds now; what was superseded is gone. In order of importance, then age, the oldest first. */
    facts(): readonly Fact[];
    /** What held once and does not any more, with what took its place. */
    superseded(): readonly Superseded[];
    /** Everything the person said, message by message, in order. */
    words(): readonly string[];
    /** Where the person agreed to something, in order. */
    approvals(): readonly Approval[];
    /**
     * What stands in results of calls that were refused. Agents put there what the person said to it, but so could a tool: never
     * taken for the person's words, only to mark a quote rather than remove it.
     */
    refusals(): readonly string[];
    /** Whether a code-like name (a path, an identifier) ever stood in the session, in whatever spelling of the path. */
    mentions(name: string): boolean;
    /** Takes secrets out of a text, as they were taken out of the facts; the same text where they were not. */
    redact(text: string): string;
}
/** Words with which a person agreed to something. */
export interface Approval {
    readonly said: string;
    /** The end of the reply that they answer; empty where there was none. */
    readonly about: string;
}
export interface LedgerOptions {
    /**
     * What tools of the host are, by their names: `{ 'desk.ask': 'ask' }`. They come on top of the names that well-known agents
     * use. Only what is named speaks for the person (`ask`, `plan`) or keeps todos.
     */
    readonly tools?: Readonly<Record<string, ToolKind>> | undefined;
    /** Takes secrets out of what is read, so that no fact, and nothing that is checked or rendered, holds one. @default true */
    readonly redact?: boolean | undefined;
}
/**
 * Creates an empty ledger.
 *
 * @throws TypeError for a kind of tool that does not exist, or a switch that is none.
 */
export declare function createLedger(options?: LedgerOptions): Ledger;

// notes.d.ts
import type { Ledger } from './ledger.ts';
/** A section of notes: its heading line, and the line of guidance under it (empty where there is none). */
export interface NotesPlace {
    readonly heading: string;
    readonly guidance: string;
}
export interface LedgerNotesOptions {
    /** Where facts are put: the sections of `DEFAULT_TEMPLATE` of `@varve/session-memory/template`, or those of them that notes have. */
    readonly sections: readonly NotesPlace[];
    /** Tokens of a text. */
    readonly sizeOf: (text: string) => number;
    /** Tokens that a section may have, heading and guidance aside. @default 1800 */
    readonly sectionTokens?: number | undefined;
}
/**
 * What a ledger knows as the text of each section of notes, in their order; empty where nothing belongs there.
 *
 * @throws RangeError for a number of tokens that is none; TypeError for other options that are not what they have to be.
 */
export declare function ledgerNotes(ledger: Ledger, options: LedgerNotesOptions): readonly string[];

// prose.d.ts
/** A text on one line, without code blocks, rules, and the marks of headings and bold text: what is said in words. */
export declare function plainProse(text: string): string;
/** Sentences of a text on one line. */
export declare const sentencesIn: (line: string) => readonly string[];
/** How much a sentence says to somebody who goes on: below 0 a look that is announced, from 1 on a finding. */
export declare function sentenceWorth(sentence: string): number;
/** Whole sentences of a line in at most so many UTF-16 units: from the beginning, and its end where that is asked for. */
export declare function cutSentences(line: string, units: number, endShare?: number): string;
/** Every sentence of a text that says how things are, why, or what is to be done, word for word; empty where none does. */
export declare const findingsIn: (text: string) => string;
/** A sentence with its place in its text, and how much it says. */
export interface RatedSentence {
    readonly sentence: string;
    readonly index: number;
    readonly worth: number;
}
/** The sentences of a line that say something, those that say most first. */
export declare const rateSentences: (line: string) => readonly RatedSentence[];
/** The sentences that say most, in their order, in at most so many UTF-16 units; empty where none says anything. */
export declare function tellingSentences(rated: readonly RatedSentence[], units: number): string;

// render/render.d.ts
import type { Fact } from '../fact.ts';
import type { Ledger } from '../ledger.ts';
export interface RenderLedgerOptions {
    /** Tokens that the text may take at most, rules and pins included. */
    readonly budgetTokens: number;
    /** Text that is already there, such as a summary: only what is missing in it is rendered. */
    readonly have?: string;
    /**
     * Ids of messages that stay beside the text: what the assistant said in them, and what only their calls show, is not told
     * again. @default none
     */
    readonly shown?: readonly string[];
    /** What comes first, word for word: a message, a fact, the content of a file. */
    readonly pins?: readonly string[];
    /** Where the whole conversation can be read, in the caller's words; shown where something is cut. */
    readonly originals?: string;
    /** Tokens of a text. */
    readonly sizeOf: (text: string) => number;
}
export interface RenderedLedger {
    /** Markdown; empty where nothing is missing. */
    readonly text: string;
    readonly tokens: number;
    /** Facts that stand in the text or stood in `have`, whole. What says nothing, such as that a command ran, is in neither list. */
    readonly kept: readonly Fact[];
    /** Facts that are missing or cut. */
    readonly dropped: readonly Fact[];
}
/**
 * Writes a ledger as dense Markdown within a budget. Pins come first, then rules, the newest of them in up to two thirds of the
 * budget; where there are more, a line says how many and where they are. The person's messages stand word for word while
 * they fit half of the rest, the newest first; of the others head, tail and the id of the message stand. What is left goes to
 * the other facts by importance. Same ledger, same bytes; never more tokens than the budget.
 *
 * @throws RangeError for a budget, or a size that `sizeOf` gives, that is no number from 0 up; TypeError for other options that
 * are not what they have to be.
 */
export declare function renderLedger(ledger: Ledger, options: RenderLedgerOptions): RenderedLedger;
/**
 * The same with more room for pins and rules than for the rest, beside a text without secrets. `retold`: the text retells the
 * session already, so that only what the assistant said last and what it found is added.
 */
export declare function renderFacts(ledger: Ledger, options: RenderLedgerOptions & {
    readonly have: string;
    readonly retold?: boolean;
}, standingTokens: number): RenderedLedger;
