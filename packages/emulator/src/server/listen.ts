import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EmulatorError } from '../error.ts';
import { badOption } from '../options.ts';

export interface ListenOptions {
  /**
   * 0: any free one.
   * @default 0
   */
  readonly port?: number | undefined;
  /**
   * An address of this machine's loopback, unless `allowRemote` is set.
   * @default '127.0.0.1'
   */
  readonly host?: string | undefined;
  /**
   * Lets other machines reach the server: it speaks without encryption and takes any key.
   * @default false
   */
  readonly allowRemote?: boolean | undefined;
}

export interface Listening {
  readonly port: number;
  /** Without a slash at the end; SDKs of OpenAI want `/v1` behind it. */
  readonly url: string;
  /** Cuts every connection and resolves when no socket is left. Again is fine. */
  close(): Promise<void>;
}

export type Serve = (
  message: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
) => Promise<void>;

/** Opens a port. Throws `not-loopback`, `cannot-listen` or `bad-options`. */
export async function listen(serve: Serve, options: ListenOptions): Promise<Listening> {
  const { port = 0, host = '127.0.0.1', allowRemote = false } = options;
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw badOption('port', 'a number from 0 to 65,535', port);
  }
  if (!allowRemote && !isLoopback(host)) {
    const text = `\`${host}\` can be reached from other machines. Choose 127.0.0.1, or set \`allowRemote\`.`;
    throw new EmulatorError('not-loopback', text);
  }
  const closing = new AbortController();
  const server = createServer((message, response) => run(serve, message, response, closing.signal));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const status = BAD_STATUS.get(error.code) ?? '400 Bad Request';
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
    else socket.destroy();
  });
  await opened(server, port, host);
  const address = server.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  let closed: Promise<void> | undefined;
  return {
    port: address.port,
    url: `http://${shown}:${address.port}`,
    close: () => {
      closed ??= close(server, closing);
      return closed;
    },
  };
}

/** By what the parser of requests says; anything else that is no request is a bad one. */
const BAD_STATUS = new Map<string | undefined, string>([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

function opened(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // not once: where connections can be taken no more, for want of file handles, the server says so here and goes on
    server.on('error', (cause) => {
      reject(
        new EmulatorError('cannot-listen', `Port ${port} cannot be opened on ${host}.`, { cause }),
      );
    });
    server.listen(port, host, resolve);
  });
}

function close(server: Server, closing: AbortController): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    closing.abort();
    server.closeAllConnections();
  });
}

/** One request; a client that goes away ends it, and so does the server when it closes. */
function run(
  serve: Serve,
  message: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
): void {
  const gone = new AbortController();
  const abort = () => gone.abort();
  response.once('close', () => {
    closing.removeEventListener('abort', abort);
    if (!response.writableFinished) abort();
  });
  closing.addEventListener('abort', abort, { once: true });
  response.on('error', abort);
  serve(message, response, gone.signal).catch(() => response.destroy());
}
