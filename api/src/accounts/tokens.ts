import { hash, randomBytes } from 'node:crypto';

/**
 * Every secret this server hands out: 256 random bits behind a prefix that names the type, so that a person, a log
 * scrubber and a secret scanner recognise it. At rest only SHA-256 is kept: 256 random bits need no slow hash.
 */
export const TOKEN_TYPES = ['session', 'api', 'enrol', 'agent', 'cluster', 'code', 'device', 'invite'] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

/** 32 bytes in base64url without padding. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

export const newToken = (type: TokenType): string => `plm_${type}_${randomBytes(32).toString('base64url')}`;

/** SHA-256 of the whole token, prefix included: a token of one type can never be found as another. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** The type a well-formed token claims; null for anything else, so that no lookup is spent on garbage. */
export function tokenType(token: string): TokenType | null {
  for (const type of TOKEN_TYPES) {
    const prefix = `plm_${type}_`;
    if (token.startsWith(prefix)) return SECRET.test(token.slice(prefix.length)) ? type : null;
  }
  return null;
}

/** The token of an `Authorization: Bearer` header; null when there is none. */
export function bearerOf(header: string | undefined): string | null {
  const match = /^Bearer ([A-Za-z0-9._~+/=-]{1,512})$/i.exec(header ?? '');
  return match?.[1] ?? null;
}
