import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sent, use, workbench } from './support.ts';

const RUNS = ['--permission-mode', 'bypassPermissions'];
const { resolve } = createRequire(import.meta.url);
const binary = (name: string) =>
  join(dirname(resolve(`@modelcontextprotocol/${name}/package.json`)), 'dist', 'index.js');
const EVERYTHING = { command: process.execPath, args: [binary('server-everything')] };
const config = (mcpServers: object) => ['--mcp-config', JSON.stringify({ mcpServers })];
interface Body {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools: readonly { readonly name: string; readonly defer_loading?: boolean }[];
}

type Bench = Awaited<ReturnType<typeof workbench>>;
const bodiesOf = ({ emulator }: Bench) => emulator.requests.map(({ json }) => json as Body);
const namesIn = ({ tools }: Body) => tools.map(({ name }) => name);
const said = (body: Body | undefined) => JSON.stringify(body?.messages ?? []);
/** The result of a call, as the request holds it. */
function resultIn(body: Body | undefined, id: string): Record<string, unknown> | undefined {
  const blocks = body?.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return blocks?.find((block) => block.tool_use_id === id);
}

describe('A10/MCP: a server', () => {
  test('is found while it connects, and its tools run; nothing in front of the conversation changes', async () => {
    const bench = await workbench({
      replies: [
        use('call_1', 'ToolSearch', { query: 'echo' }),
        use('call_2', 'mcp__every_thing__echo', { message: 'hello' }),
        use('call_3', 'mcp__every_thing__get-sum', { a: 2, b: 3 }),
        'Done.',
      ],
    });
    const args = config({ 'every thing': EVERYTHING });
    const { code, stderr } = await bench.run(['-p', 'Say hello.', ...args, ...RUNS]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const bodies = bodiesOf(bench);
    expect(said(bodies[0])).toContain('every_thing is still connecting');
    expect(namesIn(bodies[0] as Body).at(-1)).toBe('read_stored');
    expect(resultIn(bodies[1], 'call_1')?.content).toContainEqual({
      type: 'tool_reference',
      tool_name: 'mcp__every_thing__echo',
    });
    expect(bodies[1]?.tools.at(-1)?.defer_loading).toBe(true);
    expect(sent(resultIn(bodies[2], 'call_2'))).toContain('Echo: hello');
    expect(sent(resultIn(bodies[3], 'call_3'))).toContain('5');
    const plain = ({ tools }: Body) => sent(tools.filter((each) => !each.defer_loading));
    expect(new Set(bodies.map(plain)).size).toBe(1);
    bench.emulator.expectHitRate(0.6);
  }, 30_000);
});
