import { aText, expected, isRecord } from '@varve/guards';
import type { Tool } from './types.ts';

/**
 * Refuses tools that no provider takes: two of one name, and one without a name. `option` is what the caller named the list.
 *
 * @throws TypeError
 */
export function checkToolNames(tools: readonly Tool[], option = 'tools'): void {
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const { name } = isRecord(tool) ? tool : {};
    if (!aText.fits(name)) {
      throw expected(`${option}[${index}]`, { what: 'a tool with a `name`' }, name);
    }
    if (names.has(name as string)) {
      throw new TypeError(`Expected \`${option}\` to have different names, got \`${name}\` twice`);
    }
    names.add(name as string);
  }
}
