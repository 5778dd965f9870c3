import type { Head } from '@varve/messages';
import { createEstimator } from '@varve/tokens';
import { createToolStorage, memoryStore } from '@varve/tool-storage';
import { describe, expect, test } from 'vitest';
import { BUILT_IN_STRATEGIES, type Strategy } from '../src/index.ts';
import { planOf, rowAfterWaiting } from './replays.ts';
import { read } from './sessions.ts';

const { readTool } = createToolStorage({ store: memoryStore(), sessionId: 'test' });

const builtIn = (name: string): Strategy =>
  BUILT_IN_STRATEGIES.find((strategy) => strategy.name === name) as Strategy;

/** Nothing in it is large enough to be stored or cleared. */
const SMALL = planOf([
  { user: 'Go.' },
  ...Array.from({ length: 4 }, (_, at) => read(`src/f${at}.ts`, `${at}`)),
  { say: 'Done.' },
]);

function recorded(strategy: Strategy): { readonly strategy: Strategy; readonly heads: Head[] } {
  const heads: Head[] = [];
  const create: Strategy['create'] = (context) => {
    const run = strategy.create(context);
    const request = () => {
      const asked = run.request();
      heads.push(asked.head);
      return asked;
    };
    return { ...run, request };
  };
  return { strategy: { ...strategy, create }, heads };
}

describe('strategies with a storage', () => {
  test.each(['offload', 'layers', 'layers+1h', 'layers+ledger'])(
    '%s sends the tool that reads what was stored, and pays for it',
    async (name) => {
      const { strategy, heads } = recorded(builtIn(name));
      const row = await rowAfterWaiting(SMALL, strategy);
      const keepAll = await rowAfterWaiting(SMALL, builtIn('keep-all'));
      const requests = SMALL.recording.replies.length;
      expect(new Set(heads.slice(0, requests)).size).toBe(1);
      expect(heads[0]?.tools).toEqual([...SMALL.recording.head.tools, readTool]);
      const tokens = createEstimator({ family: SMALL.pricing.model.tokenizer }).head({
        system: [],
        tools: [readTool],
      });
      expect(tokens).toBeGreaterThan(300);
      expect(row.promptTokens).toBe(keepAll.promptTokens + requests * tokens);
      expect(row.dollars).toBeGreaterThan(keepAll.dollars);
      expect(row).toMatchObject({ systemChangedRequests: 0, breaks: 0, invalidRequests: 0 });
    },
  );
});
