import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator } from '@varve/emulator';
import { contextText } from '../commands/context.ts';
import { contextReport } from '../commands/context-report.ts';
import type { AgentEvent } from '../events.ts';
import { runTurn } from '../loop.ts';
import { connect } from '../model.ts';
import { createSession } from '../session.ts';
import { COMPACT_PERCENT, FILES, PROMPTS, scripted, WINDOW_TOKENS } from './script.ts';
import { showEvent } from './show-event.ts';

const MODEL = 'claude-opus-5-5';

/** `varve --demo`: a scripted session against a provider on this machine; no key, no network, nothing left behind. */
export async function runDemo(write: (text: string) => void): Promise<number> {
  const root = await mkdtemp(join(tmpdir(), 'varve-demo-'));
  const emulator = await startEmulator({ replies: scripted() });
  try {
    const cwd = join(root, 'prices');
    await mkdir(cwd);
    for (const [name, text] of Object.entries(FILES)) await writeFile(join(cwd, name), text);
    const emit = (event: AgentEvent) => {
      const line = showEvent(event);
      if (line !== undefined) write(`${line}\n`);
    };
    write(`A scripted session with ${MODEL}, played by @varve/emulator on this machine.\n`);
    const session = await createSession({
      ...{ cwd, emit, model: MODEL, configDir: join(root, 'config'), shell: '/bin/sh', home: root },
      connect: (model) => connect({ model, anthropicKey: 'demo', baseUrl: emulator.url }),
      permissionMode: 'bypassPermissions',
      ...{ windowTokens: WINDOW_TOKENS, compactPercent: COMPACT_PERCENT },
    });
    const { agent, storage, id } = session;
    for (const prompt of PROMPTS) {
      write(`\n> ${prompt}\n`);
      const end = await runTurn(agent, prompt, new AbortController().signal);
      write(end.kind === 'done' ? `${end.text}\n` : `The turn ended: ${end.kind}\n`);
    }
    write(`\n${contextText(contextReport({ id, storage, context: agent.context }))}\n`);
    await session.close();
    return emulator.report().refused === 0 ? 0 : 1;
  } finally {
    await emulator.close();
    await rm(root, { recursive: true, force: true });
  }
}
