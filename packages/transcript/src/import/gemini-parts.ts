import { recordOf } from '@varve/guards';
import type { Block } from '@varve/messages';
import { type JsonRecord, wordsOf } from './json.ts';

/** A part of Gemini's API that is no call and no result. */
export function readPart(part: JsonRecord): Block {
  const { mimeType, data } = recordOf(part.inlineData);
  if (typeof data === 'string') {
    return { type: 'image', source: { type: 'base64', media_type: mimeType, data } };
  }
  return typeof part.text === 'string'
    ? { type: 'text', text: part.text }
    : { ...part, type: 'part' };
}

/** What a function gave back, in words: its output or its error, else all of it. */
export function responseText(response: unknown): string {
  const { output, error } = recordOf(response);
  return wordsOf(output ?? error ?? response);
}
