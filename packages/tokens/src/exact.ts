import { checkOptions, required } from '@varve/guards';
import { TokensError } from './error.ts';
import { createCounter } from './exact/counter.ts';
import { createCl100kSplit, createO200kSplit } from './exact/split.ts';
import { parseVocabulary } from './exact/vocabulary.ts';

export { createCountEndpoint } from './count-endpoint.ts';

/** Encodings that can be counted exactly: `o200k_base` is that of OpenAI's models since GPT-4o. */
type Encoding = 'o200k_base' | 'cl100k_base';

/** The vocabulary of an encoding as the `tiktoken` package ships it. */
interface VocabularyFile {
  /** `! 0 ` and then every token in base64, in order of rank, separated by spaces. */
  readonly bpe_ranks: string;
}

/** Gives the vocabulary of an encoding. */
type LoadVocabulary = (encoding: Encoding) => Promise<VocabularyFile>;

interface ExactCounterOptions {
  readonly encoding: Encoding;
  /**
   * Where the vocabulary comes from.
   * @default the optional peer dependency `tiktoken`
   */
  readonly loadVocabulary?: LoadVocabulary | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Counts exactly what the encoding's own tokenizer counts for plain text. */
interface ExactCounter {
  readonly encoding: Encoding;
  /**
   * Tokens of a text. Special tokens written in it count as the plain text they are; half surrogates count as U+FFFD.
   * Never throws, and takes time in proportion to the length whatever the text.
   */
  count(text: string): number;
  /** The tokens themselves, as ranks of the vocabulary. */
  encode(text: string): number[];
}

/**
 * Loads a vocabulary (about 0.1 s and 20 MB) and creates a counter over it. Load it once and keep it.
 *
 * @throws TokensError `vocabulary-missing` where `tiktoken` is not installed, `vocabulary-invalid` where the file is not a
 * vocabulary; TypeError for options that do not fit; the reason of the signal, an `AbortError` unless one was given, where it was aborted meanwhile.
 */
export async function loadExactCounter(options: ExactCounterOptions): Promise<ExactCounter> {
  checkOptions(options, {
    encoding: required(Object.keys(SPLITS)),
    loadVocabulary: 'a function',
  });
  const { encoding, loadVocabulary = loadFromTiktoken, signal } = options;
  signal?.throwIfAborted();
  const file = await loadVocabulary(encoding);
  signal?.throwIfAborted();
  const counter = createCounter(parseVocabulary(file.bpe_ranks), SPLITS[encoding]());
  return { encoding, ...counter };
}

const SPLITS = { o200k_base: createO200kSplit, cl100k_base: createCl100kSplit };

async function loadFromTiktoken(encoding: Encoding): Promise<VocabularyFile> {
  // Not a literal, so that a bundler leaves two megabytes out that most programs never load.
  const specifier = `tiktoken/encoders/${encoding}.json`;
  try {
    const module: { default: VocabularyFile } = await import(specifier, { with: { type: 'json' } });
    return module.default;
  } catch (cause) {
    throw new TokensError(
      'vocabulary-missing',
      `the vocabulary of ${encoding} could not be loaded; install it with \`npm install tiktoken\`, or pass \`loadVocabulary\``,
      { cause },
    );
  }
}
