import { parseDocument } from 'yaml';
import type { DefinitionProblem } from './definition.ts';

/** What front matter holds; `values` is undefined where it is no YAML. */
export interface FrontMatter {
  readonly values: unknown;
  readonly problems: readonly DefinitionProblem[];
}

/**
 * Front matter as values. Many definitions in use have a colon in a text without quotes, which is no YAML: where it is none,
 * such lines are read as the texts they are meant as, and that is reported.
 */
export function readFrontMatter(text: string): FrontMatter {
  const values = readYaml(text);
  if (values !== undefined) return { values, problems: [] };
  const fields: string[] = [];
  const quoted = text.replaceAll(PLAIN_FIELD, (_line, name: string, value: string) => {
    fields.push(name);
    return `${name}: ${JSON.stringify(value)}`;
  });
  const problems = fields.map(
    (field): DefinitionProblem => ({ reason: 'bad-front-matter', field, text: UNQUOTED }),
  );
  return { values: fields.length > 0 ? readYaml(quoted) : undefined, problems };
}

const UNQUOTED = 'A text with a colon needs quotes in YAML; it was read as a plain text.';

/** A field that is not indented and a text that begins with no sign of YAML, but has a colon before a blank or the end. */
const PLAIN_FIELD =
  /^([A-Za-z][\w-]*):[ \t]+([^\s"'[\]{}|>&*!%@`#,?:-][^\r\n]*:(?:[ \t][^\r\n]*)?)$/gm;

/** Undefined where it has errors, aliases that multiply included. */
function readYaml(text: string): unknown {
  try {
    const document = parseDocument(text, { logLevel: 'silent' });
    return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 20 });
  } catch {
    return undefined; // `toJS` throws for too many aliases only
  }
}
