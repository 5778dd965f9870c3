import { isHashOrId, type SecretKind } from './kind.ts';
import { isMade } from './named.ts';

/** What may stand between two characters of a token that a terminal or a shell broke into lines. */
const BREAK = '(?:\\\\?\\r?\\n[ \\t]*)?';

/** A token after a character that is none of its own. `strict`: nor one of base64, where the beginning alone says little. */
const START = '(?<![A-Za-z0-9])';
const STRICT_START = '(?<![A-Za-z0-9+/_-])';

/**
 * At least `least` characters of a class, which may be broken into lines, then all that follow on the line.
 * A break is crossed only while the token is too short to be one, so the next line is not taken with it.
 */
const run = (characters: string, least: number): string =>
  `(?:${BREAK}${characters}){${least}}${characters}{0,4096}`;

interface TokenShape {
  /** For a start so short that it may stand inside of base64. */
  readonly strict?: boolean;
  /** For a start that identifiers have, too. */
  readonly needsDigit?: boolean;
}

/** A kind known by its first characters. */
function token(
  name: string,
  starts: readonly string[],
  rest: string,
  { strict = false, needsDigit = false }: TokenShape = {},
): SecretKind {
  const start = starts.map((each) => each.replaceAll(/[.$^\\|]/g, '\\$&')).join('|');
  const pattern = new RegExp(`${strict ? STRICT_START : START}(?:${start})${rest}`, 'g');
  const hasDigit = ({ secret }: { readonly secret: string }) => /\d/.test(secret);
  return { name, starts, pattern, ...(needsDigit && { isSecret: hasDigit }) };
}

const WORD = '[A-Za-z0-9]';
const DASHED = '[A-Za-z0-9_-]';
const HEX = '[0-9a-f]';

/** Tokens that say by their own form what they are. Specific ones first: the first kind that finds a text names it. */
export const TOKEN_KINDS: readonly SecretKind[] = [
  token('anthropic key', ['sk-ant-'], run(DASHED, 16)),
  token('openrouter key', ['sk-or-v1-'], run(WORD, 32)),
  token('openai key', ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'], run(DASHED, 20)),
  {
    ...token('openai key', ['sk-'], run(DASHED, 20)),
    isSecret: ({ secret }) =>
      /\d/.test(secret) && /[A-Za-z0-9]{16}/.test(secret.replaceAll(/\s/g, '')),
  },
  token('google api key', ['AIza'], run(DASHED, 35)),
  token('google oauth secret', ['GOCSPX-'], run(DASHED, 20)),
  token('google access token', ['ya29.'], run(DASHED, 20)),
  token('google refresh token', ['1//0'], run(DASHED, 30)),
  token('groq key', ['gsk_'], run(WORD, 30)),
  token('xai key', ['xai-'], run(WORD, 40)),
  token('perplexity key', ['pplx-'], run(WORD, 32)),
  token('replicate token', ['r8_'], run(WORD, 30)),
  token('hugging face token', ['hf_', 'api_org_'], run(WORD, 30), { strict: true }),
  token('tavily key', ['tvly-'], run(DASHED, 20), { needsDigit: true }),
  token('cohere or cerebras key', ['csk-', 'co-key-'], run(WORD, 32)),
  token('aws access key id', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], '[A-Z0-9]{16}(?![A-Za-z0-9+/])', {
    strict: true,
  }),
  {
    name: 'azure client secret',
    needs: [['q~']],
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}/g,
  },
  token('github token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], run(WORD, 36)),
  token('github token', ['github_pat_'], run('[A-Za-z0-9_]', 22)),
  token(
    'gitlab token',
    [
      'glpat-',
      'gldt-',
      'glrt-',
      'glcbt-',
      'glptt-',
      'gloas-',
      'glsoat-',
      'glft-',
      'glimt-',
      'glagent-',
    ],
    run('[A-Za-z0-9_.-]', 20),
  ),
  token('bitbucket password', ['ATBB', 'ATCTT3'], run('[A-Za-z0-9_=-]', 28), { strict: true }),
  token('atlassian token', ['ATATT3'], run('[A-Za-z0-9_=-]', 40), { strict: true }),
  {
    name: 'slack token',
    starts: ['xox', 'xapp-'],
    pattern:
      /(?<![A-Za-z0-9])(?:xox[abceoprs]|xapp)-[A-Za-z0-9](?:\\?(?:\r?\n[ \t]*)?[A-Za-z0-9-]){9}[A-Za-z0-9-]{0,4096}/g,
  },
  {
    name: 'slack webhook',
    starts: ['hooks.slack'],
    pattern:
      /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[A-Za-z0-9/_-]{16,4096})/g,
  },
  {
    name: 'discord webhook',
    starts: ['/api/webhooks/'],
    pattern: /\/api\/webhooks\/\d{5,20}\/(?<secret>[A-Za-z0-9_-]{30,4096})/g,
  },
  {
    name: 'discord bot token',
    sign: /\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27}/,
    pattern:
      /(?<![A-Za-z0-9+/_.-])[MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,40}(?![A-Za-z\d_-])/g,
    isSecret: ({ secret }) => /\d/.test(secret) && /[A-Z]/.test(secret.slice(1)),
  },
  {
    name: 'telegram bot token',
    needs: [[':aa']],
    pattern: /(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{32,35}(?![A-Za-z0-9_-])/g,
  },
  {
    name: 'teams webhook',
    starts: ['/webhookb2/', '/incomingwebhook/'],
    pattern: /\/(?:webhookb2|IncomingWebhook)\/(?<secret>[A-Za-z0-9@/_-]{30,4096})/g,
  },
  {
    name: 'webhook address',
    starts: ['/hook', '/webhook'],
    pattern:
      /\/(?:web)?hooks?\/(?<path>(?:[A-Za-z0-9_.-]{1,64}\/){0,3}?)(?<secret>[A-Za-z0-9_-]{16,256})(?!\.?[A-Za-z0-9_-])/gi,
    isSecret: ({ secret, groups, before }) =>
      /https?:\/\/[^\s"'`<>]{0,300}$/i.test(before()) &&
      (isMade(secret) ||
        (isHashOrId(secret) &&
          !/(?:^|\/)(?:commits?|tree|blob|raw|compare)\/$/i.test(groups.path ?? ''))),
  },
  token(
    'stripe key',
    ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'sk_prod_', 'rk_prod_'],
    run(WORD, 10),
  ),
  token('webhook signing secret', ['whsec_'], run('[A-Za-z0-9+/=]', 20)),
  token('square token', ['sq0atp-', 'sq0csp-', 'sq0idp-'], run(DASHED, 22)),
  {
    name: 'braintree token',
    starts: ['access_token$'],
    pattern: /access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}/g,
  },
  token(
    'shopify token',
    ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shptka_'],
    run('[a-fA-F0-9]', 32),
  ),
  token('twilio key', ['SK'], `${HEX}{32}(?![A-Za-z0-9])`, { strict: true }),
  token('sendgrid key', ['SG.'], '[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,64}'),
  token('mailgun key', ['key-'], `${HEX}{32}(?![A-Za-z0-9-])`, { strict: true }),
  {
    name: 'mailchimp key',
    needs: [['-us']],
    sign: /-us\d/,
    pattern: /(?<![A-Za-z0-9+/_-])[0-9a-f]{32}-us\d{1,2}(?!\d)/g,
  },
  token('brevo key', ['xkeysib-', 'xsmtpsib-'], run('[a-f0-9-]', 32)),
  token('resend key', ['re_'], '[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,4096}', {
    strict: true,
    needsDigit: true,
  }),
  token('npm token', ['npm_'], run(WORD, 36), { strict: true }),
  token('pypi token', ['pypi-'], run(DASHED, 40)),
  token('rubygems key', ['rubygems_'], run(HEX, 40)),
  token('crates token', ['cio'], '[A-Za-z0-9]{32}(?![A-Za-z0-9])', { strict: true }),
  token('nuget key', ['oy2'], '[a-z0-9]{43}(?![A-Za-z0-9])', { strict: true }),
  token('docker token', ['dckr_pat_', 'dckr_oat_'], run(DASHED, 20)),
  token('artifactory token', ['AKCp', 'cmVmdGtu'], run('[A-Za-z0-9]', 50), { strict: true }),
  token('digitalocean token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], run(HEX, 64)),
  token('heroku key', ['HRKU-'], run(DASHED, 30)),
  token('cloudflare token', ['v1.0-'], '[0-9a-f]{24}-[0-9a-f]{100,4096}'),
  token('databricks token', ['dapi'], '[0-9a-f]{32}(?:-\\d)?(?![A-Za-z0-9])', { strict: true }),
  token('vault token', ['hvs.', 'hvb.', 'hvr.'], run(DASHED, 20)),
  {
    name: 'terraform token',
    needs: [['.atlasv1.']],
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,4096}/g,
  },
  token('pulumi token', ['pul-'], run(HEX, 40)),
  token(
    'doppler token',
    ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'],
    run('[A-Za-z0-9._-]', 30),
  ),
  token('supabase key', ['sbp_', 'sb_secret_'], run('[A-Za-z0-9_]', 24)),
  token(
    'planetscale token',
    ['pscale_tkn_', 'pscale_oauth_', 'pscale_pw_'],
    run('[A-Za-z0-9_.=-]', 24),
  ),
  token('vercel token', ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], run(WORD, 24), {
    strict: true,
    needsDigit: true,
  }),
  token('netlify token', ['nfp_', 'nfc_', 'nfo_'], run(WORD, 30), {
    strict: true,
    needsDigit: true,
  }),
  token('fly token', ['fm1_', 'fm2_', 'fm1r_', 'fo1_'], run('[A-Za-z0-9+/=_-]', 30)),
  token('render key', ['rnd_'], run(WORD, 24), { strict: true, needsDigit: true }),
  token('linear key', ['lin_api_', 'lin_oauth_', 'lin_wh_'], run(WORD, 30)),
  token('notion token', ['ntn_'], run(WORD, 40)),
  token('notion token', ['secret_'], '[A-Za-z0-9]{43}(?![A-Za-z0-9])', { strict: true }),
  {
    name: 'notion token',
    starts: ['secret_', 'ntn_'],
    pattern: /(?<![A-Za-z0-9+/_-])(?:secret_[A-Za-z0-9]{32,4096}|ntn_[A-Za-z0-9]{20,4096})/g,
    isSecret: ({ secret }) => isMade(secret.replace(/^\w+?_/, '')),
  },
  token('figma token', ['figd_', 'figu_', 'figo_'], run(DASHED, 30)),
  token('airtable token', ['pat'], '[A-Za-z0-9]{14}\\.[0-9a-f]{64}', {
    strict: true,
    needsDigit: true,
  }),
  token('postman key', ['PMAK-'], '[0-9a-f]{24}-[0-9a-f]{34}'),
  token('new relic key', ['NRAK-', 'NRJS-', 'NRII-', 'NRAA-', 'NRIQ-', 'NRRA-'], run(DASHED, 19)),
  token('grafana token', ['glsa_', 'glc_'], run('[A-Za-z0-9+/=_]', 32)),
  token('sentry token', ['sntrys_', 'sntryu_'], run('[A-Za-z0-9+/=_-]', 40)),
  token('sonar token', ['squ_', 'sqp_', 'sqa_'], run(HEX, 40)),
  token('dynatrace token', ['dt0c01.', 'dt0s01.', 'dt0s16.'], '[A-Z0-9]{24}\\.[A-Z0-9]{64}'),
  token('facebook token', ['EAA'], '[A-Za-z0-9]{80,4096}(?![A-Za-z0-9+/=])', { strict: true }),
  {
    ...token('twitter bearer token', ['AAAAAAAAAAAAAAAAAAAAA'], '[A-Za-z0-9%]{40,4096}', {
      strict: true,
    }),
    isSecret: ({ secret }) => secret.includes('%'), // runs of A are what pictures are full of
  },
  token('mapbox token', ['sk.eyJ'], '[A-Za-z0-9_-]{20,4096}\\.[A-Za-z0-9_-]{20,4096}'),
  token('age secret key', ['AGE-SECRET-KEY-1'], run('[A-Z0-9]', 40)),
  token('1password token', ['ops_eyJ'], run('[A-Za-z0-9+/=_-]', 40)),
  token('tailscale key', ['tskey-'], run(DASHED, 20)),
  token('langsmith key', ['lsv2_pt_', 'lsv2_sk_'], run('[a-f0-9_]', 32)),
  {
    name: 'jwe',
    starts: ['eyj'],
    pattern:
      /(?<![A-Za-z0-9+/_-])eyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{0,4096}\.[A-Za-z0-9_-]{8,512}\.[A-Za-z0-9_-]{1,65536}\.[A-Za-z0-9_-]{16,512}/g,
  },
  {
    name: 'jwt',
    starts: ['eyj'],
    pattern:
      /(?<![A-Za-z0-9+/_-])eyJ[A-Za-z0-9_-]{8,4096}\.(?:\\?\r?\n[ \t]*)?eyJ[A-Za-z0-9_-]{8,4096}(?:\.(?:\\?\r?\n[ \t]*)?[A-Za-z0-9_-]{0,4096})?/g,
  },
];
