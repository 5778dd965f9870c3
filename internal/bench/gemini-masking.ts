import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isText, type Message, toolResults, toolUses } from '@varve/messages';
import type { BenchSession } from './bench-session.ts';
import { type PeerCost, toPeerCost, turnsOf } from './microcompact-peers.ts';
import { peerFolder } from './peer-folder.ts';

const PACKAGE = '@google/gemini-cli-core';
const VERSION = '0.61.0';
/** Its main module starts far more than this one loads. */
const MODULE = 'dist/src/context/toolOutputMaskingService.js';

interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly object[];
}

interface Masking {
  readonly DEFAULT_TOOL_PROTECTION_THRESHOLD: number;
  readonly DEFAULT_MIN_PRUNABLE_TOKENS_THRESHOLD: number;
  readonly DEFAULT_PROTECT_LATEST_TURN: boolean;
  readonly ToolOutputMaskingService: new () => {
    mask(history: readonly Content[], config: object): Promise<{ newHistory: readonly Content[] }>;
  };
}

/** gemini-cli's masking of tool outputs at its defaults, asked before each request as its client does; it writes real files. */
export async function geminiCost(session: BenchSession, lastTurns: number): Promise<PeerCost> {
  const path = join(await peerFolder(PACKAGE, VERSION), MODULE);
  const masking = (await import(pathToFileURL(path).href)) as Masking;
  const folder = mkdtempSync(join(tmpdir(), 'varve-bench-'));
  try {
    const turns = await silently(() => maskAll(session, masking, folder));
    return toPeerCost('gemini-cli masking', turns, lastTurns);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function maskAll(session: BenchSession, masking: Masking, folder: string) {
  const service = new masking.ToolOutputMaskingService();
  const config = configOf(masking, folder);
  const turns: number[] = [];
  let history: readonly Content[] = [];
  for (const added of turnsOf(session.messages)) {
    history = [...history, ...added.map(toContent)];
    const start = performance.now();
    const { newHistory } = await service.mask(history, config);
    turns.push(performance.now() - start);
    history = newHistory;
  }
  if (!JSON.stringify(history[2]).includes('tool_output_masked'))
    throw new Error('Nothing was masked.');
  return turns;
}

/** It tells each masking to `console.debug`, which is the output of a benchmark. */
async function silently<Value>(work: () => Promise<Value>): Promise<Value> {
  const { debug } = console;
  console.debug = () => {};
  try {
    return await work();
  } finally {
    console.debug = debug;
  }
}

/** What of its configuration masking reads; nothing is reported to anybody. */
const configOf = (masking: Masking, folder: string) => ({
  getToolOutputMaskingConfig: async () => ({
    protectionThresholdTokens: masking.DEFAULT_TOOL_PROTECTION_THRESHOLD,
    minPrunableThresholdTokens: masking.DEFAULT_MIN_PRUNABLE_TOKENS_THRESHOLD,
    protectLatestTurn: masking.DEFAULT_PROTECT_LATEST_TURN,
  }),
  storage: { getProjectTempDir: () => folder },
  getSessionId: () => 'bench',
  getUsageStatisticsEnabled: () => false,
});

function toContent(message: Message): Content {
  const results = toolResults(message).map(({ tool_use_id: id, content }) => ({
    functionResponse: { id, name: 'shell', response: { output: content } },
  }));
  const said = message.content.filter(isText).map(({ text }) => ({ text }));
  const calls = toolUses(message).map(({ id, name, input }) => ({
    functionCall: { id, name, args: input },
  }));
  const role = message.role === 'assistant' ? 'model' : 'user';
  return { role, parts: [...results, ...said, ...calls] };
}
