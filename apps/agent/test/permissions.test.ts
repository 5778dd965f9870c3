import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPermissions, type PermissionOptions } from '../src/permissions/decide.ts';
import type { Answer, PermissionMode, Question } from '../src/permissions/permissions.ts';
import { forbidsFile, type Rule, readRule } from '../src/permissions/rules.ts';
import { loadShellReader } from '../src/permissions/shell-line.ts';
import type { ToolCall } from '../src/tools/tool.ts';

const signal = new AbortController().signal;

function project() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'varve-permissions-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const cwd = join(root, 'project');
  mkdirSync(join(cwd, 'src'), { recursive: true });
  mkdirSync(join(root, 'elsewhere'));
  for (const name of ['.env', 'src/a.ts', 'server.pem', 'README.md'])
    writeFileSync(join(cwd, name), 'x');
  writeFileSync(join(root, 'elsewhere', 'secret.txt'), 'x');
  symlinkSync('../elsewhere', join(cwd, 'link'));
  symlinkSync('.env', join(cwd, 'plain.txt'));
  symlinkSync('../elsewhere/secret.txt', join(cwd, 'notes.md'));
  mkdirSync(join(cwd, 'loop'));
  symlinkSync('../..', join(cwd, 'loop', 'loop'));
  return { root, cwd };
}

type Lists = { readonly [List in 'allow' | 'ask' | 'deny']?: readonly string[] };

function permissionsFor(
  cwd: string,
  {
    allow,
    ask,
    deny,
    ...more
  }: Lists & Partial<Omit<PermissionOptions, 'allow' | 'ask' | 'deny'>> = {},
) {
  const rules = (texts: readonly string[] = []): Rule[] =>
    texts.map((text) => {
      const read = readRule(text, cwd);
      if (read.kind === 'useless') throw new Error(read.reason);
      return read.rule;
    });
  const lists = { allow: rules(allow), ask: rules(ask), deny: rules(deny) };
  return createPermissions({ mode: 'default', cwd, ...lists, ...more });
}

const bash = (command: string): ToolCall => ({
  ...{ id: 'call_1', name: 'Bash', input: { command }, reads: false, risk: 'runs' },
});
const tool = (name: string, input: object): ToolCall => ({
  ...{ id: 'call_1', name, input, reads: /^(?:Read|Glob|Grep|LS|WebFetch)$/.test(name) },
  risk: /^(?:Edit|Write)$/.test(name) ? 'edits' : name === 'WebFetch' ? 'fetches' : undefined,
});

describe('A2: a command that only reads', () => {
  test.each([
    ...[
      'ls',
      'ls -la src',
      'cat src/a.ts',
      'cat src/*.ts',
      'cat src/a*',
      'for f in src/*.ts; do ls; done',
      'pwd && ls',
      'head -n 5 README.md | wc -l',
    ],
    ...[
      'git status',
      'git diff --stat HEAD~1 -- src',
      'git log --oneline -5 | cat',
      'git branch -a',
    ],
    ...[
      'find . -name "*.ts" -type f',
      'grep -n x src/a.ts',
      'grep -c "/api" src/*.ts',
      'sort -u README.md',
    ],
    ...[
      'cd src && ls',
      'echo $(pwd)',
      'cat README.md 2>/dev/null',
      'ls 2>&1',
      'node --version',
      'sed -n 1,5p README.md',
    ],
    ...[
      'if [ -f README.md ]; then cat README.md; fi',
      'time ls',
      'timeout 5 ls src',
      'cat < README.md',
      'x=1; ls',
    ],
    ...[
      'cat <<EOF\nhello\nEOF',
      'ls # a comment',
      'ls \\\n  -l',
      "echo 'rm -rf /'",
      'command -v git',
      'date +%s',
    ],
  ])('%s', async (command) => {
    const permissions = permissionsFor(project().cwd);
    expect(await permissions.reads(bash(command))).toBe(true);
    expect(await permissions.decide(bash(command), { hook: 'none', signal })).toMatchObject({
      kind: 'allowed',
    });
  });
});

describe('A2: a command that may do more is asked', () => {
  test.each([
    ...[
      'rm x',
      'ls; rm x',
      'ls && rm x',
      'ls | sh',
      'ls & rm x',
      'ls\nrm x',
      'echo $(rm x)',
      'echo `rm x`',
    ],
    ...[
      'echo "$(rm x)"',
      'diff <(rm x) README.md',
      'cat <<EOF\n$(rm x)\nEOF',
      'x=$(rm x)',
      'ls > out',
      'ls >> out',
    ],
    ...[
      'ls &> out',
      'ls >| out',
      'cat <<EOF > out\nx\nEOF',
      '{ ls; } > out',
      '(ls) > out',
      '> out',
      'echo x | tee out',
    ],
    ...[
      'cat .env',
      'cat ./.env',
      'cat src/../.env',
      'cat plain.txt',
      'cat .e*',
      'cat *',
      'cat .en?',
      'cat {.env,x}',
      'cat server.pem',
    ],
    ...[
      'cat "$FILE"',
      'cat $(echo .env)',
      'echo $ANTHROPIC_API_KEY',
      'env',
      'printenv',
      'cat < .env',
      'cat *.pem',
    ],
    ...[
      'cat /etc/passwd',
      'cat ../elsewhere/secret.txt',
      'cat link/secret.txt',
      'ls link/',
      'ls ..',
      'ls /',
      'cd .. && cat elsewhere/secret.txt',
    ],
    ...[
      'cd link && cat secret.txt',
      'cd; cat .profile',
      'cd - ; ls',
      'cd "$X"; ls',
      'cat ~/.ssh/id_rsa',
      'cat ~root/x',
      'wc --files0-from=.env',
    ],
    ...[
      'find . -delete',
      'find . -exec rm {} +',
      'find . -fprint out',
      'sort -o out README.md',
      'sort --compress-program=sh README.md',
    ],
    ...[
      'uniq README.md out',
      'date 01010000',
      'hostname evil',
      'sed -n w\\ out README.md',
      "sed -n '1e rm' README.md",
      'sed -i s/a/b/ README.md',
    ],
    ...[
      'grep -r x .',
      'diff src src',
      'git diff --output=out',
      'git diff --outpu=out',
      'git -c core.pager=rm log',
      'git -C / log',
    ],
    ...[
      'git branch new',
      'git branch -D main',
      'git tag v1',
      'git remote add x y',
      'git remote -v',
      'git show HEAD:.env',
      'git diff --no-index / .',
      'git grep --open-files-in-pager=rm x',
    ],
    ...[
      'cd src && git status',
      'git push',
      'git log --ext-diff',
      'PATH=. ls',
      'PATH=.; ls',
      'LD_PRELOAD=./x ls',
      'GIT_PAGER=rm git log',
      'export PATH=.',
    ],
    ...[
      'ls() { rm x; }; ls',
      'alias ls=rm',
      '$X',
      'r\\m x',
      '"rm" x',
      "r'm' x",
      'eval ls',
      'bash -c ls',
      'sh x',
      'sudo ls',
      'env ls',
      'xargs ls',
      'exec ls',
      '. ./x',
      './ls',
    ],
    ...[
      "x='a[$(rm x)]'; echo $((x))",
      "[[ 'a[$(rm x)]' -eq 1 ]]",
      "test -v 'a[$(rm x)]'",
      "printf -v 'a[$(rm x)]' y",
      `echo \${x@P}`,
      `echo \${!x}`,
      '(( a[$(rm x)] ))',
      'echo $[a]',
    ],
    ...[
      '[ a > out ]',
      'ls (',
      'ls "',
      'for x in a; do rm $x; done',
      'while rm x; do ls; done',
      'case a in a) rm x;; esac',
      '! rm x',
      'coproc rm x',
      'ls\u00a0x',
      'ls \u202e x',
      'ls\rrm x',
    ],
    ...[
      'tree -o out',
      'type x > y',
      'cat README.md | xargs rm',
      'trap "rm x" EXIT',
      'source x',
      'time rm x',
      'timeout 5 rm x',
      'time -o out ls',
      'command rm x',
      'node -e 1',
      'npm test',
    ],
    // names of files that a pattern leads to through links, a loop that sets what is run or goes through links
    ...[
      'cat *.md',
      'grep x src/../*.md',
      'ls *',
      'ls -RL',
      'du -aL',
      'for PATH in .; do ls; done',
      'select PATH in .; do ls; done',
      'for HOME in .; do git status; done',
      'ls {PATH}>/dev/null; ls',
      'for x in 1 2; do cd loop; done; cat passwd',
      'while true; do cat a.ts; cd loop; done',
    ],
    // files whose lines are taken for names or arguments, and shown in a complaint
    ...[
      'strings @.env',
      'strings @/etc/passwd',
      'hexdump -f.env README.md',
      'hostname -F.env',
      'du --files0-from=.env',
      'wc --files0-from=README.md',
      'md5sum -c README.md',
      'git blame -S.env README.md',
      'git show :0:.env',
    ],
    // programs that run the version that a file of the folder names
    ...['yarn --version', 'pnpm -v', 'cargo --version', 'rustc -V', 'ruby -v', 'go version'],
  ])('%s', async (command) => {
    const permissions = permissionsFor(project().cwd);
    expect(await permissions.reads(bash(command))).toBe(false);
    expect(await permissions.decide(bash(command), { hook: 'none', signal })).toMatchObject({
      kind: 'refused',
    });
  });
});

test.each<[string, string[], boolean]>([
  ['git push', ['Bash(git push:*)'], true],
  ['git push origin main', ['Bash(git push:*)'], true],
  ['git pushy', ['Bash(git push:*)'], false],
  ['npm run test', ['Bash(npm run *)'], true],
  ['npm run', ['Bash(npm run *)'], true],
  ['npm running', ['Bash(npm run *)'], false],
  ['npm test', ['Bash(npm test)'], true],
  ['npm test x', ['Bash(npm test)'], false],
  ['npm test && git push', ['Bash(npm test)', 'Bash(git push:*)'], true],
  ['npm test && rm x', ['Bash(npm test)'], false],
  ['npm test | tail -5', ['Bash(npm test)'], true],
  ['npm test $(rm x)', ['Bash(npm test:*)'], false],
  ['npm test > /etc/x', ['Bash(npm test:*)'], false],
  ['npm test > src/out', ['Bash(npm test:*)', 'Edit(src/**)'], true],
  ['PATH=. npm test', ['Bash(npm test:*)'], false],
  ['CI=1 npm test', ['Bash(npm test:*)'], true],
  ['timeout 60 npm test', ['Bash(npm test)'], true],
  ['time npm test', ['Bash(npm test)'], true],
  ['anything at all (', ['Bash'], true],
  ['cat .env', ['Bash(cat:*)'], true],
  ['sh -c ls', ['Bash(ls:*)'], false],
  ['$X test', ['Bash(npm test:*)'], false],
  ['npm $X', ['Bash(npm test:*)'], false],
])('A2: %s with the allow rules %j is allowed: %s', async (command, allow, isAllowed) => {
  const permissions = permissionsFor(project().cwd, { allow });
  const { kind } = await permissions.decide(bash(command), { hook: 'none', signal });
  expect(kind).toBe(isAllowed ? 'allowed' : 'refused');
});

test('A2: a rule of a row of spaces and colons is read', async () => {
  const deny = [`Bash(rm${' :'.repeat(100_000)}x)`, 'Bash(rm : *)'];
  const permissions = permissionsFor(project().cwd, { deny, mode: 'bypassPermissions' });
  for (const command of ['rm a', 'eval "rm a"'])
    expect(await permissions.decide(bash(command), { hook: 'allow', signal })).toMatchObject({
      kind: 'refused',
    });
  expect(await permissions.decide(bash('eval "ls a"'), { hook: 'allow', signal })).toMatchObject({
    kind: 'allowed',
  });
});

describe('A2: what a deny rule forbids, neither hook nor mode nor another form of it allows', () => {
  test.each([
    ...[
      'rm x',
      'ls; rm x',
      'echo $(rm x)',
      '/bin/rm x',
      'sudo rm x',
      'env A=1 rm x',
      'xargs rm',
      'bash -c "rm x"',
      "sh -c 'ls; rm x'",
      'eval rm x',
    ],
    ...[
      'find . -exec rm {} ;',
      'timeout 5 rm x',
      'nohup nice rm x',
      '"rm" x',
      'r\\m x',
      "r'm' x",
      'A=1 rm x',
      'if true; then rm x; fi',
      'f() { rm x; }; f',
      'rm x (',
      '$X x',
      'cat <<EOF | sh\n$(rm x)\nEOF',
    ],
    ...[
      'git push',
      'git -C . push',
      'git -c a=b push',
      'git --git-dir=x push',
      'cat .env',
      'cat src/../.env',
      'cat plain.txt',
      'cat < .env',
      'echo x > .env',
      'bash -c "bash -c \'rm x\'"',
    ],
    // a program that runs what a word, a variable, a file or its input says
    ...[
      'env -S "rm x"',
      'watch "rm x"',
      'su -c "rm x"',
      'trap "rm x" EXIT',
      'GIT_SSH_COMMAND="rm x" git fetch',
      'git -c core.pager="rm x" log',
      'tar cf - . --checkpoint-action=exec="rm x"',
      'tar cf - . --checkpoint-action=exec=rm',
      'alias l=rm\nl x',
      'echo "rm x" | sh',
      'sh <<< "rm x"',
      'sh <<EOF\nrm x\nEOF',
      `awk 'BEGIN{system("rm x")}'`,
      `python3 -c "import os; os.system('rm x')"`,
      'printf "\\162m x" | sh',
      'base64 -d <<< cm0geA== | bash',
      'bash -c "ls $X"',
      'eval "$X"',
      'source /dev/stdin <<< x',
      'chrt 1 rm x',
      '/lib64/ld-linux-x86-64.so.2 /bin/rm x',
      'parallel "rm {}" ::: x',
      'r? x',
      '{rm,x}',
      "$'\\x72m' x",
    ],
    // paths by another folder, a pattern, a variable, a revision, an open file, a program that reads folders
    ...[
      'cat READ*.md',
      'cat REA?ME.md',
      'cat {README,x}.md',
      'cd src && cat a.ts',
      'cd src; head ../README.md',
      'cd src && echo x > ../kept.txt',
      'f=README.md; cat $f',
      `cat "\${f:-README.md}"`,
      'cat $(echo README.md)',
      'cat <> README.md',
      'cat /proc/self/cwd/README.md',
      `python3 -c "print(open('README.md').read())"`,
      'git show HEAD:README.md',
      'grep -r x .',
      'rg x',
      'ls | xargs cat',
      'sort -okept.txt server.pem',
      'echo $[1]; cat README.md',
      'echo $[1]; cat "$X"',
    ],
  ])('%s', async (command) => {
    const deny = [
      ...['Bash(rm:*)', 'Bash(git push:*)', 'Read(.env)', 'Edit(.env)'],
      ...['Read(README.md)', 'Read(./src/**)', 'Edit(kept.txt)'],
    ];
    for (const mode of ['default', 'acceptEdits', 'bypassPermissions'] as const) {
      const permissions = permissionsFor(project().cwd, { deny, mode, allow: ['Bash'] });
      expect(await permissions.decide(bash(command), { hook: 'allow', signal })).toMatchObject({
        kind: 'refused',
      });
    }
  });

  test.each([
    tool('Read', { file_path: '.env' }),
    tool('Read', { file_path: 'src/../.env' }),
    tool('Read', { file_path: 'plain.txt' }),
    tool('Grep', { pattern: 'x', path: '.env' }),
    tool('Edit', { file_path: 'src/a.ts' }),
    tool('Write', { file_path: 'src/new.ts' }),
    tool('WebFetch', { url: 'https://www.example.com/x' }),
    tool('WebFetch', { url: 'https://EXAMPLE.com./x' }),
    tool('mcp__files__delete', {}),
    tool('Task', { subagent_type: 'explore', prompt: 'x' }),
    tool('Edit', { file_path: 'kept.txt' }),
    tool('Read', { file_path: 'server.pem' }),
  ])('$name $input', async (call) => {
    const deny = [
      ...['Read(.env)', 'Edit(/src/**)', 'WebFetch(domain:example.com)', 'mcp__files__*'],
      ...['Task(explore)', 'Write(kept.txt)', 'Grep(server.pem)'],
    ];
    const permissions = permissionsFor(project().cwd, { deny, mode: 'bypassPermissions' });
    expect(await permissions.denied(call)).toContain('forbidden');
    expect(await permissions.decide(call, { hook: 'allow', signal })).toMatchObject({
      kind: 'refused',
    });
  });
});

test.each([
  ...['ls', 'cat server.key', 'npm test', 'bash build.sh', 'git commit -m x', 'cat src/b*.ts'],
  ...['for x in a b; do npm test; done', 'cd src && npm test', 'node x.js > out', 'mkdir -p a/b'],
])('A2: beside deny rules, %s is not asked for more', async (command) => {
  const deny = ['Bash(rm:*)', 'Bash(git push:*)', 'Read(.env)', 'Edit(kept.txt)'];
  const permissions = permissionsFor(project().cwd, { deny, mode: 'bypassPermissions' });
  expect(await permissions.decide(bash(command), { hook: 'none', signal })).toMatchObject({
    kind: 'allowed',
  });
});

const ONCE: Answer = { kind: 'once' };

test.each([
  ...['http://localhost:3000/', 'http://127.0.0.1/', 'http://2130706433/', 'http://[::1]:8080/'],
  ...['http://10.1.2.3/', 'http://192.168.0.1/', 'http://[::ffff:10.0.0.1]/', 'http://0/'],
  ...['http://169.254.169.254/latest/meta-data/', 'http://a.localhost./'],
  ...['http://[::127.0.0.1]/', 'http://[fec0::1]/', 'http://[64:ff9b:1::7f00:1]/'],
])('A2: WebFetch of %s is asked in any mode, unless a rule names it', async (url) => {
  const call = tool('WebFetch', { url });
  const { cwd } = project();
  const ways: Parameters<typeof permissionsFor>[1][] = [
    { mode: 'bypassPermissions' },
    { allow: ['WebFetch'] },
    { allow: ['WebFetch(domain:*)'] },
  ];
  for (const way of ways)
    expect(await permissionsFor(cwd, way).decide(call, { hook: 'allow', signal })).toMatchObject({
      ...{ kind: 'refused', by: 'nobody' },
      reason: expect.stringContaining('own machine or network'),
    });
  const named = permissionsFor(cwd, { allow: [`WebFetch(domain:${new URL(url).hostname})`] });
  const isNamed = !/\.$/.test(new URL(url).hostname);
  if (isNamed)
    expect(await named.decide(call, { hook: 'none', signal })).toMatchObject({ kind: 'allowed' });
});

/** A repository that had `private/key.txt`, and has it no more where `isGone`. */
function repository({ isGone = false, isEmpty = false } = {}): string {
  const { cwd } = project();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd });
  git('init', '-q');
  mkdirSync(join(cwd, 'private'));
  if (!isEmpty) writeFileSync(join(cwd, 'private', 'key.txt'), 'hidden');
  git('add', 'src', 'private');
  git('commit', '-qm', 'first');
  if (isGone) git('rm', '-q', '-r', 'private');
  if (isGone) git('commit', '-qm', 'second');
  return cwd;
}

const SHOWING = [
  ...['git diff', 'git diff HEAD', 'git show HEAD', 'git log -p', 'git log --oneline -p -3'],
  ...['git diff | head -50', 'bash -c "git diff"', 'git stash show -p', 'git grep hidden'],
  ...['git status -vv', 'git commit -av --dry-run', 'git add -p', 'git stash push --patch'],
  ...['git reset -p HEAD~1', 'git rebase --show-current-patch', 'git fast-export --all'],
  ...['git blame -- src', 'cd src && git diff', 'git -C . show', 'git add -A && git diff --cached'],
];

describe('A2: what git shows of a file that a rule denies to read', () => {
  test('is asked, in any mode, also where it was taken out', async () => {
    for (const cwd of [repository(), repository({ isGone: true })])
      for (const mode of ['default', 'bypassPermissions'] as const) {
        const permissions = permissionsFor(cwd, { mode, deny: ['Read(./private/**)'] });
        for (const command of SHOWING)
          expect([
            command,
            await permissions.decide(bash(command), { hook: 'none', signal }),
          ]).toEqual([command, expect.objectContaining({ kind: 'refused', by: 'nobody' })]);
      }
  });

  const NAMING = [
    ...['git diff --stat', 'git log --oneline -5', 'git status --short', 'git log --stat'],
    ...['git diff -- src/a.ts', 'git show --name-only HEAD', 'git stash list', 'git show -s HEAD'],
    ...['git status', 'git status -sb'],
  ];
  test.each([
    ['what only names it', {}, NAMING],
    ['a repository that never had it', { isEmpty: true }, ['git diff', 'git show', 'git log -p']],
  ])('is not asked of %s', async (_, given, commands) => {
    const deny = ['Read(./private/**)', 'Read(.env)', 'Read(~/.ssh/**)'];
    const permissions = permissionsFor(repository(given), { deny });
    for (const command of commands)
      expect([command, await permissions.decide(bash(command), { hook: 'none', signal })]).toEqual([
        command,
        expect.objectContaining({ kind: 'allowed' }),
      ]);
  });
});

test('A2: a commit that nothing leads to any more shows what a rule denies to read, named by its id or found by another command', async () => {
  const cwd = repository({ isEmpty: true });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      ...{ cwd, encoding: 'utf8' },
    }).trim();
  const permissions = permissionsFor(cwd, {
    ...{ deny: ['Read(./private/**)'], mode: 'bypassPermissions' },
  });
  const decide = (command: string) => permissions.decide(bash(command), { hook: 'none', signal });
  const asked = expect.objectContaining({ kind: 'refused' });
  writeFileSync(join(cwd, 'private', 'key.txt'), 'hidden');
  const before = git('rev-parse', 'HEAD');
  git('add', '-f', 'private');
  const tree = git('write-tree');
  const lost = git('commit-tree', tree, '-p', before, '-m', 'lost');
  git('rm', '-q', '--cached', '-r', 'private');
  writeFileSync(join(cwd, '.git', 'FETCH_HEAD'), `${lost}\t\tof an address\n`);
  for (const command of [
    ...[`git show ${lost}`, `git diff HEAD..${lost.slice(0, 8)}`, `git cat-file -p ${tree}`],
    ...[`git log -p ${lost} -3`, 'git show $(git fsck --lost-found | cut -d" " -f3)'],
    ...[`git show v1-0-g${lost.slice(0, 8)}`, 'git show FETCH_HEAD', 'git diff HEAD..FETCH_HEAD'],
  ])
    expect([command, await decide(command)]).toEqual([command, asked]);
  for (const command of [`git show ${before}`, 'git diff HEAD', 'git show deadbeef'])
    expect([command, await decide(command)]).toEqual([
      command,
      expect.objectContaining({ kind: 'allowed' }),
    ]);
});

test('A2: rules of a folder hold for one that works in a copy of it, in both', async () => {
  const { root, cwd } = project();
  const copy = join(root, 'copy');
  mkdirSync(copy);
  const deny = ['Read(README.md)', 'Read(./src/**)'].map((text) => readRule(text, cwd));
  const permissions = createPermissions({
    ...{ mode: 'bypassPermissions', cwd: copy, copyOf: [cwd] },
    deny: deny.flatMap((read) => (read.kind === 'rule' ? [read.rule] : [])),
  });
  for (const path of ['README.md', 'src/a.ts', join(cwd, 'README.md'), join(cwd, 'src/a.ts')])
    for (const call of [tool('Read', { file_path: path }), bash(`cat ${path}`)])
      expect(await permissions.denied(call)).toContain('forbidden');
});

// What tries each way in which the stars could stand does not end.
test('A2: a rule of many stars that fits nothing leaves the command allowed', async () => {
  const deny = [`Bash(${'*a'.repeat(30)}*b)`];
  const permissions = permissionsFor(project().cwd, { deny, allow: ['Bash'] });
  const call = bash(`echo ${'a'.repeat(2_000)}`);
  expect(await permissions.decide(call, { hook: 'none', signal })).toMatchObject({
    kind: 'allowed',
  });
});

test('A2: a hook that answers in place of a person lets nothing through that a deny rule may forbid', async () => {
  const permissions = permissionsFor(project().cwd, { deny: ['Bash(rm:*)'], allow: ['Bash'] });
  const given = { hook: 'allow', signal, askHooks: async (): Promise<Answer> => ONCE } as const;
  expect(await permissions.decide(bash('$X x'), given)).toMatchObject({ kind: 'refused' });
});

test.each<[string, string, boolean]>([
  ['.git/hooks/pre-commit', 'Edit(**)', false],
  ['.varve/settings.json', 'Edit(./**)', false],
  ['.varve/settings.json', 'Edit(.varve/**)', true],
  ['src/a.ts', 'Edit(**)', true],
])('A2: %s may be written by the rule %s: %s', async (file_path, rule, isAllowed) => {
  const permissions = permissionsFor(project().cwd, { allow: [rule] });
  const { kind } = await permissions.decide(tool('Write', { file_path }), {
    ...{ hook: 'none', signal },
  });
  expect(kind).toBe(isAllowed ? 'allowed' : 'refused');
});

test.each<[string, object, PermissionMode, boolean]>([
  ['Read', { file_path: 'src/a.ts' }, 'default', true],
  ['Read', { file_path: '.env' }, 'default', false],
  ['Read', { file_path: '.env.example' }, 'default', true],
  ['Read', { file_path: 'server.pem' }, 'default', false],
  ['Read', { file_path: 'plain.txt' }, 'default', false],
  ['Read', { file_path: '/etc/passwd' }, 'default', false],
  ['Read', { file_path: '~/.ssh/id_rsa' }, 'acceptEdits', false],
  ['Read', { file_path: 'link/secret.txt' }, 'default', false],
  ['Read', { file_path: '/etc/passwd' }, 'bypassPermissions', true],
  ['Glob', { pattern: '../**' }, 'default', false],
  ['Glob', { pattern: '/etc/*' }, 'default', false],
  ['Glob', { pattern: 'src/*/../../../*' }, 'default', false],
  ['Glob', { pattern: '**/*.ts' }, 'default', true],
  ['Grep', { pattern: 'x', path: '..' }, 'default', false],
  ['Edit', { file_path: 'src/a.ts' }, 'default', false],
  ['Edit', { file_path: 'src/a.ts' }, 'acceptEdits', true],
  ['Write', { file_path: 'link/new.txt' }, 'acceptEdits', false],
  ['Write', { file_path: 'link/new/deep.txt' }, 'acceptEdits', false],
  ['Write', { file_path: '.git/hooks/pre-commit' }, 'acceptEdits', false],
  ['Write', { file_path: '.claude/settings.json' }, 'acceptEdits', false],
  ['Write', { file_path: '.mcp.json' }, 'acceptEdits', false],
  ['Write', { file_path: '.env' }, 'acceptEdits', false],
  ['Write', { file_path: 'src/a.ts' }, 'plan', false],
  ['Read', { file_path: 'src/a.ts' }, 'plan', true],
  ['Write', { file_path: 'src/a.ts' }, 'dontAsk', false],
  ['WebFetch', { url: 'https://example.com' }, 'default', false],
  ['TodoWrite', { todos: [] }, 'default', true],
  ['mcp__a__b', {}, 'default', false],
])('A2: %s %j in mode %s is allowed: %s', async (name, input, mode, isAllowed) => {
  const call = { ...tool(name, input), ...(name === 'TodoWrite' && { reads: true }) };
  const { kind } = await permissionsFor(project().cwd, { mode }).decide(call, {
    hook: 'none',
    signal,
  });
  expect(kind).toBe(isAllowed ? 'allowed' : 'refused');
});

test.each<[string, string, boolean]>([
  ['Read(//etc/hosts)', '/etc/hosts', true],
  ['Read(//etc/**)', '/etc/ssl/x', true],
  ['Read(~/notes/**)', '~/notes/a.md', true],
  ['Read(./.env)', '.env', true],
  ['Read(.env)', 'src/.env', true],
  ['Read(./.env)', 'src/.env', false],
  ['Read(*.pem)', 'server.pem', true],
  ['Read', '.env', false],
  ['Read', '/etc/hosts', false],
  ['Edit(src/**)', '/etc/hosts', false],
])('A2: the rule %s allows Read of %s: %s', async (rule, file_path, isAllowed) => {
  const permissions = permissionsFor(project().cwd, { allow: [rule] });
  const { kind } = await permissions.decide(tool('Read', { file_path }), { hook: 'none', signal });
  expect(kind).toBe(isAllowed ? 'allowed' : 'refused');
});

test.each([
  'Bash(',
  'bash(ls)',
  'Bash()',
  'WebFetch(example.com)',
  'mcp__',
  'TodoWrite(x)',
  'Nothing',
])('A2: %s can never fit, and says so', (text) =>
  expect(readRule(text, '/')).toMatchObject({ kind: 'useless' }),
);

describe('A2: a person', () => {
  const answering = (answers: readonly Answer[]) => {
    const asked: Question[] = [];
    const ask = async (question: Question): Promise<Answer> => {
      asked.push(question);
      return answers[asked.length - 1] ?? { kind: 'no', reason: 'No.' };
    };
    return { asked, askPerson: ask };
  };

  test('is offered a prefix from narrow to wide, and is asked once for it in a session', async () => {
    const { asked, askPerson } = answering([{ kind: 'session', rule: 'Bash(git push:*)' }]);
    const permissions = permissionsFor(project().cwd, { askPerson });
    const calls = ['git push', 'git push origin', 'ls && git push'].map(bash);
    const decided = await Promise.all(
      calls.map((call) => permissions.decide(call, { hook: 'none', signal })),
    );
    expect(decided.map(({ kind }) => kind)).toEqual(['allowed', 'allowed', 'allowed']);
    expect(asked.map(({ rules }) => rules)).toEqual([['Bash(git push:*)', 'Bash(git:*)']]);
  });

  test('is offered no prefix that allows anything, and is asked for each part of a line', async () => {
    const { asked, askPerson } = answering([
      { kind: 'session', rule: 'Bash(python3 x.py)' },
      { kind: 'session', rule: 'Bash(make:*)' },
      { kind: 'once' },
    ]);
    const permissions = permissionsFor(project().cwd, { askPerson });
    await permissions.decide(bash('python3 x.py && make all'), { hook: 'none', signal });
    await permissions.decide(bash('make other'), { hook: 'none', signal });
    await permissions.decide(bash('echo x > out'), { hook: 'none', signal });
    expect(asked.map(({ rules }) => rules)).toEqual([
      ['Bash(python3 x.py)'],
      ['Bash(make all:*)', 'Bash(make:*)'],
      [],
    ]);
  });

  test('gives a reason, which the model reads', async () => {
    const { askPerson } = answering([{ kind: 'no', reason: 'Use pnpm.' }]);
    const permissions = permissionsFor(project().cwd, { askPerson });
    expect(await permissions.decide(bash('npm i'), { hook: 'none', signal })).toMatchObject({
      kind: 'refused',
      reason: 'Use pnpm.',
      by: 'person',
    });
  });

  test('is asked what an ask rule or a hook wants asked, whatever the mode', async () => {
    const { asked, askPerson } = answering([{ kind: 'once' }, { kind: 'once' }]);
    const permissions = permissionsFor(project().cwd, {
      askPerson,
      ask: ['Bash(ls:*)'],
      mode: 'bypassPermissions',
    });
    await permissions.decide(bash('ls'), { hook: 'allow', signal });
    await permissions.decide(bash('pwd'), { hook: 'ask', signal });
    expect(asked.map(({ reason }) => reason)).toEqual([
      'the rule Bash(ls:*) has it asked',
      'a hook has it asked',
    ]);
  });

  test('is not asked in mode dontAsk', async () => {
    const { asked, askPerson } = answering([]);
    const permissions = permissionsFor(project().cwd, { askPerson, mode: 'dontAsk' });
    expect(await permissions.decide(bash('make'), { hook: 'none', signal })).toMatchObject({
      kind: 'refused',
    });
    expect(asked).toEqual([]);
  });

  test('sees signs in a file name that would hide what it is', async () => {
    const { asked, askPerson } = answering([{ kind: 'once' }]);
    const permissions = permissionsFor(project().cwd, { askPerson });
    const file_path = 'src/\u001b[2J\u202etxt.exe';
    await permissions.decide(tool('Write', { file_path }), { hook: 'none', signal });
    expect(asked[0]?.reason).toMatch(/\\u001b\[2J\\u\{202e\}txt\.exe$/);
  });
});

test('A2: the grammar is loaded with the first command', async () => {
  const read = await loadShellReader();
  expect(read('git diff | head').kind).toBe('commands');
});

test('A5: a rule forbids a file whichever way leads to the folder', () => {
  const { cwd: folder, root } = project();
  mkdirSync(join(folder, 'private'));
  const link = join(root, 'link');
  symlinkSync(folder, link);
  const read = readRule('Read(./private/**)', folder);
  if (read.kind === 'useless') throw new Error(read.reason);
  for (const cwd of [folder, link])
    for (const place of [folder, link])
      expect(forbidsFile(read.rule, join(place, 'private/notes.md'), cwd)).toBe(true);
  expect(forbidsFile(read.rule, join(link, 'public/notes.md'), folder)).toBe(false);
});
