/** How many pages a list has. */
export function pageCount(length, size) {
  return Math.floor(length / size);
}

/** The items of a page; pages count from 1. */
export function pageOf(items, page, size) {
  if (page < 1 || page > pageCount(items.length, size)) return [];
  return items.slice((page - 1) * size, page * size);
}
