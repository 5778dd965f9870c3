import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Message } from '@varve/messages';
import { EvalsError } from '../error.ts';
import { requestFor } from '../strategies/request-for.ts';
import type { Strategy, StrategyContext, StrategyRun } from '../strategy.ts';
import { type Content, createContentWriter, maskedMessage } from './gemini-content.ts';
import { createParked } from './parked.ts';

export interface GeminiMaskingOptions {
  readonly name: string;
  readonly parked: boolean;
  /** Where the package is installed. @default the working folder */
  readonly folder?: string | undefined;
}

interface Masking {
  readonly DEFAULT_TOOL_PROTECTION_THRESHOLD: number;
  readonly DEFAULT_MIN_PRUNABLE_TOKENS_THRESHOLD: number;
  readonly DEFAULT_PROTECT_LATEST_TURN: boolean;
  readonly ToolOutputMaskingService: new () => {
    mask(history: readonly Content[], config: object): Promise<{ newHistory: readonly Content[] }>;
  };
}

const PACKAGE = '@google/gemini-cli-core';
/** The part of it that masks; its main module starts far more. */
const MODULE = 'dist/src/context/toolOutputMaskingService.js';
/** Where the benchmarks put what is too large for the workspace. */
const CACHE = 'node_modules/.cache/peers/@google+gemini-cli-core@0.61.0';

/** Too large to be asked for with the other peers: it runs where it is installed. */
export const hasGeminiMasking = (folder = process.cwd()): boolean => pathIn(folder) !== undefined;

const pathIn = (folder: string): string | undefined =>
  [folder, join(folder, CACHE)]
    .map((each) => join(each, 'node_modules', PACKAGE, MODULE))
    .find(existsSync);

/**
 * gemini-cli's masking of tool outputs at its defaults, asked before each request as its client does, with what it masked
 * taken as given from then on. Tools have their recorded names, so that its own previews of a shell are not used.
 * Throws `missing-peer`.
 */
export async function loadGeminiMasking(options: GeminiMaskingOptions): Promise<Strategy> {
  const path = pathIn(options.folder ?? process.cwd());
  if (path === undefined) {
    const text = `This peer runs from the package ${PACKAGE}, which is not installed in the working folder. Run \`npm install ${PACKAGE}\` there, or leave this peer out.`;
    throw new EvalsError('missing-peer', text);
  }
  const masking = (await import(pathToFileURL(path).href)) as Masking;
  silence();
  return {
    name: options.name,
    create(context) {
      const run = createRun(context, masking);
      return options.parked ? createParked(run, { ...context, editsCalls: false }) : run;
    },
  };
}

function createRun(context: StrategyContext, masking: Masking): StrategyRun {
  const service = new masking.ToolOutputMaskingService();
  const toContent = createContentWriter();
  let history: readonly Content[] = [];
  let shown: readonly Message[] = [];
  return {
    add(message) {
      shown = [...shown, message];
      history = [...history, toContent(message)];
    },
    async prepare() {
      const folder = mkdtempSync(join(tmpdir(), 'varve-evals-'));
      try {
        const config = configOf(masking, folder);
        const { newHistory } = await service.mask(history, config);
        shown = shown.map((message, at) =>
          maskedMessage(message, { before: history[at], after: newHistory[at], folder }),
        );
        history = newHistory;
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    request: () => requestFor(context, shown),
  };
}

/** It tells each masking to `console.debug`, which is the output of a command line. */
function silence(): void {
  const { debug } = console;
  console.debug = (...words: unknown[]): void => {
    if (!String(words[0]).startsWith('[ToolOutputMasking]')) debug(...words);
  };
}

/** What of its configuration masking reads; nothing is reported to anybody. */
const configOf = (masking: Masking, folder: string) => ({
  getToolOutputMaskingConfig: async () => ({
    protectionThresholdTokens: masking.DEFAULT_TOOL_PROTECTION_THRESHOLD,
    minPrunableThresholdTokens: masking.DEFAULT_MIN_PRUNABLE_TOKENS_THRESHOLD,
    protectLatestTurn: masking.DEFAULT_PROTECT_LATEST_TURN,
  }),
  storage: { getProjectTempDir: () => folder },
  getSessionId: () => 'replay',
  getUsageStatisticsEnabled: () => false,
});
