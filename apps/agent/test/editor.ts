import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import {
  type ClientCapabilities,
  type ClientConnection,
  client,
  ndJsonStream,
  type ReadTextFileRequest,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type WriteTextFileRequest,
} from '@agentclientprotocol/sdk';
import { onTestFinished } from 'vitest';
import type { workbench } from './support.ts';

interface EditorOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly capabilities?: ClientCapabilities;
  /** Answers a question by the id of one of its options; undefined for `cancelled`. */
  readonly permit?: (
    asked: RequestPermissionRequest,
  ) => Promise<string | undefined> | string | undefined;
  readonly readFile?: (asked: ReadTextFileRequest) => string;
  readonly writeFile?: (asked: WriteTextFileRequest) => void;
}

/** The command behind the client of the protocol's own library, as an editor starts it. */
export async function inEditor(
  bench: Awaited<ReturnType<typeof workbench>>,
  { args = [], env = {}, capabilities = {}, permit, readFile, writeFile }: EditorOptions = {},
) {
  const child = bench.start(['--acp', ...args], env, 'pipe');
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const updates: { readonly sessionId: string; readonly update: SessionUpdate }[] = [];
  const questions: RequestPermissionRequest[] = [];
  const lookers = new Set<() => void>();
  const app = client({ name: 'test' })
    .onNotification('session/update', ({ params }) => {
      updates.push(params);
      for (const look of lookers) look();
    })
    .onRequest(
      'session/request_permission',
      async ({ params }): Promise<RequestPermissionResponse> => {
        questions.push(params);
        for (const look of lookers) look();
        const optionId = await permit?.(params);
        return {
          outcome:
            optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId },
        };
      },
    )
    .onRequest('fs/read_text_file', ({ params }) => ({
      content: (readFile as NonNullable<typeof readFile>)(params),
    }))
    .onRequest('fs/write_text_file', ({ params }) => {
      (writeFile as NonNullable<typeof writeFile>)(params);
      return {};
    });
  const connection: ClientConnection = app.connect(
    ndJsonStream(
      Writable.toWeb(child.stdin as Writable),
      Readable.toWeb(child.stdout as Readable) as ReadableStream<Uint8Array>,
    ),
  );
  onTestFinished(async () => {
    connection.close();
    child.kill('SIGKILL');
    await ended;
  });
  const { agent } = connection;
  const begun = await agent.request('initialize', {
    protocolVersion: 1,
    clientCapabilities: capabilities,
  });
  const { folder: cwd } = bench;
  return {
    ...{ agent, begun, child, ended, updates, questions },
    stderr: () => stderr,
    open: () => agent.request('session/new', { cwd, mcpServers: [] }),
    say: (sessionId: string, text: string) =>
      agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    /** Waits until one of the updates fits. */
    see: (fits: (update: SessionUpdate) => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!updates.some(({ update }) => fits(update))) return;
          lookers.delete(look);
          resolve();
        };
        lookers.add(look);
        look();
      }),
    /** Ends as an editor does that is closed. */
    async leave() {
      child.stdin?.end();
      return ended;
    },
  };
}

/** What arrived as text of the agent. */
export const textOf = (updates: readonly { readonly update: SessionUpdate }[]): string =>
  updates
    .map(({ update }) =>
      update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
        ? update.content.text
        : '',
    )
    .join('');
