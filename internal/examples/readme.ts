import { cachePolicy, createCacheSimulator, placeMarkers } from '@varve/prompt-cache';
import { createEstimator } from '@varve/tokens';

const policy = cachePolicy('claude-opus-5-5', { ttl: '5m' });
const cache = createCacheSimulator(policy, { sizeOf: createEstimator({ family: 'claude-new' }) });

const system = [{ type: 'text', text: 'You are a careful engineer. '.repeat(300) }] as const;
const head = { id: 'head', model: 'claude-opus-5-5', system, tools: [], params: {} };
const user = { id: 'u1', role: 'user', content: [{ type: 'text', text: 'Fix the test' }] } as const;
const request = { head, messages: [user], markers: [], maxOutputTokens: 8_000 };

for (const startMs of [0, 10_000, 400_000]) {
  const { tokens, dollars, breaks } = cache.send(placeMarkers(request, { policy }), { startMs });
  // written, read, and written again once it expired
  const causes = breaks.map(({ cause }) => cause);
  console.log(tokens.write5m, tokens.read, dollars, causes);
}
