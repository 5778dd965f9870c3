/** What a command returns: 1 where a file was refused. */
export const exitCode = ({ refused }: { readonly refused: readonly unknown[] }): 0 | 1 =>
  refused.length > 0 ? 1 : 0;
