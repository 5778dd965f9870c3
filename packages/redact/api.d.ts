// index.d.ts
export { redact } from './redact.ts';
export { redactJson } from './redact-json.ts';

// kind.d.ts
/** A kind of secret: how it is found, and what stands in its place. */
export interface SecretKind {
    /** The words of the marker: `[redacted: github token]`. */
    readonly name: string;
    /**
     * What a match begins with, in either case; a blank stands for any white space. All words of all kinds are looked for in one
     * pass, and only where one stands is the pattern tried. Without them it is tried everywhere.
     */
    readonly starts?: readonly string[] | undefined;
    /** A text holds none that has not one word of each of these lists somewhere, in either case. */
    readonly needs?: readonly (readonly string[])[] | undefined;
    /** A text in which this is not found holds none: a closer look where words say too little. */
    readonly sign?: RegExp | undefined;
    /**
     * What to look for. The secret is the group `secret`, or the whole match. Every repetition is bounded: an engine
     * keeps a place to come back to for each character it takes, and runs out of room on a picture of some megabytes.
     */
    readonly pattern: RegExp;
    /** Where the secret ends that begins with a match from `start` to `end`, where no pattern can tell; undefined: it is none. */
    readonly end?: ((text: string, start: number, end: number) => number | undefined) | undefined;
    /** Whether what was matched is one after all; a text says which kind it is of. */
    readonly isSecret?: ((found: Found) => boolean | string) | undefined;
    /** Where a value without quotes ends, which the match took up to `end`; undefined: there. */
    readonly bareEnd?: ((text: string, start: number, end: number) => number) | undefined;
}
/** Values are without the markers that are glued to them. */
export interface Found {
    readonly secret: string;
    /** The whole match, a quote at its end included. */
    readonly match: string;
    readonly groups: Readonly<Record<string, string | undefined>>;
    /** At most 400 characters before the match, for what a command is. */
    readonly before: () => string;
    /** The character after the match, empty at the end; markers glued to it are passed over. */
    readonly after: string;
    /** At most 400 characters behind the secret. */
    readonly rest: () => string;
}
/** Whether a value is a hash, an id or an integrity string by its form alone. */
export declare const isHashOrId: (value: string) => boolean;

// look.d.ts
import type { SecretKind } from './kind.ts';
/** All kinds, in the order in which they are looked for. What begins with a word is tried where one stands, and nowhere else. */
export declare const KINDS: readonly SecretKind[];
/** Numbers of kinds: from the first on, up to the last and without it. */
export type KindRange = readonly [from: number, to: number];
export declare const TOKENS: KindRange;
export declare const COMMANDS: KindRange;
export declare const ALL_BUT_TOKENS: KindRange;
/** A kind that a text may hold. */
export interface Candidate {
    /** Its number. */
    readonly kind: number;
    /** Where a match may begin, in order; undefined: anywhere. */
    readonly starts: readonly number[] | undefined;
}
/** The kinds that a text may hold, in their order. It is read once for the words of all of them. */
export declare function candidatesIn(text: string): readonly Candidate[];

// marks.d.ts
/**
 * Markers while a text is read. Each whole marker of a kind that exists is one character then, so that none of its words is
 * read; `[redacted:` that begins no such marker is another one, which hides nothing: a value is read on both sides of it.
 * The characters are private ones; where a text has them itself, they are written as two.
 */
export interface Marks {
    /** The text as it is read. */
    readonly mask: (text: string) => string;
    /** The text as it is written. */
    readonly unmask: (masked: string) => string;
    /** What stands for the marker of a kind. */
    readonly markOf: (name: string) => string;
    /** The last whole marker of a text as it is written. */
    readonly lastIn: (text: string) => string | undefined;
}
export declare const marker: (name: string) => string;
/** `[redacted:`, which reads like a user's name in front of a password. */
export declare const BEGUN = "\uE0C0";
/** One of these characters, for lists of characters in patterns. */
export declare const MARKS = "\uE000-\uE0FF";
/** What may stand glued to a secret: markers, and what looks like one. Of words that nothing shuts as few as will do. */
export declare const NOISE = "(?:[\uE000-\uE0BF]|[\uE0E0-\uE0FF]|[\uE0C0\uE0C1] ?(?:[a-z0-9 -]{0,40}\\]||[a-z0-9 -]{1,40}?)){0,4}";
/** Behind it also what shuts a marker that has begun in front of it. */
export declare const TAIL = "(?:(?:[\uE000-\uE0BF]|[\uE0E0-\uE0FF]|[\uE0C0\uE0C1] ?(?:[a-z0-9 -]{0,40}\\]||[a-z0-9 -]{1,40}?)){0,4}|\\](?<=[\uE0C0\uE0C1][^\"'`\\r\\n]{0,200}\\])){0,2}";
export declare function marksOf(names: readonly string[]): Marks;
export declare const isMarked: (masked: string) => boolean;
/**
 * What a value is without markers: none where it is made of them alone. Words behind `[redacted:` may be those of a marker of
 * an unknown kind, or the value itself.
 */
export declare function readingsOf(value: string): readonly string[];
/** Whether a marker is the next word. */
export declare const isMarkNext: (text: string) => boolean;
/** What stands behind a value that ends there, without what is glued to it. */
export declare function behind(text: string, end: number, length: number): string;
/** The same pattern for a text with markers: what is glued to a secret is taken with it. */
export declare function withNoise(pattern: RegExp): RegExp;

// redact-json.d.ts
export interface RedactJsonOptions {
    /** Objects and arrays that stay as they are, whatever is in them: signed or encrypted blocks, pictures. @default none */
    readonly skip?: ((value: object) => boolean) | undefined;
}
/**
 * Redacts every text inside of a JSON value, and the values of fields whose names say that they hold a secret, such as
 * `password`. What holds no secret is the same reference, the whole value included. A text that is JSON itself is
 * redacted as the text it is. Nesting costs no stack.
 *
 * @throws TypeError for a value with a field that cannot be read, e.g. a getter that throws
 */
export declare function redactJson<Value>(value: Value, options?: RedactJsonOptions): Value;

// redact.d.ts
import { candidatesIn } from './look.ts';
/**
 * Replaces each secret in a text by a marker that names its kind, e.g. `[redacted: github token]`. What stands around it
 * stays, and a text that is JSON stays JSON. Without a secret it is the same text. Redacting twice changes nothing more.
 * Time grows with the length, whatever the text is made of.
 *
 * It knows secrets by their form or by their name, so one that has neither stays; and a hash, an id or an integrity string
 * is none unless a flag, a variable or a header says so.
 */
export declare function redact(text: string): string;
/** `look`: which kinds a text may hold. */
export declare function redactOnce(text: string, look?: typeof candidatesIn): string;
/** The arguments of a command without what is secret in them: `['mysql', '-pX']`. `program`: where its name stands elsewhere. */
export declare function redactArguments(list: readonly string[], program?: string): readonly string[];
/** The markers there are. */
export declare const MARKS: import("./marks.ts").Marks;

// testing.d.ts
/** One secret as it stands in a text, made up: it opens nothing. */
export interface SecretExample {
    /** What surrounds and names the secret, the secret included. */
    readonly text: string;
    /** The characters that must not be left. */
    readonly secret: string;
}
export interface ExampleKind {
    /** The words of its marker. Several examples may have one. */
    readonly name: string;
    /** The same seed gives the same example. */
    readonly make: (seed?: number) => SecretExample;
}
/**
 * At least one of each kind that is known. Examples are put together when they are asked for, so that no file holds what a
 * scanner of secrets would take for one.
 */
export declare const SECRET_KINDS: readonly ExampleKind[];
