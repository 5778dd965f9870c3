/** A refusal for its size, read from a provider's text; bytes where the text has them. */
export interface SizeProblem {
  readonly code: 'media-too-large' | 'request-too-large';
  readonly actualBytes?: number;
  readonly limitBytes?: number;
}

/** Reads a provider's text as "an image or a document is too large" or "the request is too large". */
export function findSizeProblem(text: string): SizeProblem | undefined {
  const searched = text.slice(0, LONGEST_TEXT);
  const isMedia = MEDIA.some((pattern) => pattern.test(searched));
  if (!isMedia && !REQUEST.some((pattern) => pattern.test(searched))) return undefined;
  const { actual, limit } =
    BYTES.map((pattern) => pattern.exec(searched)?.groups).find(Boolean) ?? {};
  return {
    code: isMedia ? 'media-too-large' : 'request-too-large',
    ...(actual !== undefined && { actualBytes: Number(actual) }),
    ...(limit !== undefined && { limitBytes: Number(limit) }),
  };
}

/** Whether a provider says that it cannot read an image or a document: the same bytes are never taken. */
export const isUnreadableMedia = (text: string): boolean =>
  UNREADABLE.some((pattern) => pattern.test(text.slice(0, LONGEST_TEXT)));

/** Characters. */
const LONGEST_TEXT = 4_000;

const UNREADABLE = [
  /could not (?:process|read|decode|parse) (?:the )?(?:image|pdf|document|file)/i,
  /\bunable to (?:process|read|decode|parse) (?:the )?(?:input |provided )?(?:image|pdf|document|file)\b/i,
  /\b(?:image|document|file|source)\b[^\n]{0,80}invalid base64|invalid base64 (?:data|image|string|encoding|file)/i,
  /(?:does not|doesn't) match the (?:provided|specified|declared) media type/i,
  /\bwas specified using the \S{1,60} media type, but\b/i,
  /\bpdf(?: specified)? (?:was|is) (?:not valid|invalid|(?:\w+[- ])?protected|encrypted|corrupt)/i,
  /\b(?:image|document|file)(?: data)?(?: you provided| provided)? (?:does not represent a valid|(?:is|was) not a valid) (?:image|document|file|pdf)/i,
  /\bprovided (?:image|document|file|pdf) (?:is|was) (?:not valid|invalid)/i,
  /\buploaded an unsupported (?:image|document|file)/i,
  /\b(?:invalid|unsupported) (?:image|pdf|document) (?:data|format|type|file)\b/i,
  /\binvalid_(?:image|image_format|base64_image|image_url|image_mode|file_data|pdf)\b/,
  /\b(?:image_parse_error|image_too_small|unsupported_image_media_type|empty_image_file)\b/,
  /\b(?:failed_to_download_image|image_file_not_found)\b/,
];

const MEDIA = [
  /\b(?:image|pdf|document|file|media|audio|video)\b.{0,40}\b(?:exceeds?|exceeded|is too large|too large|larger than)\b/i,
  /image dimensions exceed/i,
  /maximum of \d+ (?:pdf pages|images|documents)/i,
  /too many (?:images|documents|pdf pages|media)/i,
  /image_(?:file_)?too_large|image_dimensions_too_large/i,
  /(?:image|file) size .{0,20}(?:exceeds?|too large)/i,
];

const REQUEST = [
  /request_too_large|request (?:exceeds|is larger than) the maximum (?:allowed )?(?:number of bytes|size)/i,
  /(?:payload|request|body) size exceeds/i,
  /(?:request entity|payload|content) too large/i,
  /string_above_max_length|string too long\. expected/i,
  /too many total text bytes/i,
  /total message size \d+ exceeds limit \d+/i,
];

const BYTES = [
  /(?<actual>\d+) bytes > (?<limit>\d+) bytes/i,
  /text bytes: (?<actual>\d+) > (?<limit>\d+)/i,
  /exceeds the limit: (?<limit>\d+) bytes/i,
  /message size (?<actual>\d+) exceeds limit (?<limit>\d+)/i,
];

/** The message and block a text points at, as Anthropic (`messages.3.content.7`) and OpenAI (`input[3].content[0]`) do. */
export function findPlace(
  text: string,
): { readonly messageIndex: number; readonly blockIndex?: number } | undefined {
  const [, message, block] = PLACE.exec(text.slice(0, LONGEST_TEXT)) ?? [];
  if (message === undefined) return undefined;
  return {
    messageIndex: Number(message),
    ...(block !== undefined && { blockIndex: Number(block) }),
  };
}

const PLACE = /\b(?:messages|input)(?:\.|\[)(\d{1,6})\]?(?:\.content(?:\.|\[)(\d{1,6})\]?)?/;
