import { isAbsolute } from 'node:path';
import {
  type AgentApp,
  type AgentContext,
  agent,
  type ClientCapabilities,
  type NewSessionRequest,
  PROTOCOL_VERSION,
  RequestError,
} from '@agentclientprotocol/sdk';
import { type Options, UsageError } from '../options.ts';
import { isFolder } from '../permissions/paths.ts';
import { deleteSession, describeSessions, findSession } from '../session-list.ts';
import { SettingsError } from '../settings/error.ts';
import { connectWith } from '../start.ts';
import { version } from '../version.ts';
import { type AcpSession, openAcpSession } from './acp/session.ts';

/** The sessions of an editor, by the Agent Client Protocol. */
export interface Acp {
  readonly app: AgentApp;
  /** Ends what runs, and closes all sessions. */
  close(): Promise<void>;
}

/** What is asked for with a session, a new one or one that is there. */
interface Asked extends Partial<NewSessionRequest> {
  readonly cwd: string;
  readonly sessionId?: string;
}

export function createAcp(options: Options): Acp {
  const { configDir } = options;
  const connect = connectWith(options);
  const sessions = new Map<string, AcpSession>();
  let capabilities: ClientCapabilities = {};

  async function open(
    { cwd, additionalDirectories = [], mcpServers: servers = [], sessionId: resume }: Asked,
    client: AgentContext,
  ): Promise<AcpSession> {
    for (const path of [cwd, ...additionalDirectories])
      if (!isAbsolute(path))
        throw RequestError.invalidParams({ path }, 'A path is to be absolute.');
    if (!isFolder(cwd)) throw RequestError.invalidParams({ cwd }, 'There is no folder like it.');
    if (resume !== undefined) {
      if (!(await findSession(configDir, resume, cwd))) throw RequestError.sessionNotFound(resume);
      await shut(resume); // it is opened anew
    }
    const session = await asRequestErrors(() =>
      openAcpSession({
        ...{ options, connect, client, capabilities, cwd, resume },
        ...{ folders: additionalDirectories, servers },
      }),
    );
    sessions.set(session.id, session);
    return session;
  }

  async function shut(id: string): Promise<void> {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.close();
  }

  function sessionOf({ sessionId }: { readonly sessionId: string }): AcpSession {
    const session = sessions.get(sessionId);
    if (session === undefined) throw RequestError.sessionNotFound(sessionId);
    return session;
  }

  const app = agent({ name: 'varve' })
    .onRequest('initialize', ({ params }) => {
      capabilities = params.clientCapabilities ?? {};
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: 'varve', title: 'varve', version },
        authMethods: [],
        agentCapabilities: {
          loadSession: true,
          mcpCapabilities: { http: true },
          promptCapabilities: { image: true, embeddedContext: true },
          sessionCapabilities: {
            ...{ list: {}, resume: {}, close: {}, delete: {} },
            additionalDirectories: {},
          },
        },
      };
    })
    .onRequest('session/new', async ({ params, client }) => {
      const session = await open(params, client);
      setImmediate(session.begin); // nobody knows the session before the answer
      return { sessionId: session.id, ...session.choices() };
    })
    .onRequest('session/load', async ({ params, client }) => {
      const session = await open(params, client);
      session.showHistory();
      session.begin();
      return session.choices();
    })
    .onRequest('session/resume', async ({ params, client }) => {
      const session = await open(params, client);
      setImmediate(session.begin);
      return session.choices();
    })
    .onRequest('session/list', async ({ params: { cwd, cursor } }) => {
      const from = Number(cursor ?? 0);
      if (!Number.isInteger(from) || from < 0) throw RequestError.invalidParams({ cursor });
      return describeSessions(configDir, { cwd: cwd ?? undefined, from });
    })
    .onRequest('session/close', async ({ params }) => {
      sessionOf(params);
      await shut(params.sessionId);
      return {};
    })
    .onRequest('session/delete', async ({ params: { sessionId } }) => {
      if (!(await findSession(configDir, sessionId))) throw RequestError.sessionNotFound(sessionId);
      await shut(sessionId);
      const refused = await deleteSession(configDir, sessionId);
      if (refused !== undefined) throw RequestError.invalidRequest({ sessionId }, refused);
      return {};
    })
    .onRequest('session/set_mode', ({ params }) => {
      sessionOf(params).setMode(params.modeId);
      return {};
    })
    .onRequest('session/set_config_option', async ({ params }) => {
      const session = sessionOf(params);
      await asRequestErrors(() => session.setOption(params.configId, params.value));
      return { configOptions: session.choices().configOptions };
    })
    .onRequest('session/prompt', async ({ params, signal }) => ({
      stopReason: await sessionOf(params).prompt(params.prompt, signal),
    }))
    .onNotification('session/cancel', ({ params }) => sessions.get(params.sessionId)?.cancel());

  return {
    app,
    async close() {
      await Promise.all([...sessions.keys()].map(shut));
    },
  };
}

/** Says what a person can mend in words that an editor shows. */
async function asRequestErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) throw RequestError.authRequired(undefined, error.message);
    if (SettingsError.is(error)) throw RequestError.invalidRequest(undefined, error.message);
    throw error;
  }
}
