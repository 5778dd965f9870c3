/**
 * Whether a matcher fits a name: nothing or `*` fits all, plain words fit as they are and with `|` between them, and anything
 * else is a regular expression. One that cannot be read fits all: a hook that forbids is better run once too often.
 */
export function fitsMatcher(matcher: string, name: string): boolean {
  if (matcher === '' || matcher === '*') return true;
  if (/^[\w\s|-]+$/.test(matcher)) return matcher.split('|').some((each) => each.trim() === name);
  try {
    return new RegExp(matcher).test(name);
  } catch {
    return true;
  }
}
