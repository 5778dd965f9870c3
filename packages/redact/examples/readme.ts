import { redact, redactJson } from '@varve/redact';
import { SECRET_KINDS } from '@varve/redact/testing';

console.log(redact('export DB_PASSWORD=hunter2 && ./deploy --token abc123def'));
console.log(redact('commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b'));

const call = { name: 'Bash', input: { command: 'curl -u admin:hunter2 https://api.example' } };
console.log(redactJson(call).input.command);
console.log(redactJson({ user: 'varve', password: 'swordfish' }));

const untouched = { list: [{ id: 'a-1' }] };
console.log(redactJson(untouched) === untouched);

const github = SECRET_KINDS.find(({ name }) => name === 'github token');
console.log(redact(github?.make().text ?? ''));
