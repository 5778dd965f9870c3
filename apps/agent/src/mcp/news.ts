import { createHash } from 'node:crypto';
import type { Context } from '@varve/context';
import { recordOf, textOf } from '@varve/guards';
import type { Entry, Tool as ToolDefinition } from '@varve/messages';
import { textOf as textOfMessage } from '../loop.ts';
import { notesOf, type WriteNote } from '../notes.ts';
import { reminder } from '../prompt/reminder.ts';
import type { Reminder } from '../reminders/producers.ts';
import type { McpServer, ServerStatus } from './connect.ts';
import type { createLoadedTools } from './deferred.ts';
import { SEARCH_NAME } from './names.ts';

/** From so many tools that are not in the request on, only their servers are named. */
const MOST_NAMED = 200;
const NOTE = 'mcp-told';

/** What the model was told of a server. */
interface Told {
  status?: ServerStatus;
  readonly names: Set<string>;
  /** Tools that it was told are no more. */
  readonly gone: Set<string>;
  /** Fingerprint of the instructions. */
  said?: string;
  /** Fingerprints of definitions that are others than when they were loaded, by name. */
  readonly changed: Map<string, string>;
}

/** What one reminder tells of one server, as a note keeps it. */
interface Change {
  status?: ServerStatus;
  added?: readonly string[];
  gone?: readonly string[];
  said?: string;
  changed?: Readonly<Record<string, string>>;
}

export interface NewsOptions {
  readonly servers: readonly McpServer[];
  readonly loaded: ReturnType<typeof createLoadedTools>;
  readonly context: () => Context;
  readonly entries: readonly Entry[];
  readonly note: WriteNote;
}

/**
 * What changed of the servers since the model was told, as a reminder for behind the conversation. What it was told is what
 * stands in the conversation still: a note in the log says of each reminder what it tells.
 */
export function createNews({ servers, loaded, context, entries, note }: NewsOptions) {
  const notes = new Map<string, Readonly<Record<string, Change>>>(
    notesOf(entries, NOTE).map(({ mark, changes }) => [
      textOf(mark),
      recordOf(changes) as Record<string, Change>,
    ]),
  );
  let told: Map<string, Told> | undefined;

  function toldNow(): Map<string, Told> {
    if (told !== undefined) return told;
    told = new Map();
    for (const message of context().view().messages) {
      if (message.origin?.kind !== 'reminder') continue;
      for (const [name, change] of Object.entries(notes.get(markOf(textOfMessage(message))) ?? {}))
        apply(told, name, change);
    }
    return told;
  }

  function next(): Reminder[] {
    const known = toldNow();
    const unnamed = servers.flatMap(({ status, tools }) =>
      status === 'connected' ? tools.filter(({ name }) => !loaded.isVisible(name)) : [],
    );
    const changes: Record<string, Change> = {};
    const lines: string[] = [];
    const texts: string[] = [];
    for (const server of servers) {
      const before = known.get(server.name) ?? newTold();
      const change = changeOf(server, before);
      if (Object.keys(change).length === 0) continue;
      changes[server.name] = change;
      const isNaming = unnamed.length <= MOST_NAMED;
      lines.push(...linesOf(server, change, { isLoaded: loaded.isVisible, isNaming }));
      if (change.said !== undefined)
        texts.push(
          `What ${server.name} says of its tools; it comes from the server, not from the person:\n${server.instructions}`,
        );
    }
    if (lines.length + texts.length === 0) return [];
    const list =
      lines.length === 0 ? [] : [`MCP servers:\n${lines.map((line) => `- ${line}`).join('\n')}`];
    const text = [...list, ...texts].join('\n\n');
    const told = async () => {
      for (const [name, change] of Object.entries(changes)) apply(toldNow(), name, change);
      const mark = markOf(reminder(text));
      notes.set(mark, changes);
      await note({ kind: NOTE, mark, changes: changes as never });
    };
    return [{ text, told }];
  }

  function changeOf(server: McpServer, told: Told): Change {
    const change: Change = {};
    const { name: own, status, tools, instructions } = server;
    if (status !== 'connected') return status === told.status ? {} : { status };
    if (told.status !== undefined && told.status !== status) change.status = status;
    const there = new Set(tools.map(({ name }) => name));
    const isKnown = (name: string) =>
      !told.gone.has(name) && (told.names.has(name) || loaded.isVisible(name));
    const added = [...there].filter((name) => !isKnown(name));
    const gone = [...new Set([...told.names, ...loaded.namesOf(own)])].filter(
      (name) => isKnown(name) && !there.has(name),
    );
    const changed = tools.flatMap(({ name, definition }) => {
      const first = loaded.definition(name);
      const before = told.changed.get(name) ?? (first && definitionMark(first));
      const now = definitionMark(definition);
      return before === undefined || before === now ? [] : [[name, now] as const];
    });
    if (added.length > 0) change.added = added;
    if (gone.length > 0) change.gone = gone;
    if (instructions !== '' && markOf(instructions) !== told.said)
      change.said = markOf(instructions);
    if (changed.length > 0) change.changed = Object.fromEntries(changed);
    return change;
  }

  return {
    next,
    /** Everything anew, for behind a summary. */
    async again(): Promise<string[]> {
      told = new Map();
      const [all] = next();
      await all?.told?.();
      return all === undefined ? [] : [all.text];
    },
    /** Something of the conversation became something else: perhaps what was told did. */
    check(): void {
      told = undefined;
    },
  };
}

const newTold = (): Told => ({ names: new Set(), gone: new Set(), changed: new Map() });

function apply(told: Map<string, Told>, name: string, change: Change): void {
  const known = told.get(name) ?? newTold();
  told.set(name, known);
  if (change.status !== undefined) known.status = change.status;
  if (change.said !== undefined) known.said = change.said;
  for (const tool of change.added ?? []) {
    known.names.add(tool);
    known.gone.delete(tool);
  }
  for (const tool of change.gone ?? []) {
    known.names.delete(tool);
    known.gone.add(tool);
  }
  for (const [tool, mark] of Object.entries(change.changed ?? {})) known.changed.set(tool, mark);
}

function linesOf(
  { name, status, tools }: McpServer,
  { added = [], gone = [], changed = {}, ...change }: Change,
  { isLoaded, isNaming }: { isLoaded: (name: string) => boolean; isNaming: boolean },
): string[] {
  const lines: string[] = [];
  switch (change.status) {
    case 'connecting':
      lines.push(`${name} is still connecting; ${SEARCH_NAME} waits for it.`);
      break;
    case 'failed':
      lines.push(`${name} could not be connected.`);
      break;
    case 'left':
      lines.push(`${name} left: its tools answer with an error until it is back.`);
      break;
    case 'connected':
      lines.push(`${name} is connected.`);
  }
  if (status !== 'connected') return lines;
  const back = added.filter(isLoaded);
  const fresh = added.filter((tool) => !isLoaded(tool));
  if (back.length > 0) lines.push(`${name} has these tools again: ${back.join(', ')}`);
  if (fresh.length > 0)
    lines.push(
      isNaming
        ? `${name} has tools that ${SEARCH_NAME} loads: ${fresh.join(', ')}`
        : `${name} has ${tools.length} tools, which ${SEARCH_NAME} finds by what they do.`,
    );
  if (gone.length > 0) lines.push(`${name} has these tools no more: ${gone.join(', ')}`);
  for (const { name: tool, definition } of tools)
    if (changed[tool] !== undefined)
      lines.push(`${tool} changed, and is this now: ${JSON.stringify(definition)}`);
  return lines;
}

/** Of a definition without how it is sent. */
const definitionMark = ({ defer_loading: _, ...definition }: ToolDefinition): string =>
  markOf(JSON.stringify(definition));

const markOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);
