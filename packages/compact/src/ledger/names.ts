/** The last part of a path. */
export function nameOfFile(path: string): string {
  return path.replace(/[\\/]+$/, '').replace(/^.*[\\/]/, '');
}
