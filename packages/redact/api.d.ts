// index.d.ts
export { redact } from './redact.ts';
export { type RedactJsonOptions, redactJson } from './redact-json.ts';

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
/**
 * Replaces each secret in a text by a marker that names its kind, e.g. `[redacted: github token]`. What stands around it
 * stays, and a text that is JSON stays JSON. Without a secret it is the same text. Redacting twice changes nothing more.
 * Time grows with the length, whatever the text is made of.
 *
 * It knows secrets by their form or by their name, so one that has neither stays; and a hash, an id or an integrity string
 * is none unless a flag, a variable or a header says so.
 */
export declare function redact(text: string): string;
/**
 * The arguments of a command without what is secret in them: `['mysql', '-pX']`. The same list where there is nothing, or where
 * it is no command. `program`: where its name stands elsewhere.
 */
export declare function redactArguments(list: readonly string[], program?: string): readonly string[];

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
