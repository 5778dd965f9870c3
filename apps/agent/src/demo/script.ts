import type { startEmulator } from '@varve/emulator';

type Replies = NonNullable<NonNullable<Parameters<typeof startEmulator>[0]>['replies']>;
type Reply = Extract<Replies, (...args: never) => unknown>;

/** The files of the scratch folder: a small program with a fault, and tests that print a lot. */
export const FILES: Readonly<Record<string, string>> = {
  'price.mjs': `export const withTax = (cents, rate) => cents + Math.floor(cents * rate);
export const total = (items, rate) => items.reduce((sum, cents) => sum + withTax(cents, rate), 0);
`,
  'price.test.mjs': `import assert from 'node:assert/strict';
import { withTax } from './price.mjs';

let failed = 0;
for (let cents = 1; cents <= 4_000; cents++) {
  const [is, wanted] = [withTax(cents, 0.19), Math.round(cents * 1.19)];
  if (is !== wanted) failed += 1;
  console.log(\`\${is === wanted ? 'ok' : 'FAIL'} withTax(\${cents}) is \${is}, wanted \${wanted}\`);
}
assert.equal(failed, 0, \`\${failed} prices are wrong\`);
`,
  'README.md': '# Prices\n\nPrices with tax, in cents.\n',
};

/** So small that a short session shows what a long one does. */
export const WINDOW_TOKENS = 60_000;
export const COMPACT_PERCENT = 29;

export const PROMPTS = [
  'The tests of price.mjs fail. Find out why and mend it.',
  'Say in the README how prices are rounded, and run the tests once more.',
];

const call = (name: string, input: object) => ({ name, input });
type Step = string | readonly ReturnType<typeof call>[];

const TESTS = call('Bash', { command: 'node price.test.mjs' });
const read = (file_path: string) => call('Read', { file_path });

/** What the model answers, one step a request. */
const STEPS: readonly Step[] = [
  [call('Glob', { pattern: '*' }), read('price.mjs'), read('price.test.mjs')],
  [TESTS],
  [call('Grep', { pattern: 'withTax', output_mode: 'content' })],
  [
    call('Edit', {
      file_path: 'price.mjs',
      old_string: 'Math.floor(cents * rate)',
      new_string: 'Math.round(cents * rate)',
    }),
  ],
  [TESTS],
  'Taxes were rounded down. price.mjs:1 rounds to the nearest cent now, and all 4,000 prices are right.',
  [read('README.md'), read('price.mjs')],
  [
    call('Edit', {
      file_path: 'README.md',
      old_string: 'in cents.',
      new_string: 'in cents, rounded to the nearest cent.',
    }),
  ],
  [TESTS],
  'The README says that prices are rounded to the nearest cent. The tests pass.',
];

const SUMMARY = `<summary>
The person asked: "${PROMPTS[0]}" It is done.
withTax in price.mjs rounded taxes down with Math.floor, so that many prices were one cent too low. price.mjs:1 has Math.round now.
price.test.mjs goes over the prices from 1 to 4,000 cents and prints a line for each; \`node price.test.mjs\` failed before the edit and passes since.
Then the person asked: "${PROMPTS[1]}" It is under way: README.md is to say that prices are rounded to the nearest cent.
</summary>`;

/** A model that follows the script, and writes a summary where it is asked for one. */
export function scripted(): Reply {
  let step = 0;
  return ({ request }) => {
    const last = JSON.stringify(request.messages.at(-1)?.content);
    if (last.includes('<summary>')) return SUMMARY;
    const next = STEPS[step++] ?? 'There is nothing more to do.';
    if (typeof next === 'string') return next;
    const content = next.map(({ name, input }, at) => ({
      ...{ type: 'tool_use', id: `call_${step}_${at}` },
      ...{ name, input },
    }));
    return { content };
  };
}
