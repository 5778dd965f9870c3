/** What could be taken for data of a user: a figure, a day, a path, an address, somebody's name. */
export function literals(text: string): readonly string[] {
  return [
    ...(text.match(/\d+/g) ?? []),
    ...(text.match(
      /\b[\w.-]+\/[\w./-]+|https?:\S+|\S+@\S+|\b[\w-]+\.(?!md\b)[a-z]{1,4}\b(?=[^a-z]|$)/g,
    ) ?? []),
    ...(text.match(/(?<=[a-z,;] )[A-Z][a-z]+/g) ?? []),
    ...(text.match(/\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b/g) ?? []),
  ];
}
