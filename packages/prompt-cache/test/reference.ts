import { createHash } from 'node:crypto';
import { type Message, type Request, stableStringify } from '@varve/messages';
import type { CachePolicy } from '../src/index.ts';
import { characters } from './support.ts';

/** A block of the prompt in the plainest form; `weight` 0 for what only separates. */
interface Piece {
  readonly text: string;
  readonly tokens: number;
  readonly kind: 'boundary' | 'tool_use' | 'tool_result' | 'other';
  readonly place: string;
}

interface Entry {
  anchorMs: number;
  readableMs: number;
  ttl: '5m' | '1h';
}

export interface ReferenceTokens {
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
  readonly plain: number;
  readonly total: number;
}

/**
 * The rules once more, written to be read: every prefix is rendered and hashed anew for every request. Slow, and without any of the shortcuts of the simulator.
 */
export function createReference(policy: CachePolicy) {
  const entries = new Map<string, Entry>();
  return (request: Request, startMs: number, firstTokenMs: number): ReferenceTokens => {
    const pieces = piecesOf(request, policy);
    const prefixes = hashesOf(pieces);
    const sums = pieces.map(() => 0);
    pieces.forEach((piece, index) => {
      sums[index] = (sums[index - 1] ?? 0) + piece.tokens;
    });
    const tokens = (count: number) => sums[count - 1] ?? 0;
    const total = tokens(pieces.length);
    const isLive = (count: number) => {
      const entry = entries.get(prefixes[count - 1] as string);
      if (!entry || startMs < entry.readableMs) return false;
      return startMs - entry.anchorMs <= msOf(entry.ttl, policy);
    };
    const write = (count: number, ttl: '5m' | '1h') => {
      const key = prefixes[count - 1] as string;
      const old = entries.get(key);
      const inFlight = old !== undefined && startMs < old.readableMs;
      if (inFlight) {
        entries.set(key, {
          ttl: old.ttl === '1h' ? '1h' : ttl,
          anchorMs: Math.max(old.anchorMs, startMs),
          readableMs: Math.min(old.readableMs, firstTokenMs),
        });
      } else if (!isLive(count)) {
        entries.set(key, { ttl, anchorMs: startMs, readableMs: firstTokenMs });
      }
    };
    const refresh = (count: number) => {
      const entry = entries.get(prefixes[count - 1] as string) as Entry;
      entry.anchorMs = Math.max(entry.anchorMs, startMs);
    };
    if (policy.writes === 'none') return { read: 0, write5m: 0, write1h: 0, plain: total, total };
    if (policy.writes === 'everywhere') {
      let read = 0;
      while (read < pieces.length && isLive(read + 1)) read++;
      for (let count = 1; count <= read; count++) refresh(count);
      for (let count = read + 1; count <= pieces.length; count++) write(count, policy.defaultTtl);
      const whole = Math.floor(tokens(read) / policy.unitTokens) * policy.unitTokens;
      const used = whole < policy.minimumTokens ? 0 : whole;
      return { read: used, write5m: 0, write1h: 0, plain: total - used, total };
    }
    const markers = request.markers.map((marker) => ({
      count: pieces.findIndex(({ place }) => place === placeOf(marker)) + 1,
      ttl: marker.ttl ?? policy.defaultTtl,
    }));
    const longEnough = markers.filter(({ count }) => tokens(count) >= policy.minimumTokens);
    const hits = markers.map(({ count }) => {
      const places = placesBack(pieces, count, policy);
      return places.find(isLive) ?? 0;
    });
    for (const hit of hits) if (hit > 0) refresh(hit);
    const readCount = Math.max(0, ...hits);
    for (const { count, ttl } of longEnough) write(count, ttl);
    const end = (list: typeof markers) => Math.max(readCount, ...list.map(({ count }) => count));
    const longEnd = end(longEnough.filter(({ ttl }) => ttl === '1h'));
    const shortEnd = end(longEnough);
    const read = tokens(readCount);
    const write1h = tokens(longEnd) - read;
    const write5m = tokens(shortEnd) - tokens(longEnd);
    return { read, write1h, write5m, plain: total - read - write1h - write5m, total };
  };
}

const textOf = ({ text }: Piece) => text;

/** The hash of everything up to each piece. */
function hashesOf(pieces: readonly Piece[]): string[] {
  let before = '';
  return pieces.map(({ text }) => {
    before = createHash('sha256').update(`${before} ${text}`).digest('hex');
    return before;
  });
}

function msOf(ttl: '5m' | '1h', { lifetimes }: CachePolicy): number {
  const lifetime = ttl === '1h' ? (lifetimes.long ?? lifetimes.short) : lifetimes.short;
  return (lifetime.ms ?? Infinity) + lifetime.graceMs;
}

function placeOf(marker: Request['markers'][number]): string {
  if (marker.at !== 'message') return marker.at;
  return `${marker.messageIndex}.${marker.blockIndex}`;
}

function placesBack(pieces: readonly Piece[], count: number, policy: CachePolicy): number[] {
  const places: number[] = [];
  const distinct: string[] = [];
  for (let at = count; at >= 1; at--) {
    const { kind } = pieces[at - 1] as Piece;
    if (kind === 'boundary') continue;
    const isRun = policy.lookback.collapseToolRuns && kind !== 'other' && distinct.at(-1) === kind;
    if (!isRun) distinct.push(kind);
    if (distinct.length > (policy.lookback.positions ?? Infinity)) break;
    places.push(at);
  }
  return places;
}

function piecesOf({ head, messages }: Request, policy: CachePolicy): Piece[] {
  const boundary = (text: unknown): Piece => ({
    text: stableStringify(text),
    tokens: 0,
    kind: 'boundary',
    place: '',
  });
  const tools = head.tools.map((tool, index) => ({
    text: `tool ${stableStringify(tool)}`,
    tokens: (tool.description ?? '').length,
    kind: 'other' as const,
    place: index === head.tools.length - 1 ? 'tools' : '',
  }));
  const system = head.system.map((block, index) => ({
    text: `system ${stableStringify(block)}`,
    tokens: characters.block(block),
    kind: 'other' as const,
    place: index === head.system.length - 1 ? 'system' : '',
  }));
  const { toolsAsOne, images } = policy.invalidators;
  const hasImage = messages.some(({ content }) => content.some(({ type }) => type === 'image'));
  const rules = policy.invalidators.params.map(({ path }) => path[0] as string);
  const params = rules.map((name) => head.params[name] ?? null);
  const levels = policy.invalidators.params.map(({ loses }) => loses);
  const at = (section: string) => params.filter((_, index) => levels[index] === section);
  return [
    boundary([head.model, toolsAsOne ? tools.map(textOf) : [], at('tools')]),
    ...tools,
    boundary(at('system')),
    ...system,
    boundary([at('messages'), images === 'messages' && hasImage]),
    ...messages.flatMap(messagePieces),
  ];
}

function messagePieces({ role, content }: Message, messageIndex: number): Piece[] {
  return content.map((block, blockIndex) => ({
    text: `${role} ${stableStringify(block)}`,
    tokens: characters.block(block),
    kind: block.type === 'tool_use' || block.type === 'tool_result' ? block.type : 'other',
    place: `${messageIndex}.${blockIndex}`,
  }));
}
