import { type Fields, isRecord, numberOf, recordOf, textOf } from '@varve/guards';

/** What can be read of an error that an SDK threw, whichever SDK and whichever server behind it. */
export interface ErrorFacts {
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  readonly requestId: string | undefined;
  /** The provider's words for the kind, most general first. */
  readonly codes: readonly string[];
  /** What the provider wrote, with what a gateway passes on of the server behind it. */
  readonly text: string;
  /** Names of the error and of its causes: `APIConnectionTimeoutError`, `ECONNRESET`, … */
  readonly names: readonly string[];
  /** Token counts that stand in fields of the body, as llama.cpp has them. */
  readonly actualTokens: number | undefined;
  readonly limitTokens: number | undefined;
}

/** Reads by shape, because an SDK may be installed twice and because compatible servers answer in shapes of their own. */
export function readErrorFacts(error: unknown): ErrorFacts {
  const fields = recordOf(error);
  const body = bodyOf(fields.error);
  const headers = isHeaders(fields.headers) ? fields.headers : undefined;
  const status = numberOf(fields.status) ?? httpStatus(body.code) ?? httpStatus(body.status_code);
  return {
    status,
    headers,
    requestId: requestIdOf(fields, headers),
    codes: codesOf(fields, body),
    text: providerText(fields, body),
    names: namesOf(error),
    actualTokens: numberOf(body.n_prompt_tokens),
    limitTokens: numberOf(body.n_ctx),
  };
}

/** The innermost object that has the message: `{ error: { error: {…} } }`, `[{ error: {…} }]` and `{…}` occur. */
function bodyOf(value: unknown): Fields {
  const outer = recordOf(Array.isArray(value) ? value[0] : value);
  return isRecord(outer.error) ? bodyOf(outer.error) : outer;
}

function providerText(fields: Fields, body: Fields): string {
  const raw = recordOf(body.metadata).raw;
  const parts = [
    body.message,
    body.error,
    body.detail,
    raw,
    typeof fields.error === 'string' ? fields.error : '',
  ];
  const written = parts.map(plainText).filter((part) => part !== '');
  const details = body.details === undefined ? '' : JSON.stringify(body.details);
  return written.length > 0 ? [...written, details].join('\n') : textOf(fields.message);
}

const plainText = (value: unknown): string =>
  isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : textOf(value);

function codesOf(fields: Fields, body: Fields): string[] {
  const details = recordOf(body.details);
  const found = [body.type, body.code, body.status, details.error_code, fields.code, fields.type];
  return [...new Set(found.filter((code): code is string => typeof code === 'string'))];
}

function namesOf(error: unknown): string[] {
  const names: string[] = [];
  let current = error;
  for (let depth = 0; depth < 5 && isObject(current); depth++) {
    const { name, code, cause } = current as Fields;
    // the SDKs' errors keep the name `Error`; what they are says their class
    names.push(textOf(name), textOf(code), textOf(current.constructor?.name));
    current = cause;
  }
  return names.filter((name) => name !== '');
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isHeaders = (value: unknown): value is Headers =>
  isObject(value) && typeof (value as { get?: unknown }).get === 'function';

function requestIdOf(fields: Fields, headers: Headers | undefined): string | undefined {
  const found = [fields.requestID, recordOf(fields.error).request_id];
  const id = found.find((each): each is string => typeof each === 'string');
  return id ?? headers?.get('request-id') ?? headers?.get('x-request-id') ?? undefined;
}

/** Gateways put the status into the body, also of an error inside a stream. */
function httpStatus(value: unknown): number | undefined {
  const status = numberOf(value);
  return status !== undefined && status >= 400 && status < 600 ? status : undefined;
}
