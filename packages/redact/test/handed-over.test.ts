import { describe, expect, test } from 'vitest';
import { redact } from '../src/index.ts';

/** Put together when the test runs, so that no file holds what a scanner would take for a secret. */
const MADE = ['k7Qm', '2xV9', 'tLp4', 'Rw8Z'].join('');
const HEX = ['9f8a4c1b', 'e27d4053', '8ac1f6e2', 'b07d93ce'].join('');
const both = (text: string) => [text.replace('§', MADE), text.replace('§', HEX)] as const;

describe('208: a secret that a sentence hands over', () => {
  test.each(
    [
      'itch wants a key, here it is: §',
      'here is the key for the upload: §',
      "The deploy needs a token. Hm, here's the token of the bot: §",
      'the key of the weather service, take it: §',
      'Du brauchst den Schlüssel für itch, hier ist er: §',
      'hier das Passwort der Datenbank: §',
      'Il faut la clé du service, voici: §',
      'use this key from now on: §',
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

  test.each(
    [
      'Here is the public key: §',
      'here is the cache key: §',
      'The primary key is there, here: §',
      'here is the commit: §',
      'hier der Stand: §',
      'The key point stands in this one. The build, here it is: §',
    ].flatMap(both),
  )('opens nothing: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  test.each([
    'here is the key file: config.app2.json',
    'Here is the key part: handleRequest2(options)',
    "Here's the token count: 1234567890",
    'here is the key idea: sha256Hash',
    'use this token type: BearerToken2',
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
