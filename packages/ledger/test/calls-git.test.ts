import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callsGit } from '../src/calls-git.ts';

test('git and a verb behind it, up to an end: as one pattern says it, in linear time', () => {
  const whole = /\bgit\b[^|;&]*\b(?:commit|push)\b/;
  const words = fc.constantFrom('git', 'commit', 'push', 'gitx', ' ', '|', ';', '-', 'a', '\n');
  fc.assert(
    fc.property(fc.array(words, { maxLength: 12 }), (parts) => {
      const command = parts.join('');
      expect(callsGit(command, /\b(?:commit|push)\b/, /[|;&]/)).toBe(whole.test(command));
    }),
  );
});
