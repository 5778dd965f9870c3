/** Settings as people have them, each written anew from public documentation; `names` is what is said about them. */
export interface SettingsShape {
  readonly about: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Hooks that are read. @default 0 */
  readonly hooks?: number;
  /** Parts of notices, besides those of keys that are not known. @default none */
  readonly names?: readonly string[];
}

const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });

export const SETTINGS: readonly SettingsShape[] = [
  {
    about: 'a team: linters allowed, network and secrets denied',
    settings: {
      $schema: 'https://example.com/settings.schema.json',
      permissions: {
        allow: ['Bash(npm run lint)', 'Bash(npm run test:*)', 'Read(~/.zshrc)'],
        deny: ['Bash(curl:*)', 'Read(./.env)', 'Read(./.env.*)', 'Read(./secrets/**)'],
      },
    },
  },
  {
    about: 'git by verb, and what goes out is asked',
    settings: {
      permissions: {
        allow: ['Bash(git add:*)', 'Bash(git commit -m:*)', 'Bash(git diff *)', 'Bash(git log:*)'],
        ask: ['Bash(git push:*)', 'Bash(gh pr create *)'],
        deny: ['Bash(git push --force:*)', 'Bash(rm -rf *)'],
        defaultMode: 'acceptEdits',
        additionalDirectories: ['../docs/', '~/shared'],
      },
    },
  },
  {
    about: 'web, servers and whole tools',
    settings: {
      permissions: {
        allow: [
          ...['WebSearch', 'WebFetch(domain:docs.example.com)', 'mcp__github', 'mcp__browser__*'],
          ...['mcp__puppeteer__puppeteer_navigate', 'Edit', 'Skill(pdf)', 'Task(explore)'],
        ],
      },
    },
  },
  {
    about: 'paths of every kind',
    settings: {
      permissions: {
        allow: ['Edit(/src/**)', 'Edit(docs/**)', 'Read(//var/log/**)', 'Write(./out/*.json)'],
        deny: ['Edit(/.github/**)', 'Read(~/.ssh/**)', 'NotebookEdit(*.ipynb)'],
      },
    },
  },
  {
    about: 'telemetry and proxies in the environment',
    settings: {
      env: {
        ENABLE_TELEMETRY: '1',
        OTEL_METRICS_EXPORTER: 'otlp',
        HTTPS_PROXY: 'http://proxy:8080',
        MAX_TOKENS: 16_000,
      },
    },
  },
  {
    about: 'a person: model, style, status line and habits of another program',
    settings: {
      model: 'opus',
      outputStyle: 'Explanatory',
      statusLine: command('~/.claude/statusline.sh', { padding: 0 }),
      cleanupPeriodDays: 30,
      includeCoAuthoredBy: false,
      alwaysThinkingEnabled: true,
      spinnerTipsEnabled: false,
    },
  },
  {
    about: 'servers and plugins switched on by name',
    settings: {
      enableAllProjectMcpServers: true,
      enabledMcpjsonServers: ['memory', 'github'],
      disabledMcpjsonServers: ['filesystem'],
      enabledPlugins: { 'formatter@team-tools': true, 'deployer@team-tools': false },
      extraKnownMarketplaces: {
        'team-tools': { source: { source: 'github', repo: 'team/tools' } },
      },
    },
  },
  {
    about: 'a company: keys by a program, a mode that is switched off',
    settings: {
      apiKeyHelper: '/bin/generate-key.sh',
      awsAuthRefresh: 'aws sso login --profile me',
      forceLoginMethod: 'console',
      companyAnnouncements: ['Welcome'],
      permissions: { deny: ['WebFetch'], disableBypassPermissionsMode: 'disable' },
    },
  },
  {
    about: 'a sandbox of another program',
    settings: {
      sandbox: {
        enabled: true,
        autoAllowBashIfSandboxed: true,
        excludedCommands: ['docker', 'git'],
        network: { allowLocalBinding: true },
      },
      permissions: { allow: ['Read(.git)'], deny: ['Read(.envrc)', 'Read(~/.aws/**)'] },
    },
  },
  {
    about: 'rules that can never hold',
    settings: {
      permissions: {
        allow: [
          'Bahs(ls)',
          'WebFetch(docs.example.com)',
          'Bash(',
          'PowerShell(Get-ChildItem *)',
          'mcp__',
        ],
        deny: [7, 'Read()'],
      },
    },
    names: [
      'Bahs(ls)',
      'WebFetch(docs.example.com)',
      'Bash(',
      'PowerShell',
      'mcp__',
      'deny',
      'Read()',
    ],
  },
  {
    about: 'values of a wrong kind',
    settings: {
      permissions: { allow: 'Bash', defaultMode: 'yolo', additionalDirectories: '../docs' },
      env: ['A=1'],
      model: 5,
      hooks: [],
    },
    names: [
      'permissions.allow',
      'permissions.defaultMode',
      'permissions.additionalDirectories',
      'hooks',
      'env',
      'model',
    ],
  },
  {
    about: 'ours, with a part of our own',
    settings: {
      compat: false,
      varve: { layers: { snip: false, clear: { time: true } } },
      permissions: { defaultMode: 'plan' },
    },
  },
  {
    about: 'hooks: format behind each change',
    settings: {
      hooks: {
        PostToolUse: [
          {
            matcher: 'Edit|Write|MultiEdit',
            hooks: [
              command(
                'jq -r \'.tool_input.file_path\' | { read -r file; npx prettier --write "$file"; }',
              ),
              command('"$CLAUDE_PROJECT_DIR"/.claude/hooks/check-style.sh', { timeout: 30 }),
            ],
          },
        ],
      },
    },
    hooks: 2,
  },
  {
    about: 'hooks: a log of commands, and files that stay as they are',
    settings: {
      hooks: {
        PreToolUse: [
          { matcher: 'Bash', hooks: [command("jq -r '.tool_input.command' >> ~/commands.log")] },
          { matcher: 'Edit|Write', hooks: [command('python3 .claude/hooks/protect.py')] },
        ],
      },
    },
    hooks: 2,
  },
  {
    about: 'hooks: without a matcher, with a star, with an empty one',
    settings: {
      hooks: {
        UserPromptSubmit: [{ hooks: [command('date +%F')] }],
        Stop: [{ matcher: '*', hooks: [command('./check.sh', { timeout: 120 })] }],
        SubagentStop: [{ matcher: '', hooks: [command('true')] }],
      },
    },
    hooks: 3,
  },
  {
    about: 'hooks: sources, triggers and kinds of notices as matchers',
    settings: {
      hooks: {
        SessionStart: [{ matcher: 'startup|resume', hooks: [command('git log -3 --oneline')] }],
        SessionEnd: [{ hooks: [command('rm -f .lock')] }],
        PreCompact: [{ matcher: 'auto', hooks: [command('./backup.sh')] }],
        Notification: [{ matcher: 'permission_prompt', hooks: [command("notify-send 'varve'")] }],
      },
    },
    hooks: 4,
  },
  {
    about: 'hooks: regular expressions over tools of servers, in the background',
    settings: {
      hooks: {
        PreToolUse: [{ matcher: 'mcp__.*__(?:write|delete).*', hooks: [command('./guard.sh')] }],
        PostToolUse: [
          { matcher: 'mcp__memory__.*', hooks: [command('./log.sh', { async: true, timeout: 5 })] },
        ],
      },
    },
    hooks: 2,
  },
  {
    about: 'hooks: of kinds that are not run',
    settings: {
      hooks: {
        Stop: [
          {
            hooks: [
              { type: 'prompt', prompt: 'Is all done? $ARGUMENTS', timeout: 30 },
              { type: 'agent', prompt: 'Run the tests.' },
              {
                type: 'http',
                url: 'http://localhost:8080/hook',
                headers: { Authorization: '$TOKEN' },
              },
              command('true', { statusMessage: 'checking', once: true }),
            ],
          },
        ],
      },
    },
    hooks: 1,
    names: ['hooks.Stop[0]', 'hooks.Stop[0]', 'hooks.Stop[0]'],
  },
  {
    about: 'hooks: events that there are not here',
    settings: {
      hooks: {
        Setup: [{ matcher: 'init', hooks: [command('npm ci')] }],
        WorktreeCreate: [{ hooks: [command('git worktree add x')] }],
        PostToolUse: [{ matcher: 'Bash', hooks: [command('true')] }],
      },
      disableAllHooks: false,
    },
    hooks: 1,
    names: ['hooks.Setup', 'hooks.WorktreeCreate'],
  },
  {
    about: 'hooks: written wrongly',
    settings: {
      hooks: {
        PreToolUse: [
          command('forgot the group'),
          { matcher: '(', hooks: [command('true')] },
          { matcher: 'Bash', hooks: [command('')] },
          { matcher: 'Bash', hooks: [command('true', { timeout: 'long' })] },
        ],
        PostToolUse: command('forgot the list'),
      },
    },
    names: ['hooks: it is to be an object of lists'],
  },
];
