const UNITS = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Seconds of a text such as `1h 30m`. */
export function toSeconds(text) {
  let seconds = 0;
  for (const [, count, unit] of text.matchAll(/(\d)\s*([smhd])/g))
    seconds += Number(count) * UNITS[unit];
  return seconds;
}

/** A text such as `1h 30m` for seconds. */
export function toText(seconds) {
  const parts = [];
  let rest = seconds;
  for (const [unit, size] of Object.entries(UNITS)) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count}${unit}`);
    rest -= count * size;
  }
  return parts.join(' ') || '0s';
}
