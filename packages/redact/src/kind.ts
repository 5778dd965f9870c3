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
export const isHashOrId = (value: string): boolean =>
  /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i.test(
    value,
  ) ||
  /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value) ||
  /^(?:sha(?:1|256|384|512)|md5|h1)[-:][A-Za-z0-9+/=_-]+$/i.test(value);
