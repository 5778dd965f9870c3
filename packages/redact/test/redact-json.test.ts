import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactJson } from '../src/index.ts';
import { SECRET_KINDS } from '../src/testing.ts';

describe('redactJson', () => {
  test('L325: each kind, wherever in a value, as text and as JSON inside of text', () => {
    for (const { make, name } of SECRET_KINDS) {
      const { text, secret } = make(7);
      const value = {
        type: 'tool_use',
        input: { command: text, list: [{ text }], json: JSON.stringify({ text }) },
      };
      const redacted = redactJson(value);
      expect([name, JSON.stringify(redacted).includes(secret)]).toEqual([name, false]);
      expect(JSON.parse(redacted.input.json)).toEqual({ text: redacted.input.command });
      expect(redacted.input.list[0]).not.toBe(value.input.list[0]);
    }
  });

  test.each([
    ['a password of letters', { password: 'swordfish' }, { password: '[redacted: password]' }],
    ['a password of digits', { password: 12345 }, { password: '[redacted: password]' }],
    [
      'a list under a name',
      { api_keys: 1, apiKey: ['a1b2c3d4e5f6'] },
      { api_keys: 1, apiKey: ['[redacted: api key]'] },
    ],
    [
      'a header',
      { headers: { 'X-Api-Key': 'a1b2c3d4e5f6' } },
      { headers: { 'X-Api-Key': '[redacted: api key]' } },
    ],
    [
      'a name and a value beside each other',
      { name: 'Authorization', value: 'a1b2c3d4' },
      { name: 'Authorization', value: '[redacted: authorization header]' },
    ],
    [
      'arguments that a shell would take apart',
      ['Cookie:', 'a=hunt3r-x;', 'b=2'],
      ['Cookie:', '[redacted: cookie]', 'b=2'],
    ],
    [
      'JSON alone in a list',
      ['{"_password":12345678}'],
      ['{"_password":"[redacted: registry credential]"}'],
    ],
    ['a short name', { pw: 'a1b2c3d4e5' }, { pw: '[redacted: password]' }],
    [
      'a program that is no program alone',
      { command: 'REDISCLI_AUTH=hunt3r-x', args: ['redis-cli'] },
      { command: 'REDISCLI_AUTH=[redacted: database password]', args: ['redis-cli'] },
    ],
    [
      'an argument with quotes of its own',
      ['oc', 'create', 'secret', 'generic', 'db', '--from-literal="db=hunt3r-x"'],
      ['oc', 'create', 'secret', 'generic', 'db', '--from-literal="db=[redacted: secret]"'],
    ],
    [
      'a quote that closes in another argument',
      ['mysqldump', '-p"two', 'words"', 'a'],
      ['mysqldump', '-p"[redacted: password]', 'words"', 'a'],
    ],
    [
      'several arguments of one kind',
      ['curl', '-u', 'a:hunt3r-x', '--proxy-user', 'b:hunt3r-yy', 'h'],
      [
        ...['curl', '-u', 'a:[redacted: user and password]', '--proxy-user'],
        ...['b:[redacted: user and password]', 'h'],
      ],
    ],
    [
      'a name of the environment',
      { DB_PASSWORD: 'x1y2z3' },
      { DB_PASSWORD: '[redacted: password]' },
    ],
  ])('a field whose name says it: %s', (_, value, expected) => {
    expect(redactJson(value)).toEqual(expected);
  });

  test.each([
    [{ token_count: 12345678, max_tokens: 5, password: null, secret: true, tokens: ['a1b2c3d4'] }],
    [
      {
        password: '$PASSWORD',
        token: 'process.env.TOKEN',
        id: '550e8400-e29b-41d4-a716-446655440000',
      },
    ],
    [{ token: '550e8400-e29b-41d4-a716-446655440000', nextPageToken: 'a1b2c3d4e5f6' }],
    [{ name: 'Authorization', value: '$TOKEN' }],
    [{ name: 'Cookie', value: 'a1b2c3d4' }],
    [{ name: 'password', value: 12345678n }],
    [{ Authorization: 'Digest [redacted: authorization header]' }],
    [[1, 'a', null, [], {}]],
    ['text'],
    [null],
    [undefined],
  ])('is the same reference where nothing was found', (value) => {
    expect(redactJson(value)).toBe(value);
  });

  test('what changed is a field like any other', () => {
    const field = { value: '[redacted: password]', writable: true, enumerable: true };
    expect(Object.getOwnPropertyDescriptors(redactJson({ password: 'swordfish' }))).toEqual({
      password: { ...field, configurable: true },
    });
  });

  test('what was not touched keeps its reference, and the value given is as it was', () => {
    const value = { kept: { a: [1] }, changed: { password: 'swordfish', other: {} } };
    const before = JSON.stringify(value);
    const redacted = redactJson(value);
    expect(JSON.stringify(value)).toBe(before);
    expect(redacted.kept).toBe(value.kept);
    expect(redacted.changed.other).toBe(value.changed.other);
    expect(redacted.changed.password).toBe('[redacted: password]');
  });

  test('nesting costs no stack, a circle is left, and `__proto__` is a name like any other', () => {
    let deep: unknown = { password: 'swordfish' };
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(() => redactJson(deep)).not.toThrow();
    const circle: { self?: unknown; password: string } = { password: 'swordfish' };
    circle.self = circle;
    expect(redactJson(circle).password).toBe('[redacted: password]');
    expect(redactJson({ circle }).circle.password).toBe('[redacted: password]');
    const odd = redactJson(JSON.parse('{"__proto__": {"a": 1}, "password": "swordfish"}'));
    expect(Object.keys(odd)).toEqual(['__proto__', 'password']);
    expect(Object.getPrototypeOf(odd)).toBe(Object.prototype);
  });

  // siblings: inside lists and objects, proxies, a getter that throws on its second call; circles, depth and BigInt are read
  test.each<[string, () => unknown]>([
    [
      'a getter that throws',
      () => Object.defineProperty({}, 'path', { enumerable: true, get: fail }),
    ],
    ['a proxy whose keys cannot be asked', () => new Proxy({}, { ownKeys: fail })],
    ['a proxy whose kind cannot be asked', () => new Proxy({}, { getPrototypeOf: fail })],
  ])('M336: %s is refused with a TypeError, wherever it stands', (_, make) => {
    for (const value of [make(), [make()], { a: [{ password: 'swordfish', b: make() }] }]) {
      let thrown: unknown;
      try {
        redactJson(value);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(TypeError);
      expect(thrown).toMatchObject({
        message: 'Expected `value` to be plain JSON, got a field that cannot be read.',
        cause: new Error('no'),
      });
    }
  });

  test('M336: a getter that throws once it is copied is refused too, and what `skip` throws is its own', () => {
    let asked = 0;
    const late = {
      password: 'swordfish',
      get path(): string {
        if (++asked > 1) throw new Error('no');
        return 'a';
      },
    };
    expect(() => redactJson(late)).toThrow(TypeError);
    expect(() => redactJson({ a: {} }, { skip: fail })).toThrow(new Error('no'));
    expect(redactJson({ lines: 10n, password: 'swordfish' })).toEqual({
      lines: 10n,
      password: '[redacted: password]',
    });
  });

  test('twice is once, for any JSON', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.nat(SECRET_KINDS.length - 1),
        fc.nat(),
        (json, index, seed) => {
          const { text } = (SECRET_KINDS[index] as (typeof SECRET_KINDS)[number]).make(seed);
          const redacted = redactJson({ json, text, list: [text] });
          expect(redactJson(redacted)).toBe(redacted);
        },
      ),
      { numRuns: Number(process.env.VARVE_LAW_RUNS ?? 200) },
    );
  });
});

function fail(): never {
  throw new Error('no');
}
