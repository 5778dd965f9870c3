import { contextLimits, createTokenMeter, priceUsage, warningState } from '@varve/tokens';

const meter = createTokenMeter({ model: 'claude-opus-5' });
meter.add({ role: 'user', content: 'Fix the failing test' });

// a response arrived: its reply, and what the provider billed
const usage = { input_tokens: 12, cache_read_input_tokens: 151_000, output_tokens: 800 };
meter.add({ role: 'assistant', content: 'I run the tests first.' });
meter.anchor(usage);
meter.add({ role: 'user', content: 'FAIL app.test.ts > adds two numbers\n'.repeat(500) });

const { tokens, anchored } = meter.size();
const limits = contextLimits({ windowTokens: 200_000, maxOutputTokens: 20_000 });
const { percentOfBaseLeft, advice } = warningState(tokens, limits);
console.log({ tokens, anchored, percentOfBaseLeft, advice });
console.log(priceUsage(usage, 'claude-opus-5').dollars);
