import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isWhole, oneIn } from '../../../internal/src/share.ts';
import { redact } from '../src/index.ts';

const SESSIONS = new URL('../../../../shared/sessions/', import.meta.url);

/** What looks random and is no secret: digests of 32 to 128 hex digits, UUIDs, integrity strings. */
const HASH =
  /(?<![A-Za-z0-9])(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|sha(?:1|256|384|512)-[A-Za-z0-9+/=]{20,})(?![A-Za-z0-9])/gi;

test.skipIf(!existsSync(SESSIONS))(
  'L325: in recorded sessions no hash, UUID or integrity string is taken for a secret',
  { timeout: 240_000 },
  () => {
    const files = readdirSync(SESSIONS, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    let hashes = 0;
    for (const { parentPath, name } of oneIn(12, files)) {
      const text = readFileSync(join(parentPath, name), 'utf8');
      const redacted = redact(text);
      const before = text.match(HASH) ?? [];
      hashes += before.length;
      expect([name, redacted.match(HASH) ?? []]).toEqual([name, before]);
      expect(redact(redacted) === redacted).toBe(true);
    }
    expect(hashes).toBeGreaterThan(isWhole ? 1_000 : 100);
  },
);
