/** What a look at each unit of a text tells. */
export interface TextLook {
  /** Control characters, tabs and line ends aside. */
  readonly hasControls: boolean;
  /** Units beyond ASCII. */
  readonly beyondAscii: number;
}

/** One pass, in about the time in which an expression finds one of both. */
export function lookAt(text: string): TextLook {
  let hasControls = false;
  let beyondAscii = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= DELETE) {
      if (unit > DELETE) beyondAscii++;
      if (unit <= LAST_CONTROL) hasControls = true;
    } else if (unit < SPACE && unit !== TAB && unit !== LINE_FEED) hasControls = true;
  }
  return { hasControls, beyondAscii };
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const SPACE = 0x20;
const DELETE = 0x7f;
const LAST_CONTROL = 0x9f;
