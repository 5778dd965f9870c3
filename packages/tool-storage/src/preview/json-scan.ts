/** One value of a JSON text, as far as an outline shows it. */
export interface JsonNode {
  /** A quoted key, an index, or nothing for the whole. */
  readonly label: string;
  readonly kind: 'object' | 'array' | 'value';
  /** Keys or items, also those that are not among `children`. */
  count: number;
  /** Of a value: its text, cut. */
  readonly value: string;
  readonly children: JsonNode[];
}

const MAX_DEPTH = 4;
/** Deeper is no data that an outline helps with, and brackets alone could use up the memory. */
const MAX_NESTING = 1_000;
const MAX_KEYS = 24;
const MAX_LABEL = 60;
const MAX_VALUE = 80;

/** The outline of an object or array; `undefined` where brackets or strings do not match or more follows. */
export function scanJson(text: string): JsonNode | undefined {
  const first = skipSpace(text, 0);
  if (text[first] !== '{' && text[first] !== '[') return undefined;
  const scan = createScan();
  for (let at = first; at < text.length; at = skipSpace(text, at)) {
    const end = tokenEnd(text, at);
    if (end === -1 || !scan.take(text, at, end)) return undefined;
    at = end;
  }
  return scan.root();
}

interface Frame {
  readonly isArray: boolean;
  /** Missing where it is too deep to be shown. */
  readonly node: JsonNode | undefined;
  count: number;
  key: string;
  isKeyNext: boolean;
}

function createScan() {
  const frames: Frame[] = [];
  let root: JsonNode | undefined;

  const addNode = (kind: JsonNode['kind'], value = ''): JsonNode | undefined => {
    const frame = frames.at(-1);
    const label = frame === undefined ? '' : frame.isArray ? `[${frame.count}]` : frame.key;
    if (frame !== undefined) frame.count++;
    if (frame !== undefined && !isShown(frame, frames.length)) return undefined;
    const node: JsonNode = { label, kind, count: 0, value, children: [] };
    frame?.node?.children.push(node);
    root ??= node;
    return node;
  };
  const open = (isArray: boolean): boolean => {
    const isSecond = root !== undefined && frames.length === 0;
    if (isSecond || frames.length >= MAX_NESTING) return false;
    const node = addNode(isArray ? 'array' : 'object');
    frames.push({ isArray, node, count: 0, key: '', isKeyNext: !isArray });
    return true;
  };
  const close = (isArray: boolean): boolean => {
    const frame = frames.pop();
    if (frame?.node !== undefined) frame.node.count = frame.count;
    return frame?.isArray === isArray;
  };
  const scalar = (token: string): boolean => {
    const frame = frames.at(-1);
    if (frame?.isKeyNext) {
      frame.key = token.slice(0, MAX_LABEL);
      frame.isKeyNext = false;
      return token.startsWith('"');
    }
    if (frame !== undefined)
      addNode('value', token.length > MAX_VALUE ? `${token.slice(0, MAX_VALUE)}…` : token);
    return frame !== undefined;
  };
  return {
    root: () => (frames.length === 0 ? root : undefined),
    take(text: string, start: number, end: number): boolean {
      const character = text[start];
      if (character === '{' || character === '[') return open(character === '[');
      if (character === '}' || character === ']') return close(character === ']');
      const frame = frames.at(-1);
      if (character === ',' && frame !== undefined) frame.isKeyNext = !frame.isArray;
      if (character === ',' || character === ':') return frame !== undefined;
      return scalar(text.slice(start, Math.min(end, start + MAX_VALUE + 1)));
    },
  };
}

/** Of an array the first item, of an object the first keys. */
function isShown({ isArray, node, count }: Frame, depth: number): boolean {
  return node !== undefined && depth <= MAX_DEPTH && count <= (isArray ? 1 : MAX_KEYS);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

const isSpace = (unit: number): boolean => unit === 32 || unit === 10 || unit === 13 || unit === 9;

/** Behind the token that begins at `start`; -1 for a string without an end. */
function tokenEnd(text: string, start: number): number {
  const character = text[start] as string;
  if ('{}[],:'.includes(character)) return start + 1;
  if (character === '"') return stringEnd(text, start + 1);
  let at = start + 1;
  while (at < text.length && !DELIMITER.test(text[at] as string)) at++;
  return at;
}

const DELIMITER = /[\s{}[\],:"]/;

/** Behind the quote that ends a string which begins before `from`; -1 where none does. */
export function stringEnd(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slash = quote - 1;
    while (slash >= from && text[slash] === '\\') slash--;
    if ((quote - slash) % 2 === 1) return quote + 1;
  }
  return -1;
}
