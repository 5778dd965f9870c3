import { type Block, isToolResult, type Message, toolResults, toolUses } from '@varve/messages';
import { createToolStorage, memoryStore } from '@varve/tool-storage';
import type { StrategyContext, StrategyRun } from '../strategy.ts';

/** Limits of the storage; what is left out is as `@varve/tool-storage` has it. */
export type OffloadingOptions = Pick<
  Parameters<typeof createToolStorage>[0],
  'threshold' | 'thresholdOf' | 'preview'
>;

/**
 * A run behind a storage: before a request, the results that have come are put into it together, and the run sees what a
 * model would. What was fetched again stays whole, as the answer of a read tool does. That tool stands among those of the
 * head that `create` is given.
 */
export function behindStorage(
  context: StrategyContext,
  create: (context: StrategyContext) => StrategyRun,
  options: OffloadingOptions = {},
): StrategyRun {
  const storage = createToolStorage({ store: memoryStore(), sessionId: 'replay', ...options });
  const { head } = context;
  const run = create({ ...context, head: { ...head, tools: [...head.tools, storage.readTool] } });
  let waiting: Message[] = [];
  let toolNames = new Map<string, string>();

  async function shown(messages: readonly Message[]): Promise<readonly Message[]> {
    const outputs = messages.flatMap(toolResults).map((result) => ({
      toolUseId: result.tool_use_id,
      toolName: toolNames.get(result.tool_use_id) ?? '',
      content: result.content ?? '',
    }));
    const offloaded = await storage.offloadRound(outputs);
    let next = 0;
    return messages.map((message) =>
      withResults(message, (block) => {
        const { kind, content } = offloaded[next++] ?? { kind: 'kept', content: '' };
        return kind === 'kept' ? block : ({ ...block, content } as Block);
      }),
    );
  }

  async function pass(): Promise<void> {
    const added = waiting;
    waiting = [];
    for (const { role, content } of added) {
      if (role === 'assistant') toolNames = namesOf(content, toolNames);
    }
    const fresh = added.filter(({ origin }) => origin?.kind !== 're-read');
    const replaced = await shown(fresh.filter((message) => toolResults(message).length > 0));
    const byId = new Map(replaced.map((message) => [message.id, message]));
    for (const message of added) run.add(byId.get(message.id) ?? message);
  }

  return {
    ...run,
    add: (message) => void waiting.push(message),
    async replied() {
      await pass();
      await run.replied?.();
    },
    async prepare() {
      await pass();
      await run.prepare?.();
    },
  };
}

/** The message itself where `change` gives back every result it is asked about. */
function withResults(message: Message, change: (block: Block) => Block): Message {
  const content = message.content.map((block) => (isToolResult(block) ? change(block) : block));
  return content.every((block, at) => block === message.content[at])
    ? message
    : { ...message, content };
}

/** Ids may come again in a later round: the newest name counts. */
function namesOf(content: readonly Block[], before: ReadonlyMap<string, string>) {
  const calls = content.length > 0 ? toolUses({ content }) : [];
  return new Map([...before, ...calls.map(({ id, name }) => [id, name] as const)]);
}
