import { isRecord } from '@varve/guards';
import {
  type Entry,
  fingerprint,
  type Head,
  type JsonObject,
  stableStringify,
  type TextBlock,
  type Tool,
} from '@varve/messages';
import { writtenForm } from '@varve/messages/log';
import { headFingerprint } from '@varve/messages/stamps';
import { checkHeadChange, checkThinkingBudget, checkThinkingParams } from './check-options.ts';
import type { Keeper } from './keeper.ts';
import type { ModelFacts } from './model-facts.ts';
import type { ContextOptions } from './options.ts';
import { withoutOwnMarkers } from './own-markers.ts';
import type { Enter } from './redact-entry.ts';
import { refuseHead } from './refuse-foreign.ts';

/** What `setHead` changes; what is left out stays as it is. */
export interface HeadChange {
  readonly model?: string | undefined;
  readonly system?: string | readonly TextBlock[] | undefined;
  /** The whole list. The read tool of a storage is added again. */
  readonly tools?: readonly Tool[] | undefined;
  /** Whole: thinking, betas, effort and whatever else the cached prefix depends on. */
  readonly params?: JsonObject | undefined;
}

type HeadOptions = Required<Pick<ContextOptions, 'model'>> &
  Pick<ContextOptions, 'system' | 'tools' | 'params' | 'storage'>;

/** The parts of a head, in the order in which a provider reads them. */
export const HEAD_PARTS = ['model', 'tools', 'system', 'params'] as const;
export type HeadPart = (typeof HEAD_PARTS)[number];

/** A fingerprint of each part of a head. */
type Parts = { readonly [part in HeadPart]: string };

/** Which parts of two heads differ, in the order in which a provider reads them. */
export function changedParts(before: Head, after: Head): readonly HeadPart[] {
  const [from, to] = [partsOf(before), partsOf(after)];
  return HEAD_PARTS.filter((part) => from[part] !== to[part]);
}

export interface HeadsOptions {
  readonly keeper: Keeper;
  readonly options: HeadOptions;
  readonly factsOf: (model: string) => ModelFacts;
  readonly at: () => string;
  /** What is done to a head before it is compared and appended. */
  readonly enter: Enter;
}

/**
 * The heads of a conversation. What `setHead` changed outlives a restart with the same options: a note beside such a head
 * says what the options were, and only a part in which they differ from then on takes its place.
 */
export function createHeads({ keeper, options, factsOf, at, enter }: HeadsOptions) {
  const { layered } = keeper;
  const { storage } = options;

  function append(head: Head, given: Parts): void {
    const { head: known } = layered.view();
    if (known !== undefined && headFingerprint(known) === headFingerprint(head)) return;
    checkThinkingParams(head);
    const facts = factsOf(head.model);
    checkThinkingBudget(head, { ...facts, headTokens: facts.headSize(head) });
    const time = at();
    writtenForm({ id: '-', at: time, type: 'head', head }); // refused before anything is in
    if (!isSame(partsOf(head), given)) {
      keeper.append({ type: 'note', by: 'context', data: { kind: HEAD_OPTIONS, ...given } }, time);
    }
    keeper.append({ type: 'head', head: { ...head, id: layered.nextId('head') } }, time);
  }

  return {
    /** Appends the head that the options describe, unless the log has it already: then its bytes stay as they are. */
    bring(): void {
      const { system = [], tools = [] } = options;
      const blocks = typeof system === 'string' ? [] : system;
      refuseHead({ system: blocks, tools }, factsOf(options.model).profiles);
      const asked = enter(headOf(options, layered.nextId('head')));
      const { head: known } = layered.view();
      const earlier = known && optionsOf(keeper.entries);
      const given = partsOf(asked);
      const kept = HEAD_PARTS.filter((part) => known && given[part] === earlier?.[part]);
      append({ ...asked, ...Object.fromEntries(kept.map((part) => [part, known?.[part]])) }, given);
    },

    /** Appends a head in which some parts are others. @throws TypeError, RangeError for parts that make no sense */
    set(change: HeadChange): Head {
      checkHeadChange(change);
      const known = layered.view().head as Head;
      const { model = known.model, tools = known.tools, params = known.params } = change;
      const { system = known.system } = change;
      const blocks = typeof change.system === 'object' ? change.system : [];
      refuseHead({ system: blocks, tools: change.tools ?? [] }, factsOf(model).profiles);
      const head = enter(headOf({ model, system, tools, params, storage }, layered.nextId('head')));
      append(head, optionsOf(keeper.entries) ?? partsOf(known));
      return layered.view().head as Head;
    },
  };
}

const HEAD_OPTIONS = 'head-options';

/** What the options of the newest run were, part by part. */
function optionsOf(entries: readonly Entry[]): Parts | undefined {
  const index = entries.findLastIndex(({ type }) => type === 'head');
  const [before, newest] = [entries[index - 1], entries[index]];
  if (newest?.type !== 'head') return undefined;
  const isNoted = before?.type === 'note' && before.by === 'context' && isRecord(before.data);
  const { kind, ...parts } = (isNoted ? before.data : {}) as unknown as Parts & { kind?: string };
  return kind === HEAD_OPTIONS ? parts : partsOf(newest.head);
}

function partsOf({ model, tools, system, params }: Head): Parts {
  return {
    model,
    tools: fingerprint(JSON.stringify(tools)),
    system: fingerprint(JSON.stringify(system)),
    params: fingerprint(stableStringify(params)),
  };
}

const isSame = (one: Parts, other: Parts): boolean =>
  HEAD_PARTS.every((part) => one[part] === other[part]);

function headOf(options: HeadOptions, id: string): Head {
  const { model, system = [], params = {} } = options;
  const blocks: readonly TextBlock[] =
    typeof system === 'string' ? [{ type: 'text', text: system }] : system;
  const filled = blocks.filter(({ text }) => text.trim() !== '');
  const [texts, tools] = [withoutOwnMarkers(filled), withoutOwnMarkers(toolsOf(options))];
  return { id, model, system: texts, tools, params };
}

/** The read tool comes last, and once where the caller has put it among the tools. */
function toolsOf({ tools = [], storage }: HeadOptions): Head['tools'] {
  const { readTool } = storage ?? {};
  if (readTool === undefined || tools.some(({ name }) => name === readTool.name)) return tools;
  return [...tools, readTool];
}
