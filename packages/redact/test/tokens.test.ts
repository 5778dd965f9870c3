import { describe, expect, test } from 'vitest';
import { redact } from '../src/index.ts';

const HEX = 'abcdef';
const LOWER = 'abcdefghijklm';
const UPPER = 'ABCDEFGHIJKLM';
const WORD = 'abcXYZdefUVW';

const letters = (alphabet: string, length: number): string =>
  alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length);

/** So many letters. */
const some =
  (alphabet: string, length: number) =>
  (by = 0): string =>
    letters(alphabet, length + by);

interface Form {
  /** What follows a start, as short as may be; `by` makes it so much longer, or shorter. */
  readonly rest: (by?: number) => string;
  /** No token behind a sign of base64. */
  readonly strict?: boolean;
  /** No token without a digit. */
  readonly needsDigit?: boolean;
  /** One character more is no token either. */
  readonly exact?: boolean;
}

const STRICT = { strict: true } as const;
const STRICT_DIGIT = { strict: true, needsDigit: true } as const;
const EXACT = { strict: true, exact: true } as const;

/** Every start of every kind. Put together here only, so that no file holds what a scanner would take for a token. */
const FORMS: readonly (readonly [name: string, starts: string, form: Form])[] = [
  ['anthropic key', 'sk-ant-', { rest: some(WORD, 16) }],
  ['openrouter key', 'sk-or-v1-', { rest: some(WORD, 32) }],
  ['openai key', 'sk-proj- sk-svcacct- sk-admin- sk-None-', { rest: some(WORD, 20) }],
  ['google api key', 'AIza', { rest: some(WORD, 35) }],
  ['google oauth secret', 'GOCSPX-', { rest: some(WORD, 20) }],
  ['google access token', 'ya29.', { rest: some(WORD, 20) }],
  ['google refresh token', '1//0', { rest: some(WORD, 30) }],
  ['groq key', 'gsk_', { rest: some(WORD, 30) }],
  ['xai key', 'xai-', { rest: some(WORD, 40) }],
  ['perplexity key', 'pplx-', { rest: some(WORD, 32) }],
  ['replicate token', 'r8_', { rest: some(WORD, 30) }],
  ['hugging face token', 'hf_ api_org_', { rest: some(WORD, 30), ...STRICT }],
  ['cohere or cerebras key', 'csk- co-key-', { rest: some(WORD, 32) }],
  ['aws access key id', 'AKIA ASIA ABIA ACCA', { rest: some(UPPER, 16), ...EXACT }],
  ['github token', 'ghp_ gho_ ghu_ ghs_ ghr_', { rest: some(WORD, 36) }],
  ['github token', 'github_pat_', { rest: some(WORD, 22) }],
  [
    'gitlab token',
    'glpat- gldt- glrt- glcbt- glptt- gloas- glsoat- glft- glimt- glagent-',
    { rest: some(WORD, 20) },
  ],
  ['bitbucket password', 'ATBB ATCTT3', { rest: some(WORD, 28), ...STRICT }],
  ['atlassian token', 'ATATT3', { rest: some(WORD, 40), ...STRICT }],
  [
    'slack token',
    'xoxa- xoxb- xoxc- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-',
    { rest: some(WORD, 10) },
  ],
  ['stripe key', 'sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_', { rest: some(WORD, 10) }],
  ['webhook signing secret', 'whsec_', { rest: some(WORD, 20) }],
  ['square token', 'sq0atp- sq0csp- sq0idp-', { rest: some(WORD, 22) }],
  ['shopify token', 'shpat_ shpca_ shppa_ shpss_ shptka_', { rest: some(HEX, 32) }],
  ['twilio key', 'SK', { rest: some(HEX, 32), ...EXACT }],
  ['sendgrid key', 'SG.', { rest: (by) => `${letters(WORD, 16)}.${some(WORD, 16)(by)}` }],
  ['mailgun key', 'key-', { rest: some(HEX, 32), ...EXACT }],
  ['brevo key', 'xkeysib- xsmtpsib-', { rest: some(HEX, 32) }],
  [
    'resend key',
    're_',
    { rest: (by) => `${letters(WORD, 6)}_${some(WORD, 20)(by)}`, ...STRICT_DIGIT },
  ],
  ['npm token', 'npm_', { rest: some(WORD, 36), ...STRICT }],
  ['pypi token', 'pypi-', { rest: some(WORD, 40) }],
  ['rubygems key', 'rubygems_', { rest: some(HEX, 40) }],
  ['crates token', 'cio', { rest: some(WORD, 32), ...EXACT }],
  ['nuget key', 'oy2', { rest: some(LOWER, 43), ...EXACT }],
  ['docker token', 'dckr_pat_ dckr_oat_', { rest: some(WORD, 20) }],
  ['artifactory token', 'AKCp cmVmdGtu', { rest: some(WORD, 50), ...STRICT }],
  ['digitalocean token', 'dop_v1_ doo_v1_ dor_v1_', { rest: some(HEX, 64) }],
  ['heroku key', 'HRKU-', { rest: some(WORD, 30) }],
  ['cloudflare token', 'v1.0-', { rest: (by) => `${letters(HEX, 24)}-${some(HEX, 100)(by)}` }],
  ['databricks token', 'dapi', { rest: some(HEX, 32), ...EXACT }],
  ['vault token', 'hvs. hvb. hvr.', { rest: some(WORD, 20) }],
  ['pulumi token', 'pul-', { rest: some(HEX, 40) }],
  ['doppler token', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', { rest: some(WORD, 30) }],
  ['supabase key', 'sbp_ sb_secret_', { rest: some(WORD, 24) }],
  ['planetscale token', 'pscale_tkn_ pscale_oauth_ pscale_pw_', { rest: some(WORD, 24) }],
  ['vercel token', 'vcp_ vci_ vca_ vcr_ vck_', { rest: some(WORD, 24), ...STRICT_DIGIT }],
  ['netlify token', 'nfp_ nfc_ nfo_', { rest: some(WORD, 30), ...STRICT_DIGIT }],
  ['fly token', 'fm1_ fm2_ fm1r_ fo1_', { rest: some(WORD, 30) }],
  ['render key', 'rnd_', { rest: some(WORD, 24), ...STRICT_DIGIT }],
  ['linear key', 'lin_api_ lin_oauth_ lin_wh_', { rest: some(WORD, 30) }],
  ['notion token', 'ntn_', { rest: some(WORD, 40) }],
  ['notion token', 'secret_', { rest: some(WORD, 43), ...EXACT }],
  ['figma token', 'figd_ figu_ figo_', { rest: some(WORD, 30) }],
  [
    'airtable token',
    'pat',
    { rest: (by) => `${letters(WORD, 14)}.${some(HEX, 64)(by)}`, ...STRICT_DIGIT },
  ],
  ['postman key', 'PMAK-', { rest: (by) => `${letters(HEX, 24)}-${some(HEX, 34)(by)}` }],
  ['new relic key', 'NRAK- NRJS- NRII- NRAA- NRIQ- NRRA-', { rest: some(WORD, 19) }],
  ['grafana token', 'glsa_ glc_', { rest: some(WORD, 32) }],
  ['sentry token', 'sntrys_ sntryu_', { rest: some(WORD, 40) }],
  ['sonar token', 'squ_ sqp_ sqa_', { rest: some(HEX, 40) }],
  [
    'dynatrace token',
    'dt0c01. dt0s01. dt0s16.',
    { rest: (by) => `${letters(UPPER, 24)}.${some(UPPER, 64)(by)}` },
  ],
  ['facebook token', 'EAA', { rest: some(WORD, 80), ...STRICT }],
  ['mapbox token', 'sk.eyJ', { rest: (by) => `${letters(WORD, 20)}.${some(WORD, 20)(by)}` }],
  ['age secret key', 'AGE-SECRET-KEY-1', { rest: some(UPPER, 40) }],
  ['1password token', 'ops_eyJ', { rest: some(WORD, 40) }],
  ['tailscale key', 'tskey-', { rest: some(WORD, 20) }],
  ['langsmith key', 'lsv2_pt_ lsv2_sk_', { rest: some(HEX, 32) }],
];

/** With a digit in place of the first letter that follows the start. */
const withDigit = (rest: string): string => `7${rest.slice(1)}`;

describe('tokens that their first characters name', () => {
  const rows = FORMS.flatMap(([name, starts, form]) =>
    starts.split(' ').map((start) => [start, name, form] as const),
  );

  test.each(rows)('%s… is called a %s from its shortest length on', (start, name, form) => {
    const rest = (by = 0) => (form.needsDigit ? withDigit(form.rest(by)) : form.rest(by));
    const token = start + rest();
    expect(redact(`say ${token} now`)).toBe(`say [redacted: ${name}] now`);
    expect(redact(`say ${start}${rest(-1)} now`)).not.toContain(`[redacted: ${name}]`);
    if (form.exact) {
      const long = `say ${start}${rest(1)} now`;
      expect(redact(long)).toBe(long);
    }
    if (form.needsDigit) {
      const word = `say ${start}${form.rest()} now`;
      expect(redact(word)).toBe(word);
    }
  });

  test.each(rows)(
    '%s… (%s) may be inside of a word or of base64 by its own rule',
    (start, name, form) => {
      const rest = form.needsDigit ? withDigit(form.rest()) : form.rest();
      for (const before of 'aZ0') {
        const word = `say ${before}${start}${rest} now`;
        expect(redact(word)).toBe(word);
      }
      for (const before of '+/_-') {
        const given = `say ${before}${start}${rest} now`;
        const marked = `say ${before}[redacted: ${name}] now`;
        expect(redact(given)).toBe(form.strict ? given : marked);
      }
    },
  );
});

const seven = (alphabet: string, length: number): string => withDigit(letters(alphabet, length));

describe('tokens of a form of their own', () => {
  test.each<[name: string, token: string]>([
    ['openai key', `sk-${seven(WORD, 20)}`],
    ['azure client secret', `abc8Q~${letters(WORD, 31)}`],
    ['discord bot token', `M${seven(WORD, 23)}.abcdef.${letters(WORD, 27)}`],
    ['discord bot token', `O${seven(WORD, 27)}.abcdef.${letters(WORD, 40)}`],
    ['discord bot token', `MA${seven(LOWER, 22)}.abcdef.${letters(LOWER, 27)}`],
    ['telegram bot token', `12345678:AA${letters(WORD, 32)}`],
    ['braintree token', `access_token$sandbox$${letters(HEX, 16)}$${letters(HEX, 32)}`],
    ['mailchimp key', `${letters(HEX, 32)}-us1`],
    ['terraform token', `${letters(WORD, 14)}.atlasv1.${letters(WORD, 40)}`],
    ['twitter bearer token', `${'A'.repeat(21)}%${letters(WORD, 39)}`],
    ['jwt', `eyJ${letters(WORD, 8)}.eyJ${letters(WORD, 8)}`],
    ['jwt', `eyJ${letters(WORD, 8)}.eyJ${letters(WORD, 8)}.${letters(WORD, 9)}`],
  ])('%s', (name, token) => {
    expect(redact(`say ${token} now`)).toBe(`say [redacted: ${name}] now`);
  });

  test.each<[what: string, before: string, secret: string, marker: string]>([
    ['slack webhook', 'hooks.slack.com/services/', 'T/B/abcdefghijkl', 'slack webhook'],
    ['slack workflow', 'hooks.slack.com/workflows/', 'T/B/abcdefghijkl', 'slack webhook'],
    ['discord webhook', '/api/webhooks/12345/', letters(WORD, 30), 'discord webhook'],
    ['teams webhook', '/webhookb2/', letters(HEX, 30), 'teams webhook'],
    ['teams webhook', '/IncomingWebhook/', letters(HEX, 30), 'teams webhook'],
  ])('the secret part of an address: %s', (_, before, secret, name) => {
    expect(redact(`say https://x.example${before} now`)).toBe(`say https://x.example${before} now`);
    expect(redact(`say x${before}${secret} now`)).toBe(`say x${before}[redacted: ${name}] now`);
  });

  test.each<[what: string, text: string]>([
    ['an openai key without a digit', `sk-${letters(WORD, 20)}`],
    ['an openai key of short words', ['sk', 'some-words-7-that-are-joined-by-signs'].join('-')],
    ['a discord token without a digit', `M${letters(WORD, 23)}.abcdef.${letters(WORD, 27)}`],
    ['a discord token without a capital', `M${seven(LOWER, 23)}.abcdef.${letters(LOWER, 27)}`],
    ['a run of A without a sign', `${'A'.repeat(21)}${letters(WORD, 40)}`],
    ['a run of A that is too short', `${'A'.repeat(21)}%${letters(WORD, 38)}`],
  ])('leaves %s', (_, text) => {
    expect(redact(`say ${text} now`)).toBe(`say ${text} now`);
  });
});
