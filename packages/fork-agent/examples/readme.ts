import { createFork, ForkError, fanOut } from '@varve/fork-agent';
import { onlyTools } from '@varve/fork-agent/definitions';
import { forkResultBlock } from '@varve/fork-agent/hand-back';
import type { Request } from '@varve/messages';
import { createModelStream, type ModelClient } from '@varve/models';

// stands for a provider, so that this runs without a key; use createAnthropicClient or createOpenAIChatClient
const client: ModelClient = {
  provider: 'example',
  stream: ({ messages }) =>
    createModelStream(async function* () {
      const content = [{ type: 'text', text: `Read ${messages.length} messages. No callers.` }];
      const usage = { input_tokens: 40, output_tokens: 9, cache_read_input_tokens: 9_000 };
      const stopReason = 'end_turn' as const;
      const response = { id: 'm', model: 'claude-opus-5-5', content, stopReason, usage };
      yield { type: 'response-end', response } as const;
    }),
};

// the parent's latest request, as it was sent, and what the model answered to it
const system = [{ type: 'text' as const, text: 'You fix failing tests. '.repeat(400) }];
const tools = [{ name: 'read' }, { name: 'agent' }];
const head = { id: 'head', model: 'claude-opus-5-5', system, tools, params: {} };
const ask = { id: '1', role: 'user' as const, content: [{ type: 'text', text: 'Fix parse().' }] };
const markers = [{ at: 'system' }, { at: 'message', messageIndex: 0, blockIndex: 0 }] as const;
const parent: Request = { head, messages: [ask], markers, maxOutputTokens: 1_000 };
const reply = { content: [{ type: 'tool_use', id: 'c1', name: 'agent', input: {} }] };

const fork = createFork({ client, parent, reply, tools: ({ input }) => JSON.stringify(input) });
const plan = fork.price({ directive: 'List the callers of parse().' });
console.log(plan.asAsked.readTokens, plan.asAsked.writtenTokens, plan.asAsked.dollars);

const canUseTool = onlyTools(['read']);
const result = await fork.run({ directive: 'List the callers of parse().', canUseTool });
console.log(forkResultBlock('c1', result).content, result.cachedShare);

const results = await fanOut(fork, ['Look at src.', 'Look at test.'], { canUseTool });
console.log(results.map((each) => (each.kind === 'done' ? each.result.text : 'failed')));

const other = createFork({ client, parent, reply, override: { tools: [{ name: 'read' }] } });
const refused = await other.run({ directive: 'List them.' }).catch((error: unknown) => error);
if (ForkError.is(refused)) console.log(refused.code, refused.plan?.extraDollars);
