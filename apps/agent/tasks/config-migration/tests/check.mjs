import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';

const wanted = {
  api: { version: 2, name: 'api', address: 'localhost:8080', tags: ['public', 'http'] },
  jobs: { version: 2, name: 'jobs', address: 'localhost:9000', tags: [] },
  mail: { version: 2, name: 'mail', address: 'localhost:2525', tags: ['smtp'] },
};
for (const [name, values] of Object.entries(wanted)) {
  const text = readFileSync(`config/${name}.json`, 'utf8');
  assert.equal(text, `${JSON.stringify(values, undefined, 2)}\n`);
}
assert.equal(readFileSync('config/README.md', 'utf8'), '# Settings\n\nThe current version is 2.\n');
