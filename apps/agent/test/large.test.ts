import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createFileList } from '../src/commands/mentions.ts';
import { fetchTool } from '../src/tools/fetch.ts';
import { createFileCache } from '../src/tools/files.ts';
import { globTool, grepTool } from '../src/tools/search.ts';
import { folderOf, use, workbench } from './support.ts';

const { VARVE_SOAK } = process.env;
const MB = 2 ** 20;
const GIGABYTE = 2 ** 30;

/** What a person's day does not bring, and a hostile one may: sizes that fill a memory. */

const options = (cwd: string) => ({
  ...{ cwd, signal: new AbortController().signal, callId: 'call_1', emit: () => undefined },
  files: createFileCache(),
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Sends a gigabyte, as fast as it is taken. Gives how much was. */
function flood(into: NodeJS.WritableStream, chunk = Buffer.alloc(64 * 1024, 'a')) {
  const sent = { bytes: 0 };
  const more = (): void => {
    while (sent.bytes < GIGABYTE) {
      sent.bytes += chunk.length;
      if (!into.write(chunk)) return void into.once('drain', more);
    }
    into.end();
  };
  into.on('error', () => undefined);
  more();
  return sent;
}

test.each(['plain', 'packed'])(
  'A2: of a %s page of a gigabyte the beginning is read',
  async (kind) => {
    let sent = { bytes: 0 };
    const url = await serve((_, response) => {
      response.setHeader('content-type', 'text/plain');
      if (kind === 'plain') sent = flood(response);
      else {
        response.setHeader('content-encoding', 'gzip');
        const gzip = createGzip();
        gzip.pipe(response);
        sent = flood(gzip);
      }
    });
    const before = process.memoryUsage().rss;
    const output = await fetchTool.run({ url }, options(folderOf('varve-large-')));
    expect(String(output).length).toBeLessThan(6 * MB);
    expect(String(output)).toMatch(/\(cut after \d+ bytes\)$/);
    if (kind === 'plain') expect(sent.bytes).toBeLessThan(64 * MB);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * MB);
  },
  60_000,
);

test.each(['application/json', 'text/event-stream'])(
  'A2: an MCP server that answers with a gigabyte as %s fails the call, and the program goes on',
  async (type) => {
    const answers: Readonly<Record<string, object>> = {
      initialize: {
        protocolVersion: '2025-06-18',
        serverInfo: { name: 'web', version: '1' },
        capabilities: { tools: {} },
      },
      'tools/list': {
        tools: [{ name: 'flood', inputSchema: { type: 'object', properties: {} } }],
      },
    };
    let sent = { bytes: 0 };
    const url = await serve(async (request, response) => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      let body = '';
      for await (const chunk of request) body += chunk;
      const { id, method } = JSON.parse(body) as { id?: number; method: string };
      if (id === undefined) return void response.writeHead(202).end();
      if (method === 'tools/call') {
        response.writeHead(200, { 'content-type': type });
        response.write(`${type === 'application/json' ? '' : 'data: '}{"jsonrpc":"2.0","text":"`);
        sent = flood(response);
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      const said = answers[method] ?? {};
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: said }));
    });
    const { run, bodies } = await workbench({
      replies: ({ request }) =>
        JSON.stringify(request.messages.at(-1)).includes('tool_result')
          ? 'It failed.'
          : use('call_1', 'mcp__web__flood', {}),
    });
    const config = JSON.stringify({ mcpServers: { web: { type: 'http', url, timeout: 10_000 } } });
    const ran = await run(
      ['-p', 'Flood.', '--mcp-config', config, '--permission-mode', 'bypassPermissions'],
      { env: { NODE_OPTIONS: '--max-old-space-size=400' } },
    );
    expect(ran).toMatchObject({ code: 0, stdout: 'It failed.\n' });
    expect(JSON.stringify(bodies().at(-1)?.messages.at(-1))).toContain('more than 64 MB');
    expect(sent.bytes).toBeLessThan(200 * MB);
  },
  60_000,
);

const FILES = VARVE_SOAK ? 200_000 : 4_000;
test(`A2: a folder of ${FILES} files is searched and completed in bounded room`, async () => {
  const cwd = folderOf('varve-large-');
  const FOLDERS = 100;
  for (let at = 0; at < FILES; at++) {
    const folder = join(cwd, `folder-with-a-longer-name-${at % FOLDERS}`);
    if (at < FOLDERS) mkdirSync(folder);
    writeFileSync(join(folder, `file-with-a-longer-name-${at}.ts`), `export const x = ${at};\n`);
  }
  const newest = join(cwd, 'folder-with-a-longer-name-7', 'file-with-a-longer-name-107.ts');
  utimesSync(newest, Date.now() / 1000 + 60, Date.now() / 1000 + 60);
  const before = process.memoryUsage().rss;
  const globbed = String(await globTool.run({ pattern: '**/*.ts' }, options(cwd)));
  expect(globbed.split('\n')[0]).toBe(newest);
  expect(globbed).toContain(`(${FILES - 100} more)`);
  const grepped = await grepTool.run({ pattern: 'x = 1', output_mode: 'content' }, options(cwd));
  expect(String(grepped)).toMatch(/\(\d+ more\)$/);
  expect(await createFileList(cwd)()).toHaveLength(Math.min(FILES, 20_000));
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * MB);
}, 900_000);

const LOG_MB = VARVE_SOAK ? 200 : 10;
test(`A6: a session whose log has ${LOG_MB} MB is gone on with, and listed`, async () => {
  const { run, config, bodies } = await workbench({ replies: () => 'Fine.' });
  await run(['-p', 'Tell me of the lighthouse.']);
  const folder = join(config, 'projects', readdirSync(join(config, 'projects'))[0] ?? '');
  const name = readdirSync(folder).find((each) => each.endsWith('.jsonl')) ?? '';
  const log = join(folder, name);
  let number = readFileSync(log, 'utf8').trimEnd().split('\n').length;
  const first = `message-${number + 1}`;
  const text = 'lorem ipsum dolor sit amet '.repeat(800);
  const entry = (role: 'user' | 'assistant') => {
    const id = `message-${++number}`;
    const response = { id, model: 'claude-opus-5-5', stopReason: 'end_turn' };
    const message = {
      id,
      role,
      content: [{ type: 'text', text }],
      ...(role === 'assistant' && { response }),
    };
    return `${JSON.stringify({ id, at: '2026-11-30T10:00:00.000Z', type: 'message', message })}\n`;
  };
  for (let bytes = 0; bytes < LOG_MB * MB; ) {
    const pair = entry('user') + entry('assistant');
    bytes += pair.length;
    appendFileSync(log, pair);
  }
  const edit = {
    kind: 'replace-span',
    fromId: first,
    toId: `message-${number}`,
    with: [],
    then: [],
  };
  const at = '2026-11-30T10:00:00.000Z';
  appendFileSync(
    log,
    `${JSON.stringify({ id: `edit-${number + 1}`, at, type: 'edit', by: 'rewind', reason: 'rewind', edit })}\n`,
  );
  const ran = await run(['-p', '-c', 'Go on.'], {
    env: { NODE_OPTIONS: `--max-old-space-size=${150 + 3 * LOG_MB}` },
  });
  expect(ran).toEqual({ code: 0, signal: null, stdout: 'Fine.\n', stderr: '' });
  expect(JSON.stringify(bodies().at(-1)?.messages)).toContain('lighthouse');
  expect(JSON.stringify(bodies().at(-1)?.messages)).not.toContain('lorem');
  const listed = await run(['-p', '-r', 'none', 'Go on.'], {
    env: { NODE_OPTIONS: '--max-old-space-size=80' },
  });
  expect(listed.stderr).toContain('Tell me of the lighthouse.');
}, 300_000);
