import { resolveModel } from '@varve/tokens';
import { importSession } from './import.ts';
import { type ConnectedModel, connect } from './model.ts';
import { type Options, UsageError } from './options.ts';
import { listSessions, sessionFolder } from './session.ts';
import { changedAt, describeSessions, type SessionInfo } from './session-list.ts';

/**
 * Makes clients with the keys and addresses that were given. Throws `UsageError` where the one that a model needs is missing, or
 * has the first request do so where perhaps nothing is sent.
 */
export function connectWith(
  options: Options,
  { isSent = true }: { readonly isSent?: boolean } = {},
): (model: string) => ConnectedModel {
  const { anthropicKey, openaiKey, anthropicUrl, openaiUrl } = options;
  return (model) => {
    const isAnthropic = model.startsWith('claude-') || providerOf(model) === 'anthropic';
    const [key, baseUrl] = isAnthropic ? [anthropicKey, anthropicUrl] : [openaiKey, openaiUrl];
    if (key === undefined && baseUrl === undefined) {
      const name = isAnthropic ? 'ANTHROPIC_API_KEY' : 'OPENAI_API_KEY';
      const missing = new UsageError(`${model} needs ${name} in the environment, or a --base-url.`);
      if (isSent) throw missing;
      const { client, params } = connect({ model });
      const stream = () => {
        throw missing;
      };
      return { client: { ...client, stream }, params };
    }
    if (baseUrl !== undefined && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
      throw new UsageError(
        `${JSON.stringify(baseUrl)} is no address of http or https: look at --base-url, ANTHROPIC_BASE_URL and OPENAI_BASE_URL.`,
      );
    return connect({ model, anthropicKey, openaiKey, baseUrl });
  };
}

const providerOf = (model: string): string => resolveModel(model).model.provider;

/** The id of the session that was asked for. Throws `UsageError` where there is none. */
export async function resumedId(
  { resume, configDir, importFile }: Options,
  cwd: string,
): Promise<string | undefined> {
  if (importFile !== undefined) return importSession(importFile, { configDir, cwd });
  if (resume === undefined) return undefined;
  const ids = await listSessions(sessionFolder({ configDir, cwd }));
  const id = resume.kind === 'newest' ? ids[0] : resume.id;
  if (id !== undefined && ids.includes(id)) return id;
  if (ids.length === 0) throw new UsageError('There is no session of this folder yet.');
  const { sessions } = await describeSessions(configDir, { cwd, from: 0 });
  const known = sessions.slice(0, MOST_LISTED).map(lineOf).join('\n');
  throw new UsageError(
    `${id === undefined ? 'Which session?' : `There is no session ${id}.`} Of this folder there are, the newest first:\n${known}`,
  );
}

const MOST_LISTED = 10;

const lineOf = (session: SessionInfo): string =>
  `  ${session.sessionId}  ${changedAt(session)}  ${session.title}`;
