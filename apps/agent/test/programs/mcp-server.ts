import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * A server over stdio whose tools are what `tools.json` of its folder says, for what no well-behaved server does. It writes down
 * what was cancelled.
 */
const [folder = '.'] = process.argv.slice(2);
const say = (message: object) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

interface Asked {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: Record<string, unknown> };
}

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

const instructions = join(folder, 'instructions.txt');
const hello = () => ({
  protocolVersion: '2025-06-18',
  serverInfo: { name: 'test', version: '1' },
  capabilities: { tools: { listChanged: true } },
  ...(existsSync(instructions) && { instructions: readFileSync(instructions, 'utf8') }),
});

function answer({ id, method, params }: Asked): void {
  if (method === 'initialize') say({ id, result: hello() });
  else if (method === 'tools/list')
    say({ id, result: { tools: JSON.parse(readFileSync(join(folder, 'tools.json'), 'utf8')) } });
  else if (method === 'notifications/cancelled') writeFileSync(join(folder, 'cancelled'), 'yes');
  else if (method === 'tools/call') run(id, params?.name, params?.arguments);
  else if (id !== undefined) say({ id, error: { code: -32601, message: 'unknown' } });
}

function run(id?: number, name?: string, given?: Record<string, unknown>): void {
  if (name === 'die') process.exit(3);
  if (name === 'hang') {
    writeFileSync(join(folder, 'hanging'), 'yes');
    return;
  }
  if (name === 'change') {
    writeFileSync(join(folder, 'tools.json'), JSON.stringify(given?.tools));
    say({ method: 'notifications/tools/list_changed' });
  }
  const big = '0123456789\n'.repeat(10 * 95_325);
  say({ id, result: text(name === 'big' ? big : `${name} did ${JSON.stringify(given)}`) });
}

createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line) as Asked));
