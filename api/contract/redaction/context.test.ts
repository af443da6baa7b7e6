import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { redactCommand } from './redact.ts';
import { redactText } from './text.ts';

describe('the place of a word decides how odd it must be', () => {
  it.each([
    ['mytool -p hunter2', 'mytool -p [redacted]'],
    ['mytool -p 8080 -k /etc/tls.key', 'mytool -p 8080 -k /etc/tls.key'],
    ['xtool -t x86_64 -k utf8mb4', 'xtool -t x86_64 -k utf8mb4'],
    ['mytool -k kX9tQmPz4LrVb7', 'mytool -k [redacted]'],
    ['tool.exe /u:bob /p:Gl4ubensfrage', 'tool.exe /u:bob /p:[redacted]'],
    ['appctl login bob Kirsch9baum', 'appctl login bob [redacted]'],
    ['appctl list bob Kirsch9', 'appctl list bob Kirsch9'],
    ['etcdctl put /app/password quitten', 'etcdctl put /app/password [redacted]'],
    ['curl https://h/hooks/b3kz9qx', 'curl https://h/hooks/[redacted]'],
    ['curl https://h/books/b3kz9qx', 'curl https://h/books/b3kz9qx'],
    [
      'java -jar a.jar jdbc:oracle:thin:scott/tiger@db:1521:X',
      'java -jar a.jar jdbc:oracle:thin:scott/[redacted]@db:1521:X',
    ],
    ['uses actions/checkout@v4', 'uses actions/checkout@v4'],
  ])('%s', (line, shown) => {
    expect(redactCommand(line)).toBe(shown);
  });
});

describe('a word for a secret opens a phrase', () => {
  it.each([
    ['the admin password is Ahorn7blatt now', 'the admin password is [redacted] now'],
    ['password for user elastic changed to Ahorn7blatt', 'password for user elastic changed to [redacted]'],
    ['invalid token uHfG5aEuT8ok supplied', 'invalid token [redacted] supplied'],
    ['Your one-time code is 482913', 'Your one-time code is [redacted]'],
    ["ALTER ROLE app PASSWORD 'limette'", "ALTER ROLE app PASSWORD '[redacted]'"],
    ["SET PASSWORD FOR 'bob'@'%' = 'limette'", "SET PASSWORD FOR 'bob'@'%' = '[redacted]'"],
    [
      "INSERT INTO u (name, password) VALUES ('bob', 'limette')",
      "INSERT INTO u (name, password) VALUES ('bob', '[redacted]')",
    ],
    ["os.environ['API_TOKEN']='limette'", "os.environ['API_TOKEN']='[redacted]'"],
    ["db.auth('bob', 'limette')", "db.auth('bob', '[redacted]')"],
    ['<dbPassword>limette</dbPassword>', '<dbPassword>[redacted]</dbPassword>'],
    ['password must be at least 12 characters long', 'password must be at least 12 characters long'],
    [
      'Failed password for invalid user admin from 203.0.113.7',
      'Failed password for invalid user admin from 203.0.113.7',
    ],
    ['exit code 137', 'exit code 137'],
    ['error: secret "stripe-api-key" not found', 'error: secret "stripe-api-key" not found'],
  ])('%s', (text, shown) => {
    expect(redactText(text)).toBe(shown);
  });
});

describe('a setting whose value is a choice or a name', () => {
  it.each([
    'auth: ldap',
    'password_encryption=scram-sha-256',
    '--cookie-samesite=lax',
    'auth.existingSecret=shop-db',
    'auth.existingSecretPasswordKey=redis-password',
    'X-Auth-Email=ops@example.com',
  ])('stays: %s', (text) => {
    expect(redactText(text)).toBe(text);
    expect(redactCommand(`app ${text}`)).toBe(`app ${text}`);
  });
});

const word = fc.constantFrom(
  ...'mysql -p hunter2 password is to = : token AUTH setuser >x1 "a\' \' " \\" login set put /a/password IDENTIFIED BY key'.split(
    ' ',
  ),
  ...`code 482913 https://u:p@h/hooks/aB3x9Kq2 kX9tQmPz4LrVb7 auth=ldap pwd={a;b} ('x', <token>x1</token> u/p1@h:1/x h:1:a:b:c1x`.split(
    ' ',
  ),
  ...'-k -t=aB3x9Kq2m1 [redacted] for user credentials root:abcde1 values( (a,password) sh -c && | echo'.split(' '),
);

test('a word whose meaning depends on a hidden one is hidden with it', () => {
  expect(redactCommand('set IDENTIFIED put password mysql')).toBe('set IDENTIFIED [redacted] password [redacted]');
});

test('redacting any mix of such words twice changes nothing', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 10 }), (words) => {
      for (const redact of [redactCommand, redactText]) {
        const once = redact(words.join(' '));
        expect(redact(once)).toBe(once);
      }
    }),
    { numRuns: 300 },
  );
});
