import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maySignUp, type SignUpRules } from './external.ts';
import type { Person } from './provider.ts';

const CLOSED: SignUpRules = { emails: [], domains: [], githubOrganisations: [] };
const person = (email: string | null, organisations?: string[]): Person => ({
  subject: '1',
  email,
  name: 'Ada',
  avatarUrl: null,
  ...(organisations && { organisations }),
});

describe('who may sign up', () => {
  test('without a rule nobody may', () => {
    const anyone = fc.record({
      email: fc.option(fc.emailAddress()),
      organisations: fc.array(fc.string()),
      provider: fc.constantFrom('github' as const, 'google' as const, 'oidc' as const),
    });
    fc.assert(
      fc.property(anyone, ({ email, organisations, provider }) => {
        expect(maySignUp(CLOSED, provider, person(email, organisations))).toBe(false);
      }),
    );
  });

  test.each([
    ['Ada@Example.ORG', true],
    ['  ada@example.org ', true],
    ['ada@mail.example.org', false],
    ['ada@evil-example.org', false],
    ['ada@example.org.evil.test', false],
    ['"ada@example.org"@evil.test', false],
    ['example.org', false],
    ['@example.org', false],
    ['x@evil.test@example.org', false],
    ['x@example.org@evil.test', false],
    ['"x@evil.test"@example.org', false],
    ['x y@example.org', false],
    ['ada@', false],
    [null, false],
  ])('by the domain example.org, %j: %s', (email, may) => {
    expect(maySignUp({ ...CLOSED, domains: ['example.org'] }, 'oidc', person(email))).toBe(may);
  });

  test.each([
    ['ada@example.org', true],
    ['ADA@EXAMPLE.ORG', true],
    ['ada@example.com', false],
    ['xada@example.org', false],
    [null, false],
  ])('by the address ada@example.org, %j: %s', (email, may) => {
    expect(maySignUp({ ...CLOSED, emails: ['ada@example.org'] }, 'google', person(email))).toBe(may);
  });

  test('by an organisation: of GitHub only, whatever another provider claims, and with a verified address', () => {
    const rules = { ...CLOSED, githubOrganisations: ['acme'] };
    expect(maySignUp(rules, 'github', person('a@b.test', ['other', 'acme']))).toBe(true);
    expect(maySignUp(rules, 'github', person('a@b.test', ['acme-evil']))).toBe(false);
    expect(maySignUp(rules, 'github', person('a@b.test'))).toBe(false);
    expect(maySignUp(rules, 'github', person(null, ['acme']))).toBe(false);
    expect(maySignUp(rules, 'oidc', person('a@b.test', ['acme']))).toBe(false);
  });
});
