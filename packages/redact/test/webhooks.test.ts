import { describe, expect, test } from 'vitest';
import { redact } from '../src/index.ts';

/** Put together when the test runs, so that no file holds what a scanner would take for a secret. */
const MADE = ['k7Qm', '2xV9', 'tLp4', 'Rw8Z'].join('');
const HEX = ['9f8a4c1b', 'e27d4053', '8ac1f6e2', 'b07d93ce'].join('');
const both = (text: string) => [text.replace('§', MADE), text.replace('§', HEX)] as const;

describe('208: the key of an app and the path of a webhook', () => {
  test.each(
    [
      'The app key is §',
      'app key: §',
      'Post to https://chat.example.test/hooks/§ when it is done.',
      'https://chat.example.test/hooks/4f9a/§',
      'The webhook is https://ci.example.test/api/webhook/§.',
    ].flatMap(both),
  )('%s', (text) => {
    const redacted = redact(text);
    expect(redacted).not.toContain(MADE);
    expect(redacted).not.toContain(HEX);
    expect(redacted).toContain('[redacted: ');
    expect(redact(redacted)).toBe(redacted);
  });

  test.each([
    `https://github.com/a/hooks/commit/${HEX}`,
    'https://github.com/a/b/settings/hooks/123456789012345678',
    'src/hooks/useSession2State.ts',
    'https://example.test/docs/hooks/use-deferred-value-2',
    'https://example.test/hooks/README.md',
    `hooks/${HEX}`,
  ])('an ordinary text stays whole: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});
