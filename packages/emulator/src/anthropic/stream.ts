import type { Fields } from '@varve/guards';
import type { Block } from '@varve/messages';

export interface StreamOptions {
  readonly deltaCharacters: number;
  /** On-demand compaction sends its block whole; threshold compaction as one delta. */
  readonly wholeCompaction: boolean;
}

/** The server-sent events of a message: start, its blocks one after the other, then what only the end knows. */
export function messageEvents(message: Fields, options: StreamOptions): readonly string[] {
  const { content, stop_reason, stop_sequence, stop_details, container, usage, ...rest } = message;
  const { context_management: management, ...opening } = rest;
  const counts = usage as Fields;
  const start = {
    ...opening,
    container,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    usage: { ...counts, output_tokens: Math.min(1, Number(counts.output_tokens)) },
  };
  const delta = { stop_reason, stop_sequence, stop_details, container };
  const { cache_creation: _split, service_tier: _tier, ...cumulative } = counts;
  return [
    event('message_start', { message: start }),
    event('ping', {}),
    ...(content as readonly Block[]).flatMap((block, index) => blockEvents(block, index, options)),
    event('message_delta', {
      delta,
      usage: cumulative,
      ...(management !== undefined && { context_management: management }),
    }),
    event('message_stop', {}),
  ];
}

const event = (type: string, fields: Fields): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

function blockEvents(block: Block, index: number, options: StreamOptions): string[] {
  const { empty, deltas } = unfold(block, options);
  return [
    event('content_block_start', { index, content_block: empty }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ];
}

/** A block before anything is written in it, and what is then written. */
function unfold(block: Block, options: StreamOptions): { empty: Fields; deltas: Fields[] } {
  const fields = block as Fields;
  const pieces = (text: unknown) => cutPieces(String(text), options.deltaCharacters);
  switch (block.type) {
    case 'text':
      return {
        empty: { ...fields, text: '' },
        deltas: pieces(fields.text).map((text) => ({ type: 'text_delta', text })),
      };
    case 'thinking':
      return {
        empty: { ...fields, thinking: '', signature: '' },
        deltas: [
          ...pieces(fields.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: fields.signature },
        ],
      };
    case 'tool_use':
      return {
        empty: { ...fields, input: {} },
        deltas: pieces(JSON.stringify(fields.input)).map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        })),
      };
    case 'compaction':
      return options.wholeCompaction
        ? { empty: fields, deltas: [] }
        : {
            empty: { ...fields, content: null, encrypted_content: null },
            deltas: [
              {
                type: 'compaction_delta',
                content: fields.content,
                encrypted_content: fields.encrypted_content,
              },
            ],
          };
    default:
      return { empty: fields, deltas: [] };
  }
}

/** Pieces of a text that never halve a pair of surrogates. */
export function cutPieces(text: string, characters: number): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + characters);
    const code = text.charCodeAt(end - 1);
    if (end < text.length && code >= 0xd800 && code <= 0xdbff) end += 1;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}
