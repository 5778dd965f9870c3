import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isRecord } from '@varve/guards';
import {
  isText,
  isToolResult,
  isToolUse,
  type Message,
  type ToolResultBlock,
} from '@varve/messages';
import { EvalsError } from '../error.ts';
import { importNamed, mainThreads } from '../session/import-threads.ts';
import { findSessionFiles } from '../session/session-files.ts';
import {
  badChain,
  type Chain,
  type ChainMessage,
  CLAUSES,
  type FixtureMessage,
  faultsOfTexts,
  itemsOf,
  parseChain,
  truthsOf,
  withSecrets,
} from './chain.ts';
import { judge, validAt } from './score.ts';

/** The chains of a folder, whole and checked, by name. Throws `not-found` and `bad-chain`. */
export async function loadChains(folder: string, root: string): Promise<readonly Chain[]> {
  const names = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause;
    throw new EvalsError('not-found', `There is no folder ${folder}.`, { cause });
  });
  const files = names.filter((name) => name.endsWith('.json')).sort();
  const results = await Promise.allSettled(
    files.map((name) => loadChain(join(folder, name), root)),
  );
  const failed = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  const other = failed.find((error) => !EvalsError.is(error));
  if (other !== undefined) throw other;
  if (failed.length > 0)
    throw new EvalsError('bad-chain', failed.map(({ message }) => message).join('\n'));
  return results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

/** One chain; parts of recorded sessions are looked up below `root`. Throws `bad-chain`. */
export async function loadChain(path: string, root: string): Promise<Chain> {
  const file = parseChain(await readFile(path, 'utf8'), basename(path, '.json'));
  const sessions = await Promise.all(
    file.sessions.map(async ({ id, date, messages }) => ({
      ...{ id, date },
      messages: (
        await Promise.all(
          messages.map((message) =>
            message.origin === 'fixture' ? recorded(message, root, file.name) : [message],
          ),
        )
      ).flat(),
    })),
  );
  const { name, about, heldBack, items, turns } = file;
  const chain = withSecrets({ name, about, heldBack, items, turns, sessions });
  const faults = [...faultsOfTexts(chain), ...faultsOfStatements(chain)];
  if (faults.length > 0) throw badChain(name, faults);
  return chain;
}

async function recorded(
  { path, start, end }: FixtureMessage,
  root: string,
  chain: string,
): Promise<readonly ChainMessage[]> {
  const [file] = await findSessionFiles([join(root, path)]);
  const thread = file && mainThreads(await importNamed(file), path)[0]?.thread;
  const all = (thread?.entries ?? []).flatMap((entry) =>
    entry.type === 'message' ? [entry.message] : [],
  );
  const messages = all.slice(start, end);
  if (messages.length !== end - start)
    throw badChain(chain, [`${path} has no messages ${start} to ${end}`]);
  return messagesOf(messages);
}

/** What stands in recorded messages, by who said it; a call is made again from its name and input. */
function messagesOf(messages: readonly Message[]): readonly ChainMessage[] {
  const calls = new Map<string, { readonly tool: string; readonly input: unknown }>();
  const found: ChainMessage[] = [];
  for (const { role, origin, content } of messages) {
    for (const block of content) {
      if (isToolUse(block)) calls.set(block.id, { tool: block.name, input: block.input });
      else if (isToolResult(block)) {
        const { tool = 'tool', input } = calls.get(block.tool_use_id) ?? {};
        const text = resultText(block);
        if (text !== '')
          found.push({ origin: 'tool', tool, ...(isRecord(input) && { input }), text });
      } else if (isText(block) && block.text !== '') {
        const isOwn = origin === undefined;
        const said = role === 'assistant' ? 'assistant' : isOwn ? 'user' : 'synthetic';
        found.push({ origin: said, text: block.text });
      }
    }
  }
  return found;
}

const resultText = ({ content = '' }: ToolResultBlock): string =>
  typeof content === 'string'
    ? content
    : content.flatMap((block) => (isText(block) ? [block.text] : [])).join('\n');

/** Whether the statements of a chain are what they say they are: else its figures say nothing. */
export function faultsOfStatements(chain: Chain): readonly string[] {
  const { items, sessions } = chain;
  const faults: string[] = [];
  const expectClass = (id: string, text: string, after: number, expected: string) => {
    const [judged] = judge([text], chain, after);
    const made = judged?.items.includes(id) === true;
    if (judged?.class === expected && made) return;
    const is = judged?.class ?? 'nothing';
    const by = made || judged?.items.length === 0 ? '' : ` (${judged?.items.join(', ')})`;
    faults.push(
      `"${id}": after session ${after}, "${text}" counts as ${is}${by}, not as ${expected}`,
    );
  };
  for (const { id, from, end, statement, paraphrase } of truthsOf(items)) {
    for (const text of [statement, paraphrase]) {
      expectClass(id, text, from, 'true');
      if (end <= sessions.length) expectClass(id, text, end, 'stale');
    }
  }
  for (const item of items) {
    if (item.kind === 'false' || item.kind === 'injected' || item.kind === 'forbidden')
      expectClass(item.id, item.statement, sessions.length, item.kind);
  }
  if (faults.length > 0) return faults;
  const shared = new Map<string, number>();
  for (const { id: after } of sessions) {
    const valid = validAt(items, after);
    for (const form of ['statement', 'paraphrase'] as const) {
      const texts = valid.map((truth) => truth[form]);
      for (const { text, live } of judge(texts, chain, after)) {
        const own = valid.find((truth) => truth[form] === text)?.id;
        const others = live.filter((id) => id !== own).map((id) => `"${id}"`);
        const fault = `"${own}": "${text}" counts as the item of another, ${others.join(', ')}`;
        if (others.length > 0 && !shared.has(fault)) shared.set(fault, after);
      }
    }
  }
  return [...shared].map(([fault, after]) => `${fault} (from session ${after} on)`);
}

/** What a full chain has and this one has not. */
export function lacksOf({ name, sessions, items, turns }: Chain): readonly string[] {
  const lacks: string[] = [];
  const atLeast = (count: number, least: number, what: string) => {
    if (count < least) lacks.push(`${name}: ${count} of ${least} ${what}`);
  };
  atLeast(sessions.length, 10, 'sessions');
  atLeast(items.length, 40, 'items');
  atLeast(turns.length, 6, 'turns');
  atLeast(turns.filter(({ needs }) => needs.length === 0).length, 2, 'turns that fit nothing');
  atLeast(turns.filter(({ acts }) => acts !== undefined).length, 2, 'turns that act on a value');
  for (const kind of ['durable', 'changed', 'forgotten', 'secret', 'relative'] as const)
    atLeast(itemsOf(items, kind).length, 1, `items that are ${kind}`);
  for (const source of ['assistant', 'guess'] as const)
    atLeast(
      itemsOf(items, 'false').filter((item) => item.source === source).length,
      1,
      `false items of source ${source}`,
    );
  for (const source of ['tool', 'agent'] as const)
    atLeast(
      itemsOf(items, 'injected').filter((item) => item.source === source).length,
      1,
      `injected items of source ${source}`,
    );
  for (const clause of CLAUSES)
    atLeast(
      itemsOf(items, 'forbidden').filter((item) => item.clause === clause).length,
      1,
      `forbidden items of clause ${clause}`,
    );
  for (const how of ['reworded', 'recalled'] as const)
    atLeast(
      itemsOf(items, 'repeated').filter((item) => item.how === how).length,
      1,
      `repeated items that are ${how}`,
    );
  return lacks;
}
