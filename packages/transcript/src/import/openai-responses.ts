import { ITEM_FIELDS, readItem } from './codex-items.ts';
import type { CreateImporter } from './importer.ts';
import { partsOf } from './openai-content.ts';
import { addSystem, createPlain } from './plain.ts';

/** Items of OpenAI's Responses: what the model wrote between two inputs is one reply. */
export const createOpenaiResponses: CreateImporter = (context) => {
  let reply: string | undefined;
  return createPlain(context, {
    fields: ITEM_FIELDS,
    add(thread, item, place) {
      const read = readItem(item, place.id);
      if (read.kind === 'assistant') {
        reply ??= place.id;
        thread.assistant(read.content, { ...place, group: reply });
        return true;
      }
      reply = undefined;
      if (item.role === 'system' || item.role === 'developer') {
        return addSystem(thread, { content: partsOf(item.content), place, context });
      }
      if (read.kind === 'user') thread.user(read.content, { ...place, origin: read.origin });
      else if (read.kind === 'result') {
        thread.result(read.block, { ...place, origin: read.origin });
      }
      return read.kind !== 'unknown';
    },
  });
};
