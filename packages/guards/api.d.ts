// abort.d.ts
/** A promise that is already on its way, or a function that starts one. */
export type Work<Value> = PromiseLike<Value> | (() => Value | PromiseLike<Value>);
/**
 * Settles as the work does, or rejects as soon as the signal is aborted, also where the work does not look at the signal.
 *
 * It rejects with the signal's reason itself, as `signal.throwIfAborted()` and `fetch` do: an `AbortError` unless the
 * caller gave a reason. The reason is never wrapped, and it wins over a value or a failure that has not been handed over
 * yet. A function is not called where the signal is aborted already; what it throws is a rejection. What the work does
 * after an abort is dropped, a rejection included.
 *
 * Of an async iterable: its values, by the same rule. It is closed when the reader leaves and when the signal is aborted; after
 * an abort the closing is not waited for, because a source that hangs never comes to it.
 */
export declare function untilAborted<Value>(work: Work<Value>, signal: AbortSignal | undefined): Promise<Value>;
export declare function untilAborted<Value>(source: AsyncIterable<Value>, signal: AbortSignal | undefined): AsyncGenerator<Value, void, undefined>;
/** True for the `AbortError` of the platform, also of another realm. */
export declare const isAbortError: (value: unknown) => value is Error;

// error.d.ts
declare const MARK: unique symbol;
/**
 * The class that the error of every package extends. A package adds its codes, its name, and its own `is`:
 *
 *     export class StoreError extends VarveError<'damaged' | 'full'> {
 *       override get name() {
 *         return 'StoreError' as const;
 *       }
 *       static override is(value: unknown): value is StoreError {
 *         return VarveError.is(value, 'StoreError');
 *       }
 *     }
 */
export declare abstract class VarveError<Code extends string = string> extends Error {
    /** For programs. Codes are only ever added in a minor release. */
    readonly code: Code;
    /** The message says what happened and what to do; it holds no text of a conversation. */
    constructor(code: Code, message: string, { cause }?: {
        readonly cause?: unknown;
    });
    /** A getter of each class, because the stack is written while the error is made. */
    abstract get name(): string;
    /** How another copy of this package recognises the error. */
    get [MARK](): true;
    /** True for an error of these packages, or for the one class named; also across copies of a package, where `instanceof` is not. */
    static is(value: unknown, name?: string): value is VarveError;
}
export {};

// fields.d.ts
/** An object whose fields are not known yet. */
export type Fields = Readonly<Record<string, unknown>>;
/** True for an object that is neither null nor an array: what JSON writes in braces. */
export declare const isRecord: (value: unknown) => value is Fields;
/** The value if it is a record, else an empty one. */
export declare const recordOf: (value: unknown) => Fields;
/** The value if it is an array, else an empty one. */
export declare const listOf: (value: unknown) => readonly unknown[];
/** The value if it is a string, else an empty one. */
export declare const textOf: (value: unknown) => string;
/** The value if it is a finite number. */
export declare const numberOf: (value: unknown) => number | undefined;
/** The code of something that was thrown, e.g. `ENOENT` of the file system, where it has one that is text. */
export declare function codeOf(thrown: unknown): string | undefined;

// index.d.ts
export { isAbortError, untilAborted } from './abort.ts';
export { VarveError } from './error.ts';
export { codeOf, type Fields, isRecord, listOf, numberOf, recordOf, textOf, } from './fields.ts';
export { checkOptions, type Expectation, expected, integer, number, required, } from './options.ts';
export { ownText } from './own-text.ts';
export { withinTime } from './time-limit.ts';

// options.d.ts
import { isRecord } from './fields.ts';
/** What an option has to be, and how to say so. */
export interface Expectation {
    /** Completes "Expected `name` to be …", e.g. `a positive integer`. */
    readonly what: string;
    readonly fits: (value: unknown) => boolean;
    /** `RangeError` where the kind is right and the value is not; the default is `TypeError`. */
    readonly error?: typeof RangeError | undefined;
    /** Whether the message may quote a text. Only for words of a fixed list: another text may be private. @default false */
    readonly quotes?: boolean | undefined;
    readonly isRequired?: boolean | undefined;
}
/**
 * The words for a kind of value, which are those of the message as well; the words that it may be one of; or an expectation of one's
 * own.
 */
type Expected = keyof typeof KINDS | readonly string[] | Expectation;
declare const isString: (value: unknown) => boolean;
declare const KINDS: {
    readonly 'a function': (value: unknown) => value is Function;
    readonly 'a list': (arg: any) => arg is any[];
    readonly 'a list of texts': (value: unknown) => boolean;
    /** Also an empty one. */
    readonly 'a text': typeof isString;
    readonly 'a text that is not blank': (value: unknown) => boolean;
    /** What a call can be aborted with; the `AbortController` that it is of is none. */
    readonly 'an AbortSignal': (value: unknown) => boolean;
    readonly 'an object': typeof isRecord;
    readonly 'true or false': (value: unknown) => value is boolean;
};
/**
 * Refuses options that are not what they have to be, with one wording:
 * ``Expected `keepTokens` to be a non-negative integer, got `-1` ``. An option that is left out or undefined passes unless
 * it is `required`. `path` is written before the names, for options inside of others.
 *
 * @throws RangeError for what has to be a number; TypeError for everything else, options that are no object included.
 */
export declare function checkOptions<Options extends object>(options: Options, expectations: {
    readonly [Name in keyof Options]?: Expected;
}, path?: string): void;
/** The error for a value that does not fit. It quotes numbers and the like, never a text or an object. */
export declare function expected(name: string, expectation: Expected | Omit<Expectation, 'fits'>, got: unknown): TypeError | RangeError;
/** An expectation that an option left out does not meet. */
export declare const required: (expectation: Expected) => Expectation;
export declare function integer(min: number, max?: number): Expectation;
/** Bounds of a number; `min` and `max` belong to the range, `above` and `below` do not. */
export interface NumberBounds {
    readonly min?: number;
    readonly above?: number;
    readonly max?: number;
    readonly below?: number;
}
/** A number within bounds. Infinity is one, NaN is none. */
export declare function number(bounds?: NumberBounds): Expectation;
export {};

// own-text.d.ts
/**
 * The same text in memory of its own: engines keep a piece of a text as a view of the whole, and a line of a large output would
 * keep all of it for as long as the conversation lasts. Joined of two, it is one run of characters, which is also read fastest.
 */
export declare const ownText: (text: string) => string;

// time-limit.d.ts
export interface TimeLimit {
    /** In ms. */
    readonly limitMs: number;
    readonly signal?: AbortSignal | undefined;
}
/**
 * Settles as the work does, or rejects when its time is over or the signal is aborted, by the rule of `untilAborted`. The work is
 * handed the signal of both; the reason of the limit is a `TimeoutError`. Until then the process stays alive, which
 * `AbortSignal.timeout` does not see to: where nothing else keeps Node, what waits for it would never settle.
 */
export declare function withinTime<Value>(work: (signal: AbortSignal) => Value | PromiseLike<Value>, { limitMs, signal }: TimeLimit): Promise<Value>;
