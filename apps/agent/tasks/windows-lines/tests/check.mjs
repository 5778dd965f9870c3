import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';

const lines = ['\ufeff; Köln', '[http]', 'port = 8080', 'ttl = 300', '', '[cache]'];
lines.push('size = 100', 'ttl = 600', 'stale = 60', '', '[log]', 'level = info', '');
assert.equal(readFileSync('server.ini', 'utf8'), lines.join('\r\n'));
