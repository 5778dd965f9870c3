import { describe, expect, test } from 'vitest';
import { redact } from '../src/index.ts';

const BEGIN = ['-----BEGIN', 'PRIVATE KEY-----'].join(' ');
const END = ['-----END', 'PRIVATE KEY-----'].join(' ');
const LINE = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
const SHORT = 'dGVzdA==';
const MARKER = '[redacted: private key]';

describe('L325: a private key goes whole, and no code with it', () => {
  test.each<[what: string, lines: (lines: readonly string[]) => string]>([
    ['lines', (lines) => lines.join('\n')],
    ['Windows lines', (lines) => lines.join('\r\n')],
    ['escaped lines', (lines) => lines.join('\\n')],
    ['one line', (lines) => lines.join(' ')],
    ['a quotation', (lines) => lines.map((line) => `> ${line}`).join('\n')],
    [
      'numbers',
      (lines) => lines.map((line, index) => `${`${index + 9}`.padStart(6)}\t${line}`).join('\n'),
    ],
    [
      'numbers with an arrow',
      (lines) => lines.map((line, index) => `    ${index + 9}→${line}`).join('\n'),
    ],
    ['a difference', (lines) => lines.map((line) => `+${line}`).join('\n')],
    ['a difference that takes it away', (lines) => lines.map((line) => `-${line}`).join('\n')],
    ['a comment', (lines) => lines.map((line) => `// ${line}`).join('\n')],
    ['lines of YAML', (lines) => lines.map((line) => `    ${line}`).join('\n')],
    [
      'what grep prints',
      (lines) => lines.map((line, index) => `a/key.pem:${index + 1}:${line}`).join('\n'),
    ],
    ['a list', (lines) => lines.map((line) => `  "${line}",`).join('\n')],
    ['texts put together', (lines) => lines.map((line) => `  '${line}\\n'`).join(' +\n')],
    ['texts side by side', (lines) => lines.map((line) => `  "${line}\\n"`).join('\n')],
  ])('%s, whole, cut, and as JSON', (_, join) => {
    const whole = redact(join([BEGIN, LINE, LINE, SHORT, END]));
    expect(whole.split(MARKER)).toHaveLength(2);
    expect(whole).not.toMatch(/MII|dGV|BEGIN|END/);
    for (const text of [join([BEGIN, LINE, LINE]), join([BEGIN, LINE, LINE, LINE.slice(0, 20)])]) {
      const cut = redact(text);
      expect(cut.split(MARKER)).toHaveLength(2);
      expect(cut).not.toMatch(/MII|BEGIN/);
      expect(JSON.parse(redact(JSON.stringify({ text })))).toEqual({ text: cut });
    }
    const text = `${join([BEGIN, LINE, SHORT, END])}\nafter it`;
    expect(JSON.parse(redact(JSON.stringify({ text })))).toEqual({ text: redact(text) });
    expect(redact(text)).toMatch(/after it$/);
  });

  test('an encrypted one, and one of PGP, with the lines above their keys', () => {
    const rsa = ['-----BEGIN RSA', 'PRIVATE KEY-----'].join(' ');
    const lines = ['Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,0A1B2C3D', '', LINE, SHORT];
    expect(redact(`${rsa}\n${lines.join('\n')}\n${END} x`)).toBe(`${MARKER} x`);
    const pgp = ['-----BEGIN PGP', 'PRIVATE KEY BLOCK-----'].join(' ');
    const after = `${END.replace('PRIVATE', 'PGP PRIVATE').replace('KEY', 'KEY BLOCK')}`;
    expect(redact(`${pgp}\nVersion: GnuPG v2\n\n${LINE}\n=aB3d\n${after}\n`)).toBe(`${MARKER}\n`);
  });

  test.each<[what: string, text: string]>([
    ['code that takes the ends off', `pem.replace('${BEGIN}', '').replace('${END}', '')`],
    [
      'two constants with a function between',
      `const A = '${BEGIN}';\nfunction read(a) {\n  return a;\n}\nconst B = '${END}';\n`,
    ],
    ['constants one after the other', `const A = '${BEGIN}',\n  B = '${END}';`],
    ['a list of both', `['${BEGIN}', '${END}']`],
    ['a template', `\`${BEGIN}\\n$\{body}\\n${END}\``],
    ['a sum', `'${BEGIN}\\n' + body + '\\n${END}'`],
    ['a sentence', `It starts with ${BEGIN} and ends with ${END}.`],
    ['a placeholder', `${BEGIN}\n...\n${END}`],
    ['a call with more arguments', `text.startsWith("${BEGIN}", "utf8")`],
    ['a field', `{"${BEGIN}":1,"a":"${BEGIN}","abcdefghijklmnopqrstuvwxyz0123456789":1}`],
  ])('leaves %s', (_, text) => {
    expect(redact(text)).toBe(text);
  });

  test.each([
    [16, `${MARKER}`],
    [15, `${MARKER}\n${LINE.slice(-15)}`],
  ])('the last line of a key that was cut is one of %i characters: %s', (length, left) => {
    expect(redact(`${BEGIN}\n${LINE}\n${LINE.slice(-length)}\nThe key was cut.`)).toBe(
      `${left}\nThe key was cut.`,
    );
  });

  // Siblings looked for: lines of letters alone, in lines, in words and in quotes; what stands above a key alone.
  test.each<[what: string, text: string, redacted: string]>([
    ['a line of letters', `${BEGIN}\nabcdefgh\n${LINE}\n${END}`, MARKER],
    ['a run of letters', `${BEGIN} ${LINE} abcdefghijklmnop ${LINE} ${END}`, MARKER],
    ['a short run at the end', `${BEGIN} ${LINE} ab1 ${END}`, MARKER],
    [
      'a short run in the middle',
      `${BEGIN} ${LINE} ab1 ${LINE} ${END}`,
      `${MARKER} ab1 ${LINE} ${END}`,
    ],
    [
      'quoted lines with a word between',
      `"${BEGIN}" "${LINE}" "abcdefgh" "${LINE}"`,
      `"${MARKER}"`,
    ],
    ['quoted words', `"${BEGIN}" "abcdefgh" "${LINE}"`, `"${BEGIN}" "abcdefgh" "${LINE}"`],
    ['quoted letters', `"${BEGIN}" "${'abcdefgh'.repeat(5)}" "${LINE}"`, `"${MARKER}"`],
    ['quoted letters and a digit', `"${BEGIN}" "${'abcdefgh'.repeat(2)}1"`, `"${MARKER}"`],
    ['four lines without a word', `${BEGIN}\n${LINE}\n\n\n\n${LINE}`, MARKER],
    [
      'five lines without a word',
      `${BEGIN}\n${LINE}\n\n\n\n\n${LINE}`,
      `${MARKER}\n\n\n\n\n${LINE}`,
    ],
    [
      'lines above a key and none of a key',
      `${BEGIN}\nProc-Type: 4,ENCRYPTED\nVersion: 1\n\n`,
      `${BEGIN}\nProc-Type: 4,ENCRYPTED\nVersion: 1\n\n`,
    ],
    ['an end behind its beginning', `${BEGIN}\n${END}`, `${BEGIN}\n${END}`],
  ])('%s', (_, text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });

  test('of a key without an end as much goes as a key has at most, 2,000 lines', () => {
    const lines = Array.from({ length: 2_001 }, () => LINE);
    expect(redact(`${BEGIN}\n${lines.slice(1).join('\n')}`)).toBe(MARKER);
    expect(redact(`${BEGIN}\n${lines.join('\n')}`)).toBe(`${MARKER}\n${LINE}`);
  });

  test('lines of prose behind a key that was cut stay', () => {
    expect(redact(`${BEGIN}\n${LINE}\n\nThe key was cut.`)).toBe(`${MARKER}\n\nThe key was cut.`);
  });
});
