/**
 * Tokens a second. 606 replies of 500 tokens and more in 17 recorded sessions (Claude Code, Codex, pi) came at 79 in the median,
 * quartiles 62 and 136; at 58 to 76 where the file stamps the end of a reply.
 */
export const WRITTEN_PER_SECOND = 70;

/** How long somebody waits while a model writes so many tokens: modelled, since no model is called here. */
export const waitSeconds = (tokens: number): number => tokens / WRITTEN_PER_SECOND;
