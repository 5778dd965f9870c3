/**
 * Whether a part of a command line, up to one of `ends`, calls git and says one of `verbs` behind it. Takes time in proportion to the command:
 * one pattern over both would begin anew at each `git`.
 */
export const callsGit = (command: string, verbs: RegExp, ends: RegExp): boolean =>
  command.split(ends).some((part) => {
    const at = part.search(/\bgit\b/);
    return at >= 0 && verbs.test(part.slice(at + 'git'.length));
  });
