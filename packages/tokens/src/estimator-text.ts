import type { ClassTokens } from './content-class.ts';

/** Tokens of a plain string in the o200k vocabulary, by class; reads each character once and allocates nothing for it. */
export function estimateText(text: string): ClassTokens {
  let words = 0;
  let dense = 0;
  let cjk = 0;
  let script = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) {
      if (code >= 0x30 && code <= 0x39) dense += 0.45;
      else words += 0.23;
    } else if (code >= 0x2e80 && code <= 0xd7af) cjk += 0.62;
    else if (code < 0x500) script += 0.27;
    else script += 0.6;
  }
  return { text: words, dense, cjk, script, media: 0, framing: 0 };
}
