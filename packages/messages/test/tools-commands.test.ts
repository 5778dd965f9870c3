import { describe, expect, test } from 'vitest';
import { commandIn, patchedFiles, shellCommand } from '../src/tools.ts';

const edited = (...paths: string[]) => paths.map((path) => ({ path, change: 'edited' }));
const created = (...paths: string[]) => paths.map((path) => ({ path, change: 'created' }));
const deleted = (...paths: string[]) => paths.map((path) => ({ path, change: 'deleted' }));
const moved = (path: string, to: string) => ({ path, change: 'moved', to });

describe('shellCommand: what a command changes', () => {
  test.each<[string, readonly object[]]>([
    ['rm a.ts', deleted('a.ts')],
    ['x > one.ts > two.ts', edited('one.ts', 'two.ts')],
    ['rm -rf a b', deleted('a', 'b')],
    ['unlink a', deleted('a')],
    ['git rm --cached a', deleted('a')],
    ['git mv a b', [moved('a', 'b')]],
    ['mv a.ts b.ts', [moved('a.ts', 'b.ts')]],
    ['mv src/a.ts b c/', [moved('src/a.ts', 'c/a.ts'), moved('b', 'c/b')]],
    ['mv a', []],
    ['mv a/b/c.ts d/', [moved('a/b/c.ts', 'd/c.ts')]],
    ['git touch a', []],
    ['git cp a b', []],
    ['cp', []],
    ['cp a b', created('b')],
    ['cp src/a.ts c/', created('c/a.ts')],
    ['cp a', []],
    ['touch a b', created('a', 'b')],
    ['ls | tee a', edited('a')],
    ['sudo rm a', deleted('a')],
    ['echo x > a', edited('a')],
    ['echo x >> a', edited('a')],
    ['echo x 1> a', edited('a')],
    ['> a', edited('a')],
    ['make 2> errors', []],
    ['make > out 2>&1', edited('out')],
    ['make > /dev/null', []],
    ['rm a && mv b c; touch d', [...deleted('a'), moved('b', 'c'), ...created('d')]],
    ['rm "a b" \'c\' "d"', deleted('c', 'd')],
    ['rm *.ts $HOME/a aa:b ~ -', []],
    ['rm C:/a', deleted('C:/a')],
    [`rm ${'a'.repeat(299)}`, deleted('a'.repeat(299))],
    [`rm ${'a'.repeat(300)}`, []],
    ['mv a $B', []],
    ['cat <<E > a\nrm b\nE', edited('a')],
    ['# rm a\nrm b', deleted('b')],
    ['git cat a', []],
    ['ls a', []],
  ])('%j', (command, changes) => {
    expect(shellCommand(command).files.changes).toEqual(changes);
  });

  // Siblings looked for: the other readers of `sed` (`use`, what it prints).
  test.each<[string, readonly string[]]>([
    ['sed -i s/a/b/ a.ts', ['a.ts']],
    ["sed -i '' s/a/b/ a.ts", ['a.ts']],
    ['sed -E -i.bak s/a/b/ a.ts b.ts', ['a.ts', 'b.ts']],
    ['sed -ni s/a/b/p a.ts', ['a.ts']],
    ['sed --in-place s/a/b/ a.ts', ['a.ts']],
    ['sed --in-place=.bak s/a/b/ a.ts', ['a.ts']],
    ['sed -i -e s/a/b/ a.ts', ['a.ts']],
    ['sed -i -e s/a/b/ -e s/c/d/ a.ts', ['a.ts']],
    ['sed -e s/a/b/ -i a.ts', ['a.ts']],
    ['sed -i --expression=s/a/b/ a.ts', ['a.ts']],
    ['sed -i --expression s/a/b/ a.ts', ['a.ts']],
    ['sed -i -f x.sed a.ts', ['a.ts']],
    ['sed -i --file=x.sed a.ts', ['a.ts']],
    ['sed -i -fx.sed a.ts', ['a.ts']],
    ['sed -i -es/a/b/ -- a.ts', ['a.ts']],
    ['sed -i s/a/b/ a.ts -- -b.ts', ['a.ts', '-b.ts']],
    ['sed -l 5 -i s/a/b/ a.ts', ['a.ts']],
    ['sed -Ei s/a/b/ a.ts', ['a.ts']],
  ])('%j edits its files, not its script', (command, files) => {
    expect(shellCommand(command).files).toEqual({ changes: edited(...files), reads: [] });
    expect([shellCommand(command).use, shellCommand(command).onlyLooks]).toEqual(['run', false]);
  });
});

describe('shellCommand: what a command prints', () => {
  test.each<[string, readonly string[]]>([
    ['cat a.ts b.ts', ['a.ts', 'b.ts']],
    ['bat a', ['a']],
    ['nl a', ['a']],
    ['head -n 5 a', ['a']],
    ['tail -n 5 a', ['a']],
    ['head 5 a1', ['a1']],
    ['sed -n 5p a', ['a']],
    ['sed -n -e 5p a', ['a']],
    ['sed -n - a', ['a']],
    ['sed -n --expression=5p a', ['a']],
    ['sed -ne 5p a', ['a']],
    ['sed -nf x.sed a', ['a']],
    ['sed -nfscript a', ['a']],
    ['sed -En 5p a', ['a']],
    ['sed --quiet 5p a', ['a']],
    ['sed -n --file x.sed a', ['a']],
    ['sed -fscript a', []],
    ['sed -enp a', []],
    ['sed -ne 5pi a.ts', ['a.ts']],
    ['sed 5p a', []],
    ['git cat a', []],
    ['cat a | head -5', ['a']],
    ['cat $A *.ts', []],
    ['cat < a', ['a']],
    ['less a', []],
  ])('%j', (command, reads) => {
    expect(shellCommand(command).files).toEqual({ changes: [], reads });
  });
});

// D3. Siblings looked for: arguments beside a program, lists of lines, lists whose words hold spaces.
describe('D3: the words of a command', () => {
  test.each<[unknown, string | undefined]>([
    [{ command: 'ls' }, 'ls'],
    [{ cmd: 'ls' }, 'ls'],
    [{ script: 'ls' }, 'ls'],
    [{ command: ['bash', '-lc', 'ls -a'] }, 'ls -a'],
    [{ command: ['ls', '-a', 1] }, 'ls -a'],
    [{ command: ['ls'] }, 'ls'],
    [
      { command: ['git', 'commit', '-m', "it's so", ''] },
      String.raw`git commit -m 'it'\''s so' ''`,
    ],
    [{ command: 'npm', args: ['run', 'a b'] }, "npm run 'a b'"],
    [{ command: 'npm', args: { all: true } }, 'npm'],
    [{ command: 'npm', args: ['ci'] }, 'npm ci'],
    [{ action: { type: 'exec', command: ['terraform', 'apply'] } }, 'terraform apply'],
    [{ action: { command: ['bash', '-lc', 'terraform apply'] } }, 'terraform apply'],
    [{ action: { command: 'ls' } }, 'ls'],
    [{ action: { commands: ['cd infra', ' ', 'terraform apply'] } }, 'cd infra\nterraform apply'],
    [{ commands: ['ls'] }, 'ls'],
    [{ command: 'one', action: { command: 'two' } }, 'one'],
    [{ action: 'click', command: [] }, undefined],
    [{ command: ' ' }, undefined],
    [{ command: 5 }, undefined],
    [{}, undefined],
  ])('of %j are %j', (input, command) => {
    expect(commandIn(input as Record<string, unknown>)).toBe(command);
  });

  test.each<[string, string, string | undefined]>([
    ['cd /w && npm  test', 'npm test', '/w'],
    ["pushd 'a b'; ls\n -a", 'ls -a', 'a b'],
    ['cd "a b"\nls', 'ls', 'a b'],
    ['cd a && cd b && ls', 'ls', 'a'],
    ['cd a && ', 'cd a &&', 'a'],
    ['  ls ', 'ls', undefined],
    ['cd a', 'cd a', undefined],
    [`echo ${'x'.repeat(5_000)}`, `echo ${'x'.repeat(3_995)}`, undefined],
  ])('%j is known as %j', (command, key, folder) => {
    expect(shellCommand(command).key).toBe(key);
    expect(shellCommand(command).folder).toBe(folder);
  });
});

describe('what a command is about, a program each', () => {
  test.each<[string, string, boolean]>([
    ['cd a', 'run', true],
    ['pushd a && ls', 'search', true],
    ['FOO=1', 'look', true],
    ['/usr/local/bin/cat a', 'read', true],
    ['(ls)', 'run', false],
    ['( ls )', 'search', true],
    ['fd a', 'search', true],
    ['fd a -x rm', 'run', false],
    ['find . -exec rm {} +', 'run', false],
    ['grep -x a b', 'search', true],
    ['find . | xargs -r cat', 'search', true],
    ['find . | xargs -I {} rm {}', 'search', false],
    ['xargs -n 1 -r rm', 'run', false],
    ['xargs -0 cat', 'read', true],
    ['xargs -L 2 -d x head', 'read', true],
    ['sed s/a/b/ a', 'look', true],
    ['sed -n 5p a', 'read', true],
    ['sed -ne 5p a', 'read', true],
    ['sed -fscript a', 'look', true],
    ['sed -nie 5p a', 'run', false],
    ['sed s/--in-place/b/ a', 'look', true],
    ['cat a > /dev/null', 'read', true],
    ['cat a > b/dev/', 'read', false],
    ['env A=b time sudo ls', 'search', true],
    ['git -c a=b -C /w --no-pager diff', 'look', true],
    ['git --no-pager log', 'search', true],
    ['git ls-files', 'search', true],
    ['git show', 'look', true],
    ['git push', 'run', false],
    ['git', 'run', false],
    ['git branch', 'look', true],
    ['git branch -a', 'look', true],
    ['git branch -D x', 'run', false],
    ['git stash', 'run', false],
    ['git stash list', 'look', true],
    ['git remote -v', 'look', true],
    ['git worktree add x', 'run', false],
    ['unknown', 'run', false],
    ['cat `rm a`', 'read', false],
    ['diff <(rm a) b', 'look', false],
    ['tee >(rm a)', 'run', false],
    [`ls ${'a'.repeat(3_997)}`, 'search', true],
    [`ls ${'a'.repeat(3_998)}`, 'search', false],
  ])('%j: %s, only looks: %s', (command, use, looks) => {
    expect([shellCommand(command).use, shellCommand(command).onlyLooks]).toEqual([use, looks]);
  });
});

describe('patchedFiles', () => {
  const envelope = (...lines: string[]) =>
    ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
  test.each<[string, string, readonly object[]]>([
    ['a file that is added', envelope('*** Add File: a.ts', '+x'), created('a.ts')],
    ['a file that is updated', envelope('*** Update File:  a.ts ', '-x'), edited('a.ts')],
    ['a file that is deleted', envelope('*** Delete File: a.ts'), deleted('a.ts')],
    [
      'a file that is moved',
      envelope('*** Update File: a.ts', '*** Move to:  b.ts ', '@@'),
      [moved('a.ts', 'b.ts')],
    ],
    ['a name that is blank', envelope('*** Add File:   '), []],
    ['an envelope without its first line', '*** Add File: a.ts', []],
    ['a diff', '--- a/x.ts\n+++ b/x.ts\n@@\n-a\n+b', edited('x.ts')],
    ['a diff without prefixes', '--- x.ts\t2026\n+++ y.ts\n', edited('y.ts')],
    ['a diff of a new file', '--- /dev/null\n+++ b/x.ts\n', created('x.ts')],
    ['a diff of a file that goes', '--- a/x.ts\n+++ /dev/null\n', deleted('x.ts')],
    ['half of a diff', '--- a/x.ts\n', []],
    ['the other half', '+++ a/x.ts\n', []],
    ['another text', 'a', []],
  ])('%s', (_, text, files) => {
    expect(patchedFiles(text)).toEqual(files);
  });
});
