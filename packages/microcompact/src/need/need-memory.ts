import { type Block, isToolResult, isToolUse, type Message } from '@varve/messages';
import { type RatedCall, type RateOptions, rateCall, readCall } from '../call-facts.ts';
import { placeKey } from '../fold-state.ts';
import { type ShownUnits, shownUnits } from './shown-units.ts';

/** What later messages say of a block that could be needed again. Numbers of requests. */
export interface NeedRecord {
  /** How many lines and names it shows. */
  readonly units: number;
  /** The largest share of them that one newer block shows. */
  coverage: number;
  /** Names of it that later calls have, each as a share of those who show it. */
  mentions: number;
  /** A newer reading of its file, or of the same call, takes its place. */
  isSuperseded: boolean;
  /** How often its path was named before it came; undefined where it has none. */
  readonly path: PathUse | undefined;
  readonly pathUsesBefore: number;
  readonly length: number;
  /** By how probable its need was: the last request at which it was so. See `noteChance`. */
  lastAt: Int32Array | undefined;
}

/** Calls on a file. */
interface PathUse {
  uses: number;
  lastAt: number;
  /** What showed the file and nothing took the place of: each is longer than the next by more than two fifths, so they are few. */
  reads: readonly NeedRecord[];
}

/** Fed with messages in the order of the log, each once: what it knows of a block costs what came later, not how long that is. */
export interface NeedMemory {
  /** `request`: how many were sent before the message. */
  add(message: Message, request: number): void;
  recordOf(messageId: string, index: number): NeedRecord | undefined;
}

/** Of what the log does not show. */
export const NO_RECORD: NeedRecord = {
  ...{ units: 0, coverage: 0, mentions: 0, isSuperseded: false },
  ...{ path: undefined, pathUsesBefore: 0, length: 0, lastAt: undefined },
};

/** UTF-16 units: what is shorter is cleared by nobody, and is not looked for in what comes later. */
const LEAST_LENGTH = 200;
/** So many of the blocks that show a line are known, the newest. As many say nothing of any of them. */
const MOST_HOLDERS = 8;
/** The part of an older reading that a newer one has to have at least to take its place. */
const AS_LONG = 0.7;

export function createNeedMemory(rules: RateOptions): NeedMemory {
  const records = new Map<string, NeedRecord>();
  const holders = new Map<number, NeedRecord[]>();
  const paths = new Map<string, PathUse>();
  const byKey = new Map<string, NeedRecord>();
  let calls = new Map<string, RatedCall>();

  function useOf(path: string): PathUse {
    let use = paths.get(path);
    if (use === undefined) {
      use = { uses: 0, lastAt: -1, reads: [] };
      paths.set(path, use);
    }
    return use;
  }

  /** A newer block covers older ones, and where it is a call mentions them. */
  function show({ all, names }: ShownUnits, isCall: boolean): void {
    const shared = new Map<NeedRecord, number>();
    for (const unit of all) {
      const found = holders.get(unit);
      if (found === undefined) continue;
      for (const record of found) shared.set(record, (shared.get(record) ?? 0) + 1);
      if (!isCall || found.length >= MOST_HOLDERS || !names.has(unit)) continue;
      for (const record of found) record.mentions += 1 / found.length;
    }
    for (const [record, count] of shared) {
      record.coverage = Math.max(record.coverage, count / record.units);
    }
  }

  function hold({ all }: ShownUnits, record: NeedRecord): void {
    for (const unit of all) {
      const found = holders.get(unit);
      if (found === undefined) {
        holders.set(unit, [record]);
        continue;
      }
      if (found.length >= MOST_HOLDERS) found.shift(); // the oldest is the likeliest to be gone
      found.push(record);
    }
  }

  function supersede(block: Block, record: NeedRecord, { use, key }: RatedCall): void {
    if (isToolUse(block)) return;
    const { path } = record;
    if (path !== undefined && use === 'read') {
      const isReplaced = (older: NeedRecord) => record.length >= older.length * AS_LONG;
      for (const older of path.reads) if (isReplaced(older)) older.isSuperseded = true;
      path.reads = [...path.reads.filter((older) => !isReplaced(older)), record];
    }
    if (key === undefined) return;
    const same = byKey.get(key);
    if (same !== undefined) same.isSuperseded = true;
    byKey.set(key, record);
  }

  function addBlock(block: Block, place: string, request: number): void {
    const call = isToolUse(block) ? rateCall(readCall(block), rules) : undefined;
    if (isToolUse(block) && call) calls.set(block.id, call);
    const facts = isToolResult(block) ? calls.get(block.tool_use_id) : call;
    const path = facts?.path === undefined ? undefined : useOf(facts.path);
    if (call && path) {
      path.uses++;
      path.lastAt = request;
    }
    const units = shownUnits(block);
    show(units, call !== undefined);
    if (facts === undefined) return;
    const record: NeedRecord = {
      ...{ units: units.all.size, coverage: 0, mentions: 0, isSuperseded: false },
      ...{ path, pathUsesBefore: path?.uses ?? 0, length: units.length, lastAt: undefined },
    };
    records.set(place, record);
    if (units.length < LEAST_LENGTH) return;
    supersede(block, record, facts);
    hold(units, record);
  }

  return {
    add({ id, role, content }, request) {
      if (role === 'assistant') calls = new Map();
      for (const [index, block] of content.entries()) addBlock(block, placeKey(id, index), request);
    },
    recordOf: (messageId, index) => records.get(placeKey(messageId, index)),
  };
}
