import type { Strategy } from '../strategy.ts';
import { loadAIPrune } from './ai-prune.ts';
import { loadDeepAgentsEvict } from './deepagents-evict.ts';
import { hasGeminiMasking, loadGeminiMasking } from './gemini-masking.ts';
import { loadLangChainClear } from './langchain-clear.ts';

/** A strategy of somebody else's, from their own package. */
export interface Peer {
  readonly name: string;
  /** Whether `--peers` adds it. @default always */
  readonly isInstalled?: () => boolean;
  /** Throws `missing-peer` where the package is not installed. */
  load(): Promise<Strategy>;
}

interface Parkable {
  readonly name: string;
  readonly parked: boolean;
}

/** Once as it comes, and once with parked markers. */
const twice = (
  name: string,
  load: (options: Parkable) => Promise<Strategy>,
): readonly [Peer, Peer] => {
  const plain = { name, parked: false };
  const parked = { name: `${name}+parked`, parked: true };
  return [
    { name: plain.name, load: () => load(plain) },
    { name: parked.name, load: () => load(parked) },
  ];
};

const evict = (name: string, toolTokenLimitBeforeEvict: number): Peer => ({
  name,
  load: () => loadDeepAgentsEvict({ name, toolTokenLimitBeforeEvict }),
});

/**
 * What `--peers` adds, in the order of the table: each with its defaults, and with the cheapest of a few settings that
 * still has most of what is needed at hand on recorded sessions.
 */
export const PEERS: readonly Peer[] = [
  // 100,000 tokens, 3 results
  ...twice('langchain-clear', (options) => loadLangChainClear({ ...options, config: {} })),
  ...twice('langchain-60k', (options) =>
    loadLangChainClear({
      ...options,
      config: { trigger: { tokens: 60_000 }, keep: { messages: 5 } },
    }),
  ),
  // the SDK has no default; a call and its results are two messages of it
  ...twice('ai-prune', (options) =>
    loadAIPrune({ ...options, toolCalls: 'before-last-20-messages' }),
  ),
  ...twice('ai-prune-120k', (options) =>
    loadAIPrune({ ...options, toolCalls: 'before-last-14-messages', aboveTokens: 120_000 }),
  ),
  evict('deepagents-evict', 20_000),
  evict('deepagents-evict-2k', 2_000),
  // 50,000 tokens of the newest results stay, 30,000 at least go
  ...twice('gemini-masking', loadGeminiMasking).map((peer) => ({
    ...peer,
    isInstalled: () => hasGeminiMasking(),
  })),
];

/** The names of those that can run here or have to. */
export const peerNames = (): readonly string[] =>
  PEERS.filter(({ isInstalled }) => isInstalled?.() ?? true).map(({ name }) => name);
