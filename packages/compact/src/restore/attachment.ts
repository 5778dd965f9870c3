/** A text for the model between tags that it does not close itself, whatever it holds. Same input, same bytes. */
export function attachment(
  kind: string,
  text: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
): string {
  let tag = kind;
  while (text.includes(`</${tag}>`)) tag += '-';
  const given = Object.entries(attributes)
    .flatMap(([name, value]) => (value === undefined ? [] : ` ${name}=${JSON.stringify(value)}`))
    .join('');
  const end = text.endsWith('\n') ? '' : '\n';
  return `<${tag}${given}>\n${text}${end}</${tag}>`;
}
