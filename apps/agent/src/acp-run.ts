import { Readable, Writable } from 'node:stream';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import type { Options } from './options.ts';
import { createAcp } from './ui/acp.ts';
import { EXIT } from './ui/print.ts';

/** `varve --acp`: sessions for an editor over standard input and output, until it closes them. Gives the exit code. */
export async function runAcp(options: Options): Promise<number> {
  // standard output carries the protocol and nothing else
  console.log = console.info = console.debug = console.error;
  const acp = createAcp(options);
  const output = Writable.toWeb(process.stdout);
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
  const connection = acp.app.connect(ndJsonStream(output, input));
  let code = EXIT.done;
  const leave = () => {
    code = EXIT.interrupted;
    connection.close();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, leave);
  process.stdout.on('error', () => connection.close()); // nobody reads on
  await connection.closed;
  await acp.close();
  process.stdin.destroy();
  return code;
}
