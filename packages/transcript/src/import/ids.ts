/** Hands out ids as they are asked for, a second time with a number behind. */
export function createIds(): (wanted: string) => string {
  const copies = new Map<string, number>();
  return (wanted) => {
    const name = wanted === '' ? 'unnamed' : wanted;
    let copy = (copies.get(name) ?? 0) + 1;
    let id = copy === 1 ? name : `${name}#${copy}`;
    for (; copy > 1 && copies.has(id); id = `${name}#${copy}`) copy += 1;
    copies.set(name, copy);
    if (copy > 1) copies.set(id, 1);
    return id;
  };
}
