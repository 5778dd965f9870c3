import type { Marker } from '@varve/messages';
import type { ThreadPrefix } from './thread-prefix.ts';
import type { Life, LifeState, Timing } from './timing.ts';

/** What a cache did for one request, in positions and tokens of its prefix. */
export interface Served {
  /** Positions that were read. */
  readonly readCount: number;
  readonly readTokens: number;
  readonly write5mTokens: number;
  readonly write1hTokens: number;
  /** Positions that the next request can read at best. */
  readonly cachedCount: number;
  readonly cachedTokens: number;
  /** The life of what it can read at best; missing where nothing was cached. */
  readonly life?: Life;
  /** Present where fewer positions were read than were wanted: the state of the deepest entry among the rest. */
  readonly obstacle?: Obstacle;
}

/** `live`: an entry was there, but no marker reached it. */
export type Obstacle = LifeState | 'below-minimum' | 'no-entry';

/** The cache of one scope; `wanted` is how many positions could have been read at best. */
export interface ScopeCache {
  /** Positions this request leaves in the cache at best, whatever their tokens. */
  reach(thread: ThreadPrefix, markers: readonly Marker[]): number;
  serve(thread: ThreadPrefix, options: ServeOptions): Served;
}

interface ServeOptions extends Timing {
  readonly wanted: number;
  /** In the order of the prompt. */
  readonly markers: readonly Marker[];
}
