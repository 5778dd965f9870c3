import { isRecord, recordOf } from '@varve/guards';
import type { StoredSession } from './stored-session.ts';

type Row = Readonly<Record<string, unknown>>;
type StoredMessage = StoredSession['messages'][number];

/** A row of `session_message`, as OpenCode 2 has it, in the shape of the messages of version 1. */
export function messageOfRow(row: Row): StoredMessage {
  const { id, type } = row;
  const info = { id, time: row.time };
  const says = (text: string, rest: object = {}) => [{ type: 'text', text, ...rest }];
  if (type === 'user') {
    const said = row.text === '' ? [] : says(words(row.text));
    return { info: { ...info, role: 'user' }, parts: [...said, ...listOf(row.files).map(fileOf)] };
  }
  if (type === 'assistant') return { info: replyOf(row), parts: listOf(row.content).map(partOf) };
  if (type === 'synthetic' || type === 'skill' || type === 'system')
    return {
      info: { ...info, role: 'user' },
      parts: says(words(row.text), { synthetic: true }),
    };
  if (type === 'shell') {
    const { output } = row;
    const out = isRecord(output) ? words(output.output) : words(output);
    const text = `Shell command: ${words(row.command)}\n\n${out}`;
    return { info: { ...info, role: 'user' }, parts: says(text) };
  }
  if (type === 'compaction' && (row.status === undefined || row.status === 'completed')) {
    const recent = words(row.recent);
    return {
      info: { ...info, role: 'compaction' },
      parts: [...says(words(row.summary)), ...(recent === '' ? [] : says(recent))],
    };
  }
  const kind = [words(type) || 'unknown', words(row.status)].filter(Boolean).join('-');
  return { info: { ...info, role: kind }, parts: [] };
}

function replyOf({ id, time, agent, model, tokens, finish, error }: Row): Row {
  const kind = recordOf(error).type;
  const name = kind === 'aborted' ? 'MessageAbortedError' : kind;
  const data = { statusCode: recordOf(error).statusCode };
  return {
    ...{ id, role: 'assistant', time, agent, tokens, finish },
    ...{ modelID: recordOf(model).id, providerID: recordOf(model).providerID },
    ...(error === undefined ? {} : { error: { name, data } }),
  };
}

/** What a reply holds: text and reasoning are as before; a call has its result in its state. */
function partOf(item: Row): Row {
  if (item.type !== 'tool') {
    const { id: _, state, providerMetadata, ...rest } = item;
    const own = isRecord(state) ? { own: state } : providerMetadata;
    return own === undefined ? rest : { ...rest, metadata: own };
  }
  const state = recordOf(item.state);
  const time = recordOf(item.time);
  const content = listOf(state.content);
  const texts = content.flatMap(({ type, text }) => (type === 'text' ? [words(text)] : []));
  const files = content.filter(({ type }) => type !== 'text').map(fileOf);
  const { sessionId, sessionID } = recordOf(state.structured);
  const child = sessionId ?? sessionID;
  const failed = words(recordOf(state.error).message);
  return {
    ...{ type: 'tool', tool: item.name, callID: item.callID ?? item.id },
    state: {
      status: state.status,
      input: inputOf(state.input),
      ...(state.status === 'error'
        ? { error: [failed, ...texts].filter(Boolean).join('\n') }
        : { output: texts.length > 0 ? texts.join('\n') : structured(state) }),
      ...(child === undefined ? {} : { metadata: { sessionId: child } }),
      ...(files.length > 0 ? { attachments: files } : {}),
      time: { start: time.ran ?? time.created, end: time.completed, compacted: time.pruned },
    },
  };
}

/** Of a call that has no text as its result the model was shown what it had as JSON. */
function structured({ structured: value, result }: Row): string {
  const shown = result ?? value;
  if (typeof shown === 'string') return shown;
  const isEmpty = shown === undefined || Object.keys(recordOf(shown)).length === 0;
  return isEmpty ? '' : JSON.stringify(shown);
}

/** While a call streams, its input is the text that has come so far. */
function inputOf(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

/** Text files were shown as text; others are data, or an address that is not in the file. */
function fileOf(file: Row): Row {
  const mime = words(file.mime);
  const url = typeof file.data === 'string' ? `data:${mime};base64,${file.data}` : words(file.uri);
  const isText = mime === 'text/plain' || mime === 'application/x-directory';
  if (!isText || !url.startsWith('data:')) return { type: 'file', mime, url };
  const data = url.slice(url.indexOf(',') + 1);
  const text = /^[^,]*;base64,/.test(url)
    ? Buffer.from(data, 'base64').toString('utf8')
    : unescaped(data);
  return { type: 'text', text: `Attached file: ${words(file.name)}\n\n${text}` };
}

function unescaped(data: string): string {
  try {
    return decodeURIComponent(data);
  } catch {
    return data;
  }
}

const words = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): readonly Row[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];
