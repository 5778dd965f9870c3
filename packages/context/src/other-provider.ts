import {
  type Block,
  type Edit,
  type Entry,
  isThinking,
  type Message,
  type ProviderProfile,
} from '@varve/messages';
import { withObjectInput } from '@varve/messages/fit';
import { logOf } from '@varve/messages/log';
import { withoutBlocks } from './drop-stale-thinking.ts';
import type { RepairNews, Tell } from './event.ts';
import type { Keeper } from './keeper.ts';
import type { ModelFacts } from './model-facts.ts';

export interface OtherProviderOptions {
  readonly keeper: Keeper;
  readonly facts: () => ModelFacts;
  readonly now: () => number;
  readonly tell: Tell;
}

/**
 * Makes good what the provider of another model took and that of the next request refuses: inputs of calls that are no
 * objects, and thinking without a signature. It is looked for where the model has changed since it was last looked for.
 */
export function createOtherProvider({ keeper, facts, now, tell }: OtherProviderOptions) {
  let model: string | undefined;
  let isDue = false;
  return {
    observe(entry: Entry): void {
      if (entry.type !== 'head') return;
      isDue ||= model !== entry.head.model;
      model = entry.head.model;
    },
    repair(): void {
      if (!isDue) return;
      isDue = false;
      const { profiles } = facts();
      const view = keeper.layered.view();
      const { logged } = logOf(view);
      const shown = view.messages.filter(({ role }) => role === 'assistant');
      const messages = shown.flatMap(({ sources }) => sources.flatMap((id) => logged(id) ?? []));
      if (refuses(profiles, 'callInput', 'object')) mendInputs(messages);
      if (refuses(profiles, 'unsignedThinking', 'refused')) dropUnsigned(messages);
    },
  };

  function mendInputs(messages: readonly Message[]): void {
    const blocks = messages.flatMap(({ id: messageId, content }) =>
      content.flatMap((block, index) => {
        const mended = withObjectInput(block);
        return mended === block ? [] : { messageId, index, block: mended };
      }),
    );
    if (blocks.length === 0) return;
    append({ kind: 'replace-content', blocks }, { reason: 'call-inputs', count: blocks.length });
  }

  function dropUnsigned(messages: readonly Message[]): void {
    const unsigned = messages.filter(({ content }) => content.some(isUnsigned));
    const newId = () => keeper.layered.nextId('message');
    for (const make of withoutBlocks(unsigned, isUnsigned, newId)) {
      append(make(), { reason: 'half-thoughts', count: 1 });
    }
  }

  function append(edit: Edit, { reason, count }: Pick<RepairNews, 'reason' | 'count'>): void {
    const id = keeper.layered.nextId('edit');
    const body = { type: 'edit', by: LAYER, reason: 'other-provider', edit } as const;
    try {
      const { changedFrom } = keeper.append(body, new Date(now()).toISOString());
      tell({ layer: LAYER, kind: 'repaired', reason, count });
      const edited = { kind: 'edited', reason: body.reason, entryIds: [id], changedFrom } as const;
      tell({ layer: LAYER, ...edited });
    } catch (cause) {
      tell({ layer: LAYER, kind: 'failed', reason: 'edit-refused', cause });
    }
  }
}

const LAYER = 'context';

const isUnsigned = (block: Block): boolean => isThinking(block) && block.signature === '';

function refuses<Field extends 'callInput' | 'unsignedThinking'>(
  profiles: readonly ProviderProfile[],
  field: Field,
  rule: ProviderProfile[Field],
): boolean {
  return profiles.some((profile) => profile[field] === rule);
}
