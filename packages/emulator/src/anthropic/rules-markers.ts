import { type Fields, isRecord, listOf, recordOf } from '@varve/guards';
import type { JsonObject } from '@varve/messages';
import type { Rule } from './rule.ts';

interface MarkedPart {
  readonly path: string;
  readonly part: Fields;
}

const controlShapes: Rule = ({ body }) => {
  const automatic = { path: 'cache_control', control: body.cache_control };
  const explicit = markedParts(body).map(({ path, part }) => ({
    path: `${path}.cache_control`,
    control: part.cache_control,
  }));
  for (const { path, control } of [automatic, ...explicit]) {
    if (control == null) continue;
    const { type, ttl } = recordOf(control);
    if (type !== 'ephemeral') return `${path}.type: Input should be 'ephemeral'`;
    if (ttl != null && ttl !== '5m' && ttl !== '1h')
      return `${path}.ttl: Input should be '5m' or '1h'`;
  }
  return undefined;
};

const targets: Rule = ({ body }) => {
  for (const { path, part } of markedParts(body)) {
    if (part.type === 'thinking' || part.type === 'redacted_thinking') {
      return `${path}.${part.type}.cache_control: Extra inputs are not permitted`;
    }
    if (part.type === 'text' && part.text === '') {
      return `${path}.text: cache_control cannot be set for empty text blocks`;
    }
  }
  return undefined;
};

const count: Rule = ({ body }) => {
  const found = markedParts(body).length;
  if (found > MAX_MARKERS) return tooMany(found);
  if (body.cache_control == null || lastMarked(body) !== undefined) return undefined;
  return found === MAX_MARKERS ? tooMany(found + 1) : undefined;
};

const MAX_MARKERS = 4;
const tooMany = (found: number): string =>
  `A maximum of 4 blocks with cache_control may be provided. Found ${found}.`;

const order: Rule = ({ body }) => {
  let short = false;
  for (const { path, part } of markedParts(body)) {
    const isLong = recordOf(part.cache_control).ttl === '1h';
    if (isLong && short) {
      return `${path}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block`;
    }
    short ||= !isLong;
  }
  const automatic = recordOf(body.cache_control);
  if (body.cache_control == null) return undefined;
  const last = lastMarked(body);
  if (last !== undefined && lifetime(last) !== lifetime(automatic)) {
    return 'cache_control: conflicts with the ttl of the cache_control on the last block';
  }
  return automatic.ttl === '1h' && short
    ? "cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block"
    : undefined;
};

const lifetime = ({ ttl }: Fields): unknown => ttl ?? '5m';

/** The marker on the very last block, where the automatic one would stand. */
function lastMarked(body: JsonObject): Fields | undefined {
  const { content } = recordOf(listOf(body.messages).at(-1));
  const { cache_control: control } = recordOf(listOf(content).at(-1));
  return isRecord(control) ? control : undefined;
}

/** Everything that carries a marker, in the order in which a prompt is rendered. */
function markedParts(body: JsonObject): readonly MarkedPart[] {
  const messages = listOf(body.messages).flatMap((message, messageIndex) => {
    const { content } = recordOf(message);
    return parts(content, `messages.${messageIndex}.content`).flatMap((each) => [
      ...parts(each.part.type === 'tool_result' ? each.part.content : [], `${each.path}.content`),
      each,
    ]);
  });
  const all = [...parts(body.tools, 'tools'), ...parts(body.system, 'system'), ...messages];
  return all.filter(({ part }) => part.cache_control != null);
}

const parts = (list: unknown, path: string): MarkedPart[] =>
  listOf(list).map((part, index) => ({ path: `${path}.${index}`, part: recordOf(part) }));

export const MARKER_RULES: readonly Rule[] = [controlShapes, targets, count, order];
