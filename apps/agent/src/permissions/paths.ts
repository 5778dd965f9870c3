import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { codeOf } from '@varve/guards';

/** Files and folders that hold keys by their name, as patterns of ripgrep. */
export const SECRET_GLOBS: readonly string[] = [
  ...['.env', '.env.*', '.envrc', '.netrc', '.npmrc', '.pypirc', '.git-credentials', '.pgpass'],
  ...['*.pem', '*.key', '*.p12', '*.pfx', '*.jks', '*.kdbx', '*.keystore', '*.ppk'],
  ...['id_rsa*', 'id_dsa*', 'id_ecdsa*', 'id_ed25519*', '.htpasswd', '.vault-token'],
  ...['.terraformrc', '.s3cfg', '.boto', '.my.cnf', '*.tfstate', 'credentials.json'],
  ...['client_secret*.json', 'service[-_]account*.json', 'secrets.json', 'secrets.y*ml'],
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.gcloud'],
];
const SECRET_NAME =
  /^(?:\.env(?:\..+)?|\.envrc|\.netrc|_netrc|\.npmrc|\.pypirc|\.git-credentials|\.pgpass|\.htpasswd|\.vault-token|id_(?:rsa|dsa|ecdsa|ed25519).*|.+\.(?:pem|key|p12|pfx|jks|kdbx|keystore|ppk))$/i;
const SECRET_SETTINGS =
  /^(?:\.terraformrc|\.s3cfg|\.boto|\.my\.cnf|.+\.tfstate|credentials\.json|client_secret.*\.json|service.account.*\.json|secrets\.(?:json|ya?ml))$/i;
/** Settings of programs, in which addresses and keys with passwords stand. */
const SECRET_PATH =
  /(?:^|\/)(?:\.git\/(?:.*\/)?(?:config|config\.worktree|credentials)|\.cargo\/credentials(?:\.toml)?|\.gem\/credentials|\.m2\/settings(?:-security)?\.xml|gh\/hosts\.yml|rclone\/rclone\.conf|\.?composer\/auth\.json)$/i;
const HARMLESS_NAME = /^\.env\.(?:example|sample|template|dist)$|\.pub$/i;
const SECRET_FOLDERS = new Set(['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.gcloud']);

/** Whether a file is likely to hold keys or passwords. */
export const isSecret = (path: string): boolean =>
  (SECRET_NAME.test(basename(path)) && !HARMLESS_NAME.test(basename(path))) ||
  SECRET_SETTINGS.test(basename(path)) ||
  SECRET_PATH.test(path) ||
  path.split(sep).some((part) => SECRET_FOLDERS.has(part.toLowerCase())) ||
  /^\/proc\/[^/]+\/(?:environ|mem|fd)/.test(path);

/** What changes how programs run later, where a change of a source file does not. */
const CONTROL =
  /(?:^|\/)(?:\.git|\.varve|\.claude|\.agents|\.husky|\.vscode|\.idea|\.devcontainer)(?:\/|$)|(?:^|\/)(?:\.mcp\.json|\.gitmodules|\.gitconfig|\.bash[^/]*|\.zsh[^/]*|\.profile)$/i;

/** Whether a change of the file may run something beside what was asked for. */
export const isControl = (path: string): boolean => CONTROL.test(path);

/** Where a path leads through links, also where its last parts are not there yet. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const parent = dirname(path);
    if (codeOf(error) === 'ELOOP' || parent === path) return path;
    return join(realPathOf(parent), basename(path));
  }
}

/** Whether a path is a folder or in it. Both are to be real paths. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !way.startsWith('/'));
}

export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** A folder above, those on the way down, and the folder itself; none where it is not above. Both are to be real paths. */
export function foldersBetween(root: string, folder: string): string[] {
  if (!isWithin(root, folder)) return [];
  const ways = relative(root, folder)
    .split(sep)
    .filter((part) => part !== '');
  return [root, ...ways.map((_, index) => join(root, ...ways.slice(0, index + 1)))];
}

/** The nearest folder above that git keeps, or the folder itself. */
export const projectRoot = (cwd: string): string => repositoryOf(cwd) ?? cwd;

/** The nearest folder above that is a repository of git. */
export function repositoryOf(cwd: string): string | undefined {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}
