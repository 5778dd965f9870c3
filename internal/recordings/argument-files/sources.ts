const js = String.raw;

export const ARGUMENT_FILE_MODULE = js`const fs = require('node:fs');
const path = require('node:path');
const { CommanderError } = require('./error.js');

const MAX_DEPTH = 8;

/**
 * Split the text of an argument file into arguments. White space separates them, quotes group,
 * a backslash escapes the next character inside double quotes, and # starts a comment.
 *
 * @param {string} text
 * @return {string[] | undefined} undefined when a quote is not closed
 * @package
 */

function splitArguments(text) {
  const args = [];
  let current; // undefined between arguments
  let quote;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (quote) {
      if (char === quote) quote = undefined;
      else if (char === '\\' && quote === '"' && i + 1 < text.length)
        current += text[++i];
      else current += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      current = current ?? '';
    } else if (/\s/.test(char)) {
      if (current !== undefined) args.push(current);
      current = undefined;
    } else if (char === '#' && current === undefined) {
      const end = text.indexOf('\n', i);
      i = end === -1 ? text.length : end;
    } else {
      current = (current ?? '') + char;
    }
  }
  if (quote) return undefined;
  if (current !== undefined) args.push(current);
  return args;
}

/**
 * Replace every @file in args by the arguments in that file, up to --.
 *
 * @param {string[]} args
 * @param {string} [folder] what the paths are relative to
 * @param {number} [depth] how many files led here
 * @return {string[]}
 * @package
 */

function expandArgumentFiles(args, folder = '', depth = 0) {
  const expanded = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (arg === '--') {
      expanded.push(...args.slice(i));
      break;
    }
    if (arg.startsWith('@@')) {
      expanded.push(arg.slice(1));
    } else if (arg.length > 1 && arg[0] === '@') {
      const file = path.join(folder, arg.slice(1));
      expanded.push(...readArgumentFile(file, depth + 1));
    } else {
      expanded.push(arg);
    }
  }
  return expanded;
}

/**
 * @param {string} file
 * @param {number} depth
 * @return {string[]}
 */

function readArgumentFile(file, depth) {
  if (depth > MAX_DEPTH)
    throw argumentFileError(
      ${'`'}argument files are nested more than ${'$'}{MAX_DEPTH} levels deep at '${'$'}{file}'${'`'},
    );
  let text;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (err) {
    throw argumentFileError(${'`'}argument file '${'$'}{file}' cannot be read${'`'});
  }
  const args = splitArguments(text);
  if (args === undefined)
    throw argumentFileError(${'`'}argument file '${'$'}{file}' has an unclosed quote${'`'});
  return expandArgumentFiles(args, path.dirname(file), depth);
}

function argumentFileError(message) {
  return new CommanderError(1, 'commander.argumentFile', message);
}

exports.splitArguments = splitArguments;
exports.expandArgumentFiles = expandArgumentFiles;
`;

export const METHOD = {
  before: `  allowExcessArguments(allowExcess = true) {
    this._allowExcessArguments = !!allowExcess;
    return this;
  }
`,
  after: `  allowExcessArguments(allowExcess = true) {
    this._allowExcessArguments = !!allowExcess;
    return this;
  }

  /**
   * Replace an argument \`@file\` by the arguments in that file. Write \`@@name\` for the argument \`@name\`.
   *
   * @param {boolean} [enable]
   * @return {Command} \`this\` command for chaining
   */
  argumentFiles(enable = true) {
    this._argumentFiles = !!enable;
    return this;
  }
`,
};

export const PARSE_OPTIONS_START = `  parseOptions(args) {
    const operands = []; // operands, not options or values
`;

export const PARSE_OPTIONS_WITH_FILES = `  parseOptions(args) {
    if (this._argumentFiles) {
      try {
        args = expandArgumentFiles(args);
      } catch (err) {
        if (err.code !== 'commander.argumentFile') throw err;
        this.error(\`error: \${err.message}\`, { code: err.code });
      }
    }
    const operands = []; // operands, not options or values
`;

export const USER_ARGS = {
  before: `    this._name = this._name || 'program';

    return userArgs;
  }
`,
  after: `    this._name = this._name || 'program';

    return this._argumentFiles ? this._expandArgumentFiles(userArgs) : userArgs;
  }

  /**
   * @param {string[]} userArgs
   * @return {string[]}
   * @private
   */

  _expandArgumentFiles(userArgs) {
    try {
      return expandArgumentFiles(userArgs);
    } catch (err) {
      if (err.code !== 'commander.argumentFile') throw err;
      return this.error(\`error: \${err.message}\`, { code: err.code });
    }
  }
`,
};

export const DASHES = {
  before: `      const file = path.join(folder, arg.slice(1));
      expanded.push(...readArgumentFile(file, depth + 1));
`,
  after: `      const file = path.join(folder, arg.slice(1));
      const found = readArgumentFile(file, depth + 1);
      expanded.push(...found);
      if (found.includes('--')) {
        expanded.push(...args.slice(i + 1));
        break;
      }
`,
};

export const STRESS = `node -e '
const fs = require("fs")
fs.mkdirSync("stress", { recursive: true })
for (let level = 0; level < 8; level++) for (let i = 0; i < 6 ** level; i++)
  fs.writeFileSync(\`stress/\${level}-\${i}\`, level === 7 ? "word" : Array.from({ length: 6 }, (_, k) => \`@\${level + 1}-\${i * 6 + k}\`).join(" "))
console.time("expand")
console.log(require("./lib/argumentFile.js").expandArgumentFiles(["@stress/0-0"]).length)
console.timeEnd("expand")'`;

export const TYPES = {
  before: `   * @returns \`this\` command for chaining
   */
  allowExcessArguments(allowExcess?: boolean): this;
`,
  after: `   * @returns \`this\` command for chaining
   */
  allowExcessArguments(allowExcess?: boolean): this;

  /**
   * Replace an argument \`@file\` by the arguments in that file. Files may name other files, at most 8 levels deep.
   * Write \`@@name\` for the argument \`@name\`.
   *
   * @returns \`this\` command for chaining
   */
  argumentFiles(enable?: boolean): this;
`,
};

export const README = {
  before: `To suppress the error for excess arguments, use \`.allowExcessArguments()\`.
`,
  after: `To suppress the error for excess arguments, use \`.allowExcessArguments()\`.

Command lines can be too long for the shell. To read arguments from files, use \`.argumentFiles()\`. An argument \`@file\` is
then replaced by the arguments in that file:

\`\`\`sh
# build.args: white space separates, quotes group, # starts a comment
--port 80 "my file.txt" @more.args
\`\`\`

\`\`\`sh
program @build.args
\`\`\`

A file may name other files, relative to itself and at most 8 levels deep. Arguments after \`--\` are left alone. Write
\`@@name\` for the argument \`@name\`, also for the value of an option: \`--mail @joe\` reads the file \`joe\`, \`--mail @@joe\` does not.
A file that cannot be read, has an unclosed quote or is nested too deep is an error with the code \`commander.argumentFile\`.
`,
};
