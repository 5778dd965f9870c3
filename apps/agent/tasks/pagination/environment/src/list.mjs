import { pageCount, pageOf } from './pages.mjs';

export function describe(items, page, size) {
  return `${pageOf(items, page, size).join(', ')} (page ${page} of ${pageCount(items.length, size)})`;
}
