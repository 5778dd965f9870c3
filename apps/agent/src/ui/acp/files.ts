import {
  type AgentContext,
  type ClientCapabilities,
  methods,
  type ReadTextFileResponse,
} from '@agentclientprotocol/sdk';
import type { OpenFiles } from '../../tools/files.ts';

interface EditorOptions {
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  readonly sessionId: () => string;
}

/**
 * The files of an editor that offers them. What it cannot read, be it new or outside of its folders, is read and written on
 * disk; what it has read and then refuses to write is a failure, as its unsaved changes would be lost.
 */
export function editorFiles({ client, capabilities, sessionId }: EditorOptions): OpenFiles {
  const { readTextFile = false, writeTextFile = false } = capabilities.fs ?? {};
  const { readTextFile: reading, writeTextFile: writing } = methods.client.fs;
  const known = new Set<string>();
  return {
    async read(path) {
      if (!readTextFile) return undefined;
      try {
        const params = { sessionId: sessionId(), path };
        const { content } = await client.request<ReadTextFileResponse>(reading, params);
        known.add(path);
        return content;
      } catch {
        return undefined;
      }
    },
    async write(path, content) {
      if (!writeTextFile) return false;
      try {
        await client.request(writing, { sessionId: sessionId(), path, content });
        return true;
      } catch (error) {
        if (known.has(path)) throw new Error(`The editor did not write ${path}: ${error}`);
        return false;
      }
    },
  };
}
