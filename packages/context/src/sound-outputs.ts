import { isRecord } from '@varve/guards';
import {
  type Block,
  isThinking,
  isToolResult,
  isToolUse,
  type ProviderProfile,
} from '@varve/messages';
import { ContextError } from './error.ts';
import { isBlocks } from './is-block.ts';
import type { ToolOutput } from './options.ts';
import { refuseBlocks, refuseForeign, refuseMedia } from './refuse-foreign.ts';

/** Throws `malformed-result` for what could not be written or would have every later request refused. */
export function checkOutputs(
  outputs: readonly ToolOutput[],
  profiles: readonly ProviderProfile[],
): void {
  if (!Array.isArray(outputs))
    throw malformed('Expected a list of results `{ toolUseId, content }`.');
  for (const output of outputs) {
    if (!isRecord(output)) throw malformed('Expected each result to be `{ toolUseId, content }`.');
    for (const part of [output, output.content]) {
      refuseForeign(part, { role: 'user', code: 'malformed-result' });
    }
    if (typeof output.toolUseId !== 'string') {
      const found =
        'tool_use_id' in output ? 'a `tool_result` block' : `\`toolUseId\` ${output.toolUseId}`;
      throw malformed(
        `Expected each result to be \`{ toolUseId, content, isError }\`, got ${found}.`,
      );
    }
    refuseMedia(output.content, { code: 'malformed-result', profiles });
    if (isContent(output.content)) continue;
    throw malformed(
      `Expected the content of call \`${output.toolUseId}\` to be a text, a Uint8Array, or blocks of text and media.`,
    );
  }
  // what one request carries, the results of all calls together
  const blocks = outputs.flatMap(({ content }) => (isBlocks(content) ? content : []));
  refuseBlocks(blocks, { code: 'malformed-result', profiles });
}

const isContent = (content: unknown): boolean =>
  typeof content === 'string' ||
  content instanceof Uint8Array ||
  (isBlocks(content) && !content.some(isOfRounds));

/** What stands beside results, never inside of one. */
const isOfRounds = (block: Block): boolean =>
  isToolUse(block) || isToolResult(block) || isThinking(block);

const malformed = (what: string): ContextError =>
  new ContextError('malformed-result', `${what} Pass that, or end the call with \`closeRound\`.`);
