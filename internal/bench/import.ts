import { importSession } from '@varve/transcript/import';
import type { BenchRow } from './bench-row.ts';
import { medianOf, millisecondsWorked } from './timing.ts';

const TURNS = 3_000;
const ROUNDS = 5;
/** Of `JSON.parse`, which reads the same lines at 400 to 800 MB/s on a core: 7 times its time is 60 to 110 MB/s. */
const LIMIT = 7;

const at = (turn: number, part: number) =>
  new Date(Date.UTC(2026, 0, 1) + turn * 60_000 + part * 1000).toISOString();

/** Some 2,400 characters that differ from turn to turn, as a tool would give them. */
const outputOf = (turn: number): string =>
  Array.from(
    { length: 40 },
    (_, line) => `${turn}:${line} export const value = "${turn * line}";`,
  ).join('\n');

const call = (turn: number) => ({ id: `call_${turn}`, input: { path: `src/file-${turn}.ts` } });

/** A turn of each format: a prompt, a call, its result and an answer. */
const TURN: Readonly<Record<string, (turn: number) => readonly unknown[]>> = {
  'claude-code': (turn) => {
    const record = (type: string, part: number, message: unknown) => ({
      parentUuid:
        part === 0 && turn === 0
          ? null
          : `u${part === 0 ? turn - 1 : turn}-${part === 0 ? 3 : part - 1}`,
      isSidechain: false,
      userType: 'external',
      cwd: '/home/dev/project',
      sessionId: 's',
      version: '2.1.240',
      gitBranch: 'main',
      type,
      message,
      uuid: `u${turn}-${part}`,
      timestamp: at(turn, part),
    });
    const reply = (id: string, content: unknown, stop: string) => ({
      id,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5',
      content: [content],
      stop_reason: stop,
      usage: {
        input_tokens: 3,
        cache_read_input_tokens: 9000,
        cache_creation_input_tokens: 400,
        output_tokens: 80,
      },
    });
    const { id, input } = call(turn);
    return [
      record('user', 0, { role: 'user', content: `Look at file ${turn}.` }),
      record(
        'assistant',
        1,
        reply(`m${turn}a`, { type: 'tool_use', id, name: 'Read', input }, 'tool_use'),
      ),
      record('user', 2, {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: outputOf(turn) }],
      }),
      record(
        'assistant',
        3,
        reply(`m${turn}b`, { type: 'text', text: `Seen ${turn}.` }, 'end_turn'),
      ),
    ];
  },
  codex: (turn) => {
    const record = (part: number, type: string, payload: unknown) => ({
      timestamp: at(turn, part),
      type,
      payload,
    });
    const { id, input } = call(turn);
    const usage = { input_tokens: 9000 * (turn + 1), cached_input_tokens: 8000, output_tokens: 80 };
    return [
      record(0, 'response_item', {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: `Look at ${turn}.` }],
      }),
      record(1, 'response_item', {
        type: 'function_call',
        name: 'shell',
        arguments: JSON.stringify(input),
        call_id: id,
      }),
      record(2, 'response_item', {
        type: 'function_call_output',
        call_id: id,
        output: outputOf(turn),
      }),
      record(3, 'response_item', {
        type: 'message',
        role: 'assistant',
        id: `m${turn}`,
        content: [{ type: 'output_text', text: `Seen ${turn}.` }],
      }),
      record(3, 'event_msg', {
        type: 'token_count',
        info: { total_token_usage: usage, last_token_usage: usage },
      }),
    ];
  },
  'copilot-cli': (turn) => {
    const event = (part: number, type: string, data: unknown) => ({
      type,
      data,
      id: `e${turn}-${part}`,
      timestamp: at(turn, part),
    });
    const { id, input } = call(turn);
    return [
      event(0, 'user.message', { content: `Look at ${turn}.` }),
      event(1, 'assistant.message', {
        messageId: `m${turn}a`,
        model: 'gpt-5.5',
        content: '',
        toolRequests: [{ toolCallId: id, name: 'view', arguments: input }],
        outputTokens: 80,
      }),
      event(2, 'tool.execution_complete', {
        toolCallId: id,
        success: true,
        result: { content: outputOf(turn) },
      }),
      event(3, 'assistant.message', {
        messageId: `m${turn}b`,
        model: 'gpt-5.5',
        content: `Seen ${turn}.`,
        toolRequests: [],
        outputTokens: 9,
      }),
    ];
  },
  pi: (turn) => {
    const entry = (part: number, message: unknown) => ({
      type: 'message',
      id: `${turn}-${part}`,
      parentId: part === 0 ? (turn === 0 ? null : `${turn - 1}-3`) : `${turn}-${part - 1}`,
      timestamp: at(turn, part),
      message,
    });
    const reply = (content: unknown, stopReason: string) => ({
      role: 'assistant',
      content: [content],
      model: 'claude-opus-5',
      stopReason,
      usage: { input: 3, output: 80, cacheRead: 9000, cacheWrite: 400 },
    });
    const { id, input } = call(turn);
    return [
      ...(turn === 0
        ? [{ type: 'session', version: 3, id: 's', cwd: '/home/dev', timestamp: at(0, 0) }]
        : []),
      entry(0, { role: 'user', content: [{ type: 'text', text: `Look at ${turn}.` }] }),
      entry(1, reply({ type: 'toolCall', id, name: 'read', arguments: input }, 'toolUse')),
      entry(2, {
        role: 'toolResult',
        toolCallId: id,
        toolName: 'read',
        content: [{ type: 'text', text: outputOf(turn) }],
        isError: false,
      }),
      entry(3, reply({ type: 'text', text: `Seen ${turn}.` }, 'stop')),
    ];
  },
  'qwen-code': (turn) => {
    const record = (part: number, type: string, role: string, parts: unknown, more = {}) => ({
      uuid: `${turn}-${part}`,
      parentUuid: part === 0 ? (turn === 0 ? null : `${turn - 1}-3`) : `${turn}-${part - 1}`,
      sessionId: 's',
      timestamp: at(turn, part),
      type,
      message: { role, parts },
      ...more,
    });
    const paid = {
      model: 'qwen3-coder-plus',
      usageMetadata: { promptTokenCount: 9000, candidatesTokenCount: 80, totalTokenCount: 9080 },
    };
    const { id, input } = call(turn);
    return [
      record(0, 'user', 'user', [{ text: `Look at ${turn}.` }]),
      record(
        1,
        'assistant',
        'model',
        [{ functionCall: { id, name: 'read_file', args: input } }],
        paid,
      ),
      record(2, 'tool_result', 'user', [
        { functionResponse: { id, name: 'read_file', response: { output: outputOf(turn) } } },
      ]),
      record(3, 'assistant', 'model', [{ text: `Seen ${turn}.` }], paid),
    ];
  },
};

/** Imports of long sessions, a format a row; and what an import holds while most of a file is of no use. */
export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const format of Object.keys(TURN)) rows.push(await speedOf(format));
  return [...rows, await memoryRow(), await historyRow()];
}

async function speedOf(format: string): Promise<BenchRow> {
  const lines = Array.from({ length: TURNS }, (_, turn) => TURN[format]?.(turn) ?? [])
    .flat()
    .map((record) => JSON.stringify(record));
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  const [ours, floor]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    floor.push(await millisecondsWorked(() => lines.map((line) => JSON.parse(line))));
    ours.push(
      await millisecondsWorked(() =>
        importSession(chunksOf(bytes), { name: 'bench', format: undefined }),
      ),
    );
  }
  const [mine, peer] = [medianOf(ours), medianOf(floor)];
  const ratio = mine / peer;
  const speed = Math.round(bytes.length / 1000 / mine);
  return {
    id: `G9 ${format}`,
    what: `import ${(bytes.length / 1e6).toFixed(1)} MB of ${format} (${speed} MB/s of a core), against JSON.parse of the lines`,
    ours: mine,
    peer,
    unit: 'ms',
    ratio,
    goal: `≤ ${LIMIT} ×`,
    met: ratio <= LIMIT,
  };
}

function* chunksOf(bytes: Buffer): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 1 << 20)
    yield bytes.subarray(start, start + (1 << 20));
}

const MB = 1e6;

/** A conversation of ten turns with so many MB of records beside it that the import has no use for. */
async function heldBeside(megabytes: number): Promise<number> {
  const turns = Array.from({ length: 10 }, (_, turn) => TURN['claude-code']?.(turn) ?? []).flat();
  const beside = Buffer.from(
    `${JSON.stringify({ type: 'progress', sessionId: 's', data: { type: 'bash_progress', output: outputOf(1) } })}\n`.repeat(
      400,
    ),
  );
  let most = 0;
  async function* file() {
    yield Buffer.from(turns.map((record) => `${JSON.stringify(record)}\n`).join(''));
    for (let given = 0, next = 0; given < megabytes * MB; given += beside.length) {
      yield beside;
      if (given < next) continue;
      next += 4 * MB;
      global.gc?.();
      most = Math.max(most, process.memoryUsage().heapUsed);
    }
  }
  await importSession(file(), { name: 'bench' });
  return most / MB;
}

async function memoryRow(): Promise<BenchRow> {
  await heldBeside(4);
  const [small, large] = [await heldBeside(10), await heldBeside(200)];
  const ratio = large / small;
  const what = 'memory of an import with 200 MB beside its conversation, against 10 MB';
  return {
    id: 'G9 import memory',
    what,
    ours: large,
    peer: small,
    unit: 'MB',
    ratio,
    goal: '≤ 1.2 ×',
    met: ratio <= 1.2,
  };
}

/** A conversation of so many MB, given piece by piece, so that the import alone can hold it. */
function* conversation(megabytes: number): Generator<Uint8Array> {
  for (let turn = 0, given = 0; given < megabytes * MB; turn++) {
    const lines = (TURN['claude-code']?.(turn) ?? []).map(
      (record) => `${JSON.stringify(record)}\n`,
    );
    const bytes = Buffer.from(lines.join(''));
    given += bytes.length;
    yield bytes;
  }
}

/** The history is what grows with a file: its texts, and what entries take beside them. */
async function historyRow(): Promise<BenchRow> {
  const megabytes = 60;
  global.gc?.();
  const before = process.memoryUsage().heapUsed;
  const session = await importSession(conversation(megabytes), { name: 'bench' });
  global.gc?.();
  const held = (process.memoryUsage().heapUsed - before) / MB;
  const ratio = held / megabytes;
  return {
    id: 'G9 import history',
    what: `memory that a conversation of ${megabytes} MB takes when it is read (${session.threads[0]?.entries.length} entries), against its file`,
    ours: held,
    peer: megabytes,
    unit: 'MB',
    ratio,
    goal: '≤ 1.3 ×',
    met: ratio <= 1.3,
  };
}
