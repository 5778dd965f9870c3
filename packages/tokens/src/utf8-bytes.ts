/**
 * UTF-8 bytes of a string, without encoding it: CJK and emoji are not undercounted as UTF-16 units would. A half
 * surrogate counts as the three bytes of its replacement character.
 */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (isPair(text, index, unit)) {
      bytes += 2;
      index++;
    } else bytes += 2;
  }
  return bytes;
}

function isPair(text: string, index: number, unit: number): boolean {
  if (unit < 0xd800 || unit > 0xdbff) return false;
  const next = text.charCodeAt(index + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}
