import { describe, expect, test } from 'vitest';
import { findOverflow, toModelError } from '../src/errors.ts';
import { ModelError, send } from '../src/index.ts';
import { ANTHROPIC, CHAT, type Provider, RESPONSES, request } from './providers.ts';

/** What a client makes of one refusal, without a socket. */
async function refusal(
  provider: Provider,
  {
    status = 400,
    body,
    headers = {},
  }: { status?: number; body: unknown; headers?: Record<string, string> },
): Promise<ModelError> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  const fetch = async () =>
    new Response(text, { status, headers: { 'content-type': type, ...headers } });
  const error: unknown = await send(provider.connect({ fetch }), request(provider.model)).catch(
    (e) => e,
  );
  expect(ModelError.is(error)).toBe(true);
  return error as ModelError;
}

const openai = (message: string, code: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param: null, code },
});
const anthropic = (message: string, type = 'invalid_request_error') => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_1',
});

describe('findOverflow', () => {
  test.each([
    ['prompt is too long: 210000 tokens > 200000 maximum', 210_000, 200_000],
    ['prompt is too long', undefined, undefined],
    [
      'input length and `max_tokens` exceed context limit: 199700 + 8192 > 200000, decrease input',
      207_892,
      200_000,
    ],
    [
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens. Please reduce the length of the messages.",
      130_001,
      128_000,
    ],
    [
      "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8000 in the messages, 1000 in the completion).",
      9_000,
      8_192,
    ],
    [
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 150000 tokens (140000 of text input, 10000 in the output).",
      150_000,
      131_072,
    ],
    [
      "This model's maximum context length is 4096 tokens. However, your request has 5000 input tokens. Please reduce the length of the input messages.",
      5_000,
      4_096,
    ],
    [
      "'max_tokens' or 'max_completion_tokens' is too large: 9000. This model's maximum context length is 8192 tokens and your request has 100 input tokens",
      9_100,
      8_192,
    ],
    [
      'Input tokens exceed the configured limit of 922000 tokens. Your messages resulted in 930000 tokens.',
      930_000,
      922_000,
    ],
    [
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
      undefined,
      undefined,
    ],
    ['Input is too long for requested model.', undefined, undefined],
    [
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      1_200_000,
      1_048_576,
    ],
    [
      'The input token count exceeds the maximum number of tokens allowed 1048576.',
      undefined,
      1_048_576,
    ],
    [
      'Unable to submit request because the input token count is 40000 but model only supports up to 32768.',
      40_000,
      32_768,
    ],
    ['prompt token count of 140000 exceeds the limit of 128000', 140_000, 128_000],
    [
      "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
      140_000,
      131_072,
    ],
    [
      'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      40_000,
      32_768,
    ],
    [
      'Invalid request: Your request exceeded model token limit: 131072 (requested: 140000)',
      140_000,
      131_072,
    ],
    [
      'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
      9_000,
      8_192,
    ],
    ['The prompt is too long: 140000, model maximum context length: 131071', 140_000, 131_071],
    [
      'The estimated number of input and maximum output tokens (33000) exceeded this model context window limit (32000).',
      33_000,
      32_000,
    ],
    ['total number of tokens in the prompt cannot exceed 8000', undefined, 8_000],
    ['the request exceeds the available context size, try increasing it', undefined, undefined],
    [
      'request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it',
      9_000,
      8_192,
    ],
    [
      'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
      5_000,
      4_096,
    ],
    [
      'The prompt (total length 5000) is too long to fit into the model (context length 4096).',
      5_000,
      4_096,
    ],
    [
      "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
      5_000,
      4_096,
    ],
    [
      "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 5000 tokens: 4500 tokens from the input",
      5_000,
      4_096,
    ],
    [
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 200 `max_new_tokens`',
      4_200,
      4_096,
    ],
    ['Input validation error: `inputs` must have less than 4096 tokens. Given: 5000', 5_000, 4_096],
    [
      'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.',
      5_000,
      4_081,
    ],
    ['Range of input length should be [1, 129024]', undefined, 129_024],
    [
      'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
      5_000,
      4_096,
    ],
    ['prompt too long; exceeded max context length by 120 tokens', undefined, undefined],
    ['the input length exceeds the context length', undefined, undefined],
    [
      'litellm.ContextWindowExceededError: litellm.BadRequestError: the prompt does not fit',
      undefined,
      undefined,
    ],
    ["Input length (265330) exceeds model's maximum context length (262144).", 265_330, 262_144],
    ['Input prompt (9000 tokens) is too long and exceeds limit of 8192', 9_000, 8_192],
    ['Requested tokens (2285) exceed context window of 2048', 2_285, 2_048],
    ['Prompt has 2000 tokens, but the configured context size is 1000 tokens', 2_000, 1_000],
    ['输入内容超过模型最大上下文长度', undefined, undefined],
    ['Prompt exceeds max length', undefined, undefined],
    ['invalid params, context window exceeds limit (2013)', undefined, undefined],
    ['context_length_exceeded', undefined, undefined],
    ['Too many input tokens for this model', undefined, undefined],
  ])('reads %s', (text, actualTokens, limitTokens) => {
    expect(findOverflow(text)).toEqual({
      ...(actualTokens !== undefined && { actualTokens }),
      ...(limitTokens !== undefined && { limitTokens }),
    });
  });

  test.each([
    '',
    'Too many tokens, please wait before trying again.',
    'Too many input tokens per minute, please wait before trying again.',
    'Rate limit reached for gpt on tokens per min (TPM): Limit 30000, Used 20000, Requested 20000.',
    'max_tokens: 9000 > 8192, which is the maximum allowed number of output tokens',
    '`max_tokens` must be greater than `thinking.budget_tokens`',
    'messages: text content blocks must be non-empty',
    'tool name is too long: 70 characters > 64 maximum',
    'This request would exceed the limit of 400000 input tokens per minute',
    'image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes',
  ])('reads nothing into %s', (text) => {
    expect(findOverflow(text)).toBeUndefined();
  });

  test('is not slow on long texts', () => {
    const text = `${'prompt contains 1 tokens, input token count is '.repeat(50_000)}`;
    expect(findOverflow(text)).toBeUndefined();
  });
});

describe('case 64: overflow across shapes of errors', () => {
  test.each<[Provider, Parameters<typeof refusal>[1], number | undefined, number | undefined]>([
    [
      ANTHROPIC,
      { body: anthropic('prompt is too long: 210000 tokens > 200000 maximum') },
      210_000,
      200_000,
    ],
    [
      ANTHROPIC,
      { status: 413, body: anthropic('Prompt is too long', 'request_too_large') },
      undefined,
      undefined,
    ],
    [CHAT, { body: openai('Reduce it.', 'context_length_exceeded') }, undefined, undefined],
    [
      RESPONSES,
      {
        body: openai(
          'Your input exceeds the context window of this model.',
          'context_length_exceeded',
        ),
      },
      undefined,
      undefined,
    ],
    [
      CHAT,
      {
        body: {
          object: 'error',
          message:
            "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
          type: 'BadRequestError',
          code: 400,
        },
      },
      5_000,
      4_096,
    ],
    [
      CHAT,
      { body: { error: 'the input length exceeds the context length' } },
      undefined,
      undefined,
    ],
    [
      CHAT,
      {
        body: [
          {
            error: {
              code: 400,
              message:
                'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
              status: 'INVALID_ARGUMENT',
            },
          },
        ],
      },
      1_200_000,
      1_048_576,
    ],
    [
      CHAT,
      {
        body: {
          error: {
            code: 400,
            message: 'Provider returned error',
            metadata: {
              raw: '{"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}',
              provider_name: 'X',
            },
          },
        },
      },
      9,
      8,
    ],
    [
      CHAT,
      {
        body: {
          error: {
            code: 400,
            message: 'too big',
            type: 'exceed_context_size_error',
            n_prompt_tokens: 9000,
            n_ctx: 8192,
          },
        },
      },
      9_000,
      8_192,
    ],
    [
      CHAT,
      { status: 500, body: 'litellm.ContextWindowExceededError: too much' },
      undefined,
      undefined,
    ],
  ])(
    '%#: is prompt-too-long with its numbers',
    async (provider, reply, actualTokens, limitTokens) => {
      const error = await refusal(provider, reply);
      expect(error).toMatchObject({
        code: 'prompt-too-long',
        retryable: false,
        status: reply.status ?? 400,
      });
      expect([error.actualTokens, error.limitTokens]).toEqual([actualTokens, limitTokens]);
    },
  );

  test.each<[Provider, string]>([
    [
      ANTHROPIC,
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: call_1',
    ],
    [ANTHROPIC, 'temperature: Extra inputs are not permitted'],
    [CHAT, "Invalid value for 'messages[3].role': the context of this message is too long ago"],
    [RESPONSES, "Unsupported parameter: 'max_tokens' is not supported with this model"],
  ])('%#: an unrelated 400 stays what it is', async (provider, text) => {
    const body = provider === ANTHROPIC ? anthropic(text) : openai(text);
    expect(await refusal(provider, { body })).toMatchObject({
      code: 'invalid-request',
      retryable: false,
    });
  });
});

describe('toModelError', () => {
  type Row = [string, Provider, Parameters<typeof refusal>[1], ModelError['code'], object];
  test.each<Row>([
    [
      'case 52: an image that is too large, with its place',
      ANTHROPIC,
      {
        body: anthropic(
          'messages.3.content.7.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes',
        ),
      },
      'media-too-large',
      { place: { messageIndex: 3, blockIndex: 7 }, actualBytes: 6_291_456, limitBytes: 5_242_880 },
    ],
    [
      'case 52: an image with a side that is too long',
      ANTHROPIC,
      {
        body: anthropic(
          'messages.0.content.1: At least one of the image dimensions exceed max allowed size: 8000 pixels',
        ),
      },
      'media-too-large',
      { place: { messageIndex: 0, blockIndex: 1 } },
    ],
    [
      'case 53: too many pages',
      ANTHROPIC,
      { body: anthropic('A maximum of 600 PDF pages may be provided.') },
      'media-too-large',
      {},
    ],
    [
      'case 52: an image that cannot be read, with its place',
      ANTHROPIC,
      {
        body: anthropic(
          'messages.3.content.1.image.source.base64: The image was specified using the image/jpeg media type, but the image appears to be a image/png image',
        ),
      },
      'media-unreadable',
      { place: { messageIndex: 3, blockIndex: 1 }, retryable: false },
    ],
    ...[
      'Could not process image',
      'messages.0.content.0.image.source.base64.data: invalid base64 data',
      'Image does not match the provided media type image/png',
      'The PDF specified was not valid.',
      'The PDF specified is password protected.',
    ].map((text): Row => [text, ANTHROPIC, { body: anthropic(text) }, 'media-unreadable', {}]),
    ...[
      ['The image data you provided does not represent a valid image.', 'invalid_image'],
      ['Bad.', 'invalid_base64_image'],
      ['Bad.', 'image_parse_error'],
      ['You uploaded an unsupported image. Please use png.', 'invalid_image_format'],
    ].map(
      ([text = '', code = '']): Row => [
        `${text} (${code})`,
        RESPONSES,
        { body: openai(text, code) },
        'media-unreadable',
        {},
      ],
    ),
    [
      'an image file by its code',
      RESPONSES,
      { body: openai('Bad image.', 'image_file_too_large') },
      'media-too-large',
      {},
    ],
    [
      'case 53: a request with too many bytes',
      ANTHROPIC,
      { status: 413, body: anthropic('Request exceeds the maximum size', 'request_too_large') },
      'request-too-large',
      {},
    ],
    [
      'a 413 of a proxy in front',
      ANTHROPIC,
      { status: 413, body: '<html>413 Request Entity Too Large</html>' },
      'request-too-large',
      { status: 413 },
    ],
    [
      'a limit of bytes in other words',
      CHAT,
      { body: openai('total message size 2306631 exceeds limit 2097152') },
      'request-too-large',
      { actualBytes: 2_306_631, limitBytes: 2_097_152 },
    ],
    [
      'a payload limit with bytes',
      CHAT,
      { body: openai('Request payload size exceeds the limit: 20971520 bytes.') },
      'request-too-large',
      { limitBytes: 20_971_520 },
    ],
    [
      'a quota that is used up, sent as a rate limit',
      CHAT,
      {
        status: 429,
        body: {
          error: {
            message: 'You exceeded your current quota.',
            type: 'insufficient_quota',
            code: 'insufficient_quota',
          },
        },
      },
      'billing',
      { retryable: false },
    ],
    [
      'no credit, sent as a bad request',
      ANTHROPIC,
      { body: anthropic('Your credit balance is too low to access the API.') },
      'billing',
      { retryable: false },
    ],
    [
      'a rate limit that names a quota and a delay',
      CHAT,
      {
        status: 429,
        body: [
          {
            error: {
              code: 429,
              message: 'You exceeded your current quota, check billing.',
              status: 'RESOURCE_EXHAUSTED',
              details: [{ retryDelay: '34s' }],
            },
          },
        ],
      },
      'rate-limited',
      { retryAfterMs: 34_000, retryable: true },
    ],
    [
      'a rate limit that says when in its text',
      CHAT,
      {
        status: 429,
        body: openai('Rate limit reached. Please try again in 1m2.5s.', 'rate_limit_exceeded'),
      },
      'rate-limited',
      { retryAfterMs: 62_500 },
    ],
    [
      'a request that alone is above the allowance of a minute',
      CHAT,
      {
        status: 429,
        body: openai(
          'Request too large for gpt on tokens per min (TPM): Limit 30000, Requested 40000.',
          'rate_limit_exceeded',
        ),
      },
      'rate-limited',
      { retryable: false, actualTokens: 40_000, limitTokens: 30_000 },
    ],
    [
      'the same with status 413',
      CHAT,
      {
        status: 413,
        body: openai(
          'Request too large for model on tokens per minute (TPM): Limit 6000, Requested 9000',
          'rate_limit_exceeded',
        ),
      },
      'rate-limited',
      { retryable: false, actualTokens: 9_000, limitTokens: 6_000 },
    ],
    [
      'an overload sent as a rate limit',
      CHAT,
      { status: 429, body: openai('The engine is overloaded.', 'engine_overloaded') },
      'overloaded',
      { retryable: true },
    ],
    [
      'a throttled cloud',
      ANTHROPIC,
      { status: 429, body: anthropic('Too many tokens, please wait before trying again.') },
      'rate-limited',
      {},
    ],
    [
      'a filter of content',
      CHAT,
      { body: openai('Filtered by the content management policy.', 'content_filter') },
      'refused',
      { retryable: false },
    ],
    [
      'an unknown model',
      CHAT,
      { body: openai('The model `x` does not exist', 'model_not_found'), status: 404 },
      'not-found',
      {},
    ],
    [
      'a gateway that fails with HTML',
      CHAT,
      { status: 502, body: '<html>Bad gateway</html>' },
      'server-error',
      { retryable: true },
    ],
  ])('reads %s', async (_, provider, reply, code, facts) => {
    expect(await refusal(provider, reply)).toMatchObject({ code, ...facts });
  });

  test.each([
    [ANTHROPIC, anthropic('prompt is too long: 9 tokens > 8 maximum')],
    [
      CHAT,
      {
        error: {
          code: 400,
          message: 'too big',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 9,
          n_ctx: 8,
        },
      },
    ],
  ])('reads an error with status 200', async (provider, body) => {
    const fetch = async () => Response.json(body);
    const sent = send(provider.connect({ fetch, streaming: false }), request(provider.model));
    await expect(sent).rejects.toMatchObject({
      code: 'prompt-too-long',
      actualTokens: 9,
      limitTokens: 8,
    });
  });

  test('keeps the SDK error as its cause, the request id and the provider code', async () => {
    const error = await refusal(ANTHROPIC, {
      body: {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'No.',
          details: { error_code: 'thread_unsupported_request' },
        },
        request_id: 'req_7',
      },
      headers: { 'request-id': 'req_7' },
    });
    expect(error).toMatchObject({ requestId: 'req_7', providerCode: 'thread_unsupported_request' });
    expect((error.cause as Error).message).toContain('No.');
    expect(error.message).not.toContain('No.');
  });

  test('returns an error of its own as it is', () => {
    const error = new ModelError('timeout', 'late');
    expect(toModelError(error)).toBe(error);
  });

  test.each([undefined, null, 'text', 7, {}, [], new Error('x')])('takes anything: %j', (value) => {
    expect(toModelError(value)).toMatchObject({ name: 'ModelError', code: 'invalid-request' });
  });

  test('counts a date from the clock that is passed where the server sends none', () => {
    const headers = new Headers({ 'retry-after': 'Sat, 28 Nov 2026 10:00:30 GMT' });
    const now = () => Date.parse('2026-11-28T10:00:10Z');
    expect(toModelError({ status: 429, headers }, { now }).retryAfterMs).toBe(20_000);
  });

  test.each([
    ['0', 0],
    [' 7 ', 7_000],
    ['1.5', 1_500],
    ['Thu, 01 Jan 1970 00:00:30 GMT', 30_000],
    ['Thursday, 01-Jan-70 00:00:30 GMT', 30_000],
    ['1970-01-01T00:00:30Z', 30_000],
    ['-1', undefined],
    ['+5', undefined],
    ['1/2', undefined],
    ['in 5', undefined],
    ['soon', undefined],
    ['', undefined],
    ['99999999999999999999', undefined],
  ])('reads retry-after %j as %j ms', (value, expected) => {
    const headers = new Headers({ 'retry-after': value });
    expect(toModelError({ status: 429, headers }, { now: () => 0 }).retryAfterMs).toBe(expected);
  });
});
