import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { redactText } from './text.ts';

const SECRET = 'h4nter2Secret';

describe('a credential in prose', () => {
  it.each([
    [`Failed to pull image "https://bob:${SECRET}@registry.example/app:1": denied`],
    [`docker://bob:${SECRET}@registry.example`],
    [`exec failed: run --password=${SECRET} --verbose`],
    [`exec failed: run --password ${SECRET} --verbose`],
    [`exec failed: "run --api-key ${SECRET}"`],
    [`login with password: ${SECRET}`],
    [`login with password: "${SECRET}", retrying`],
    [`password: ${SECRET} was refused`],
    [`PGPASSWORD=${SECRET} psql`],
    [`PGPASSWORD= ${SECRET} psql`],
    [`GET http://10.0.0.1/healthz?token=${SECRET} refused`],
    [`{"user":"bob","password":"${SECRET}"}`],
    [`Authorization: Bearer ${SECRET}`],
    [`Authorization: ${SECRET}`],
    [`header bearer ${SECRET} refused`],
    [`key ghp_0123456789abcdef${SECRET} leaked`],
  ])('is hidden: %s', (text) => {
    expect(redactText(text)).not.toContain(SECRET);
    expect(redactText(text)).toContain('[redacted]');
  });
});

describe('harmless text', () => {
  it.each([
    ['error: password: authentication failed for user bob'],
    ['MountVolume.SetUp failed for volume "kube-api-access-token" : secret "x" not found'],
    ["couldn't find key password in Secret shop/db-token"],
    ['failed to get secret: context deadline exceeded'],
    ['Back-off restarting failed container token in pod web_shop(uid)'],
    ['Secret "db-password" not found'],
    ['exceeded quota: secrets: 3, used: 3'],
    ['the bearer token is missing'],
    ['Started Session 4 of User root'],
    ['redis:7@sha256:0123456789abcdef0123456789abcdef0123456789abcdef'],
    ['registry.example:5000/team/app:v1.2'],
    ['Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz'],
    ['Debian GNU/Linux 12 (bookworm)'],
    ['node.kubernetes.io/not-ready:NoSchedule'],
  ])('stays: %s', (text) => {
    expect(redactText(text)).toBe(text);
  });
});

const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    'password:',
    '--token',
    'Bearer',
    'Authorization:',
    'a=b',
    'https://u:p@h',
    '"x"',
    'token=',
    ' ',
    '(',
  ),
);

test('redacting twice changes nothing, and no control character is left', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      const once = redactText(words.join(' '));
      expect(redactText(once)).toBe(once);
      expect(once).not.toMatch(/\p{Cc}/u);
    }),
  );
});

const KEY_CHARACTERS = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-');
test('the key of a heartbeat is hidden, whatever its characters are', () => {
  const character = fc.constantFrom(...KEY_CHARACTERS);
  const key = fc.string({ unit: character, minLength: 43, maxLength: 43 });
  fc.assert(
    fc.property(key, (secret) => {
      const text = redactText(`curl -fsS https://plimsoll.example/api/heartbeats/${secret}/start`);
      expect(text).not.toContain(secret);
      expect(text).toContain('/api/heartbeats/[redacted]/start');
    }),
  );
});
