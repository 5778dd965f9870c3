import { checkSummary, createLedger, renderLedger } from '@varve/ledger';

const ledger = createLedger();
const words = 'Add a login page. Never log passwords.';
ledger.add({ id: 'm1', role: 'user', content: [{ type: 'text', text: words }] });
ran('Write', { file_path: '/w/src/login.ts', content: 'export const login = () => form();' }, 'ok');
ran('Bash', { command: 'npm test' }, 'Tests: 1 failed, 3 passed, 4 total');
const found = 'The form is never sent: login() only draws it. Next I will post it.';
ledger.add({ id: 'm2', role: 'assistant', content: [{ type: 'text', text: found }] });

const sizeOf = (text: string) => Math.ceil(text.length / 4); // @varve/tokens counts better
console.log(renderLedger(ledger, { budgetTokens: 400, sizeOf }).text);

const summary = 'The user said "ship it today".\nAll tests pass.\nSee src/logout.ts.';
const { text, findings } = checkSummary(summary, { ledger, budgetTokens: 0, sizeOf });
console.log(findings.map(({ kind, detail }) => `${kind}: ${detail}`));
console.log(text.split('\n\n')[0]);

function ran(name: string, input: { readonly [key: string]: string }, content: string) {
  const id = `call-${name}`;
  ledger.add({ id, role: 'assistant', content: [{ type: 'tool_use', id, name, input }] });
  const result = { type: 'tool_result' as const, tool_use_id: id, content };
  ledger.add({ id: `result-${name}`, role: 'user', content: [result] });
}
