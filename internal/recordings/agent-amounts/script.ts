/** A session of the agent itself: what a person types, and what the model answers. */

/** The files of the scratch project: a small program with a fault, and tests that print a lot. */
export const FILES: Readonly<Record<string, string>> = {
  'AGENTS.md': `# Amounts

- Amounts are whole cents; nothing is ever rounded twice.
- Tests are run with \`node <file>.test.mjs\`.
`,
  'amounts.mjs': `/** '1,234.50' as cents. */
export function readAmount(text) {
  const cleaned = text.replace(',', '');
  if (!/^-?\\d+(\\.\\d\\d)?$/.test(cleaned)) throw new Error(\`no amount: \${text}\`);
  return Math.round(Number(cleaned) * 100);
}

/** Cents as '1,234.50'. */
export function writeAmount(cents) {
  const sign = cents < 0 ? '-' : '';
  const digits = String(Math.abs(cents)).padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\\B(?=(\\d{3})+$)/g, ',');
  return \`\${sign}\${whole}.\${digits.slice(-2)}\`;
}
`,
  'amounts.test.mjs': `import { readAmount, writeAmount } from './amounts.mjs';

let failed = 0;
for (let cents = 7; cents < 2_000_000_000; cents = Math.ceil(cents * 1.02) + 3) {
  for (const amount of [cents, -cents]) {
    const text = writeAmount(amount);
    let back;
    try {
      back = readAmount(text);
    } catch (error) {
      back = error.message;
    }
    if (back !== amount) failed += 1;
    console.log(\`\${back === amount ? 'ok  ' : 'FAIL'} \${text.padStart(16)} reads as \${back}\`);
  }
}
console.log(\`\${failed} amounts do not come back\`);
process.exitCode = failed === 0 ? 0 : 1;
`,
  'ledger.csv': `2026-01-04,rent,-1,150.00
2026-01-20,wages,2,900.00
2026-02-03,rent,-1,150.00
2026-02-20,wages,2,900.00
2026-02-27,repair,-1,204,310.75
`,
  'ledger.mjs': `import { readFileSync } from 'node:fs';
import { readAmount } from './amounts.mjs';

/** The lines of a ledger: day, purpose, amount. */
export function readLedger(path) {
  const lines = readFileSync(path, 'utf8').trim().split('\\n');
  return lines.map((line) => {
    const [day, purpose, ...amount] = line.split(',');
    return { day, purpose, cents: readAmount(amount.join(',')) };
  });
}
`,
};

const call = (name: string, input: object) => ({ name, input });
const read = (file_path: string) => call('Read', { file_path });
const run = (command: string) => call('Bash', { command });

export type Said =
  | string
  | { readonly text?: string; readonly calls: readonly ReturnType<typeof call>[] };
const calls = (...given: readonly ReturnType<typeof call>[]): Said => ({ calls: given });

const REPORT = `import { writeAmount } from './amounts.mjs';
import { readLedger } from './ledger.mjs';

/** Sums of a ledger by month, a line each. */
export function report(path) {
  const sums = new Map();
  for (const { day, cents } of readLedger(path)) {
    const month = day.slice(0, 4);
    sums.set(month, (sums.get(month) ?? 0) + cents);
  }
  return [...sums].map(([month, cents]) => \`\${month} \${writeAmount(cents)}\`).join('\\n');
}
`;

const REPORT_TEST = `import { report } from './report.mjs';

const is = report('ledger.csv');
const wanted = '2026-01 1,750.00\\n2026-02 -1,202,560.75';
console.log(is === wanted ? 'ok   sums by month' : \`FAIL wanted\\n\${wanted}\\nand got\\n\${is}\`);
process.exitCode = is === wanted ? 0 : 1;
`;

/** What the model answers the person, one a request. */
export const ANSWERS: readonly Said[] = [
  {
    text: 'I look at the project and run its tests.',
    calls: [call('Glob', { pattern: '*' }), read('amounts.mjs'), read('amounts.test.mjs')],
  },
  calls(run('node amounts.test.mjs')),
  {
    text: 'Small amounts come back; from 1,000,000.00 on they do not. Only the first comma is taken out.',
    calls: [call('Grep', { pattern: 'replace\\(', output_mode: 'content' })],
  },
  calls(
    call('Edit', {
      file_path: 'amounts.mjs',
      old_string: "text.replace(',', '')",
      new_string: "text.replaceAll(',', '')",
    }),
  ),
  calls(run('node amounts.test.mjs')),
  'readAmount took out the first comma only, so that amounts from a million on were refused. amounts.mjs:3 takes out all of them now, and every amount of the test comes back.',
  calls(
    call('Task', {
      description: 'find readers of amounts',
      prompt:
        'Which files of this project read amounts from text, and does any of them take commas out by itself? Answer with paths and lines.',
      subagent_type: 'explore',
    }),
  ),
  'Only ledger.mjs reads amounts beside the tests, and it leaves commas to readAmount; nothing else has to change.',
  calls(
    read('ledger.csv'),
    call('Write', { file_path: 'report.mjs', content: REPORT }),
    call('Write', { file_path: 'report.test.mjs', content: REPORT_TEST }),
  ),
  calls(run('node report.test.mjs')),
  {
    text: 'The month was cut to the year: four characters where it needs seven.',
    calls: [
      call('Edit', {
        file_path: 'report.mjs',
        old_string: 'day.slice(0, 4)',
        new_string: 'day.slice(0, 7)',
      }),
    ],
  },
  calls(run('node report.test.mjs')),
  'report.mjs sums a ledger by month, and report.test.mjs holds it to the ledger that is here. Its first run failed, because I had grouped by year; it passes now.',
  'BigInt would be exact beyond 90 trillion. Cents are whole numbers up to 9,007,199,254,740,991 already, and JSON knows no BigInt, so I would leave it. Shall I write it down?',
  calls(
    call('Write', {
      file_path: 'README.md',
      content:
        '# Amounts\n\nAmounts are whole cents, as numbers: exact up to 90,071,992,547,409.91.\n',
    }),
  ),
  'README.md says that amounts are whole cents, kept as numbers, and up to where they are exact.',
  calls(run('node amounts.test.mjs | tail -n 2'), run('node report.test.mjs')),
  'All tests pass.',
];

/** What the agent that is asked answers, one a request. */
export const AGENT_ANSWERS: readonly Said[] = [
  calls(call('Grep', { pattern: 'readAmount|,', output_mode: 'content', glob: '*.mjs' })),
  calls(read('ledger.mjs')),
  'ledger.mjs:9 reads amounts, through readAmount. It splits lines at commas and joins those of an amount again, but takes none out: that is only done in amounts.mjs:3.',
];

export const SUMMARY = `<summary>
The person said: "The test of amounts fails. Find out why and mend it." It is done: readAmount in amounts.mjs took out only the first comma, so that amounts from 1,000,000.00 on were refused. amounts.mjs:3 has replaceAll now, and \`node amounts.test.mjs\` passes; it failed before.
Then the person asked: "Have an agent look where else amounts are read." The agent found that ledger.mjs:9 reads amounts, through readAmount, and that nothing else takes commas out.
AGENTS.md says that amounts are whole cents, and that tests are run with \`node <file>.test.mjs\`. ledger.csv holds day, purpose and amount.
Left: a report that sums the ledger by month, with a test.
</summary>`;

/** The end of a question whether a call may run. */
const ASKED = 'or why not:';

/** What the person types, each line once the terminal shows what is named before it. */
export const TYPED: readonly (readonly (readonly [shown: string, line: string])[])[] = [
  [
    ['new session', 'The test of amounts fails. Find out why and mend it.'],
    [ASKED, 's'],
    [ASKED, 'y'],
    ['every amount of the test comes back.', 'Have an agent look where else amounts are read.'],
    ['nothing else has to change.', '/compact the report that is left'],
    ['Compacted:', 'Write a report that sums the ledger by month, with a test.'],
    [ASKED, 'y'],
    [ASKED, 'y'],
    [ASKED, 's'],
    [ASKED, 'y'],
    ['it passes now.', 'Should amounts be BigInt?'],
    ['Shall I write it down?', '/rewind 1'],
    ['Gone back.', 'Say in a README what amounts are.'],
    [ASKED, 'y'],
    ['are exact.', '/exit'],
  ],
  [
    ['resumed session', 'Run all tests once more.'],
    ['All tests pass.', '/exit'],
  ],
];
