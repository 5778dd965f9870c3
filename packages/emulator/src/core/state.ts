import type { ModelInfo } from '@varve/tokens';
import type { Accounts } from '../cache/accounts.ts';
import type { Replies } from '../replies/reply.ts';
import type { NewId } from './ids.ts';

/** What all endpoints share. */
export interface EmulatorState {
  readonly accounts: Accounts;
  readonly findModel: (id: string) => ModelInfo | undefined;
  readonly models: readonly ModelInfo[];
  readonly replies: Replies;
  readonly summarize: Replies;
  readonly newId: NewId;
  readonly now: () => number;
  /** Milliseconds the simulation adds between a request and the first token of its reply. */
  readonly firstTokenDelayMs: number;
  /** Characters of a text delta. */
  readonly deltaCharacters: number;
  readonly thinkingBinding: 'enforced' | 'when-asked';
  readonly foreignThinking: 'refused' | 'accepted';
  /** Responses that can be named later, newest last; bounded. */
  readonly remember: Memory;
  nextReplyIndex(): number;
  nextSummaryIndex(): number;
}

/** A bounded memory by id, of which each organisation sees its own part. */
export interface Memory {
  get(organisation: string, id: string): unknown;
  set(organisation: string, id: string, value: unknown): void;
}

export function createMemory(limit: number): Memory {
  const values = new Map<string, unknown>();
  return {
    get: (...place) => values.get(JSON.stringify(place)),
    set(organisation, id, value) {
      values.set(JSON.stringify([organisation, id]), value);
      const [oldest] = values.keys();
      if (values.size > limit && oldest !== undefined) values.delete(oldest);
    },
  };
}
