import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The least a JSON server does: reads a body whole, parses it, and answers. */
const server = createServer(async (message, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const { model } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { model: string };
  const body = JSON.stringify({ model });
  response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body);
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
