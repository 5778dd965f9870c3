/** Ids that count up, so that the same requests in the same order get the same replies, byte for byte. */
export type NewId = (prefix: string) => string;

export function createNewId(): NewId {
  const counts = new Map<string, number>();
  return (prefix) => {
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    return `${prefix}_emulated${String(count).padStart(8, '0')}`;
  };
}
