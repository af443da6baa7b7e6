import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDACTED, redactArguments, redactCommand, stripArguments } from './redact.ts';

describe('redactArguments', () => {
  it('hides what follows a secret option and keeps the rest', () => {
    expect(redactArguments(['node', 'server.js', '--api-key', 'abcd1234', '--port=80'])).toEqual([
      'node',
      'server.js',
      '--api-key',
      REDACTED,
      '--port=80',
    ]);
  });

  it('reads the script of a shell', () => {
    expect(redactArguments(['sh', '-c', 'PGPASSWORD=abcd1 psql -h x && mysql -psesame foo'])).toEqual([
      'sh',
      '-c',
      `PGPASSWORD=${REDACTED} psql -h x && mysql -p${REDACTED} foo`,
    ]);
  });

  it('turns NUL and control characters into spaces and lone surrogates into U+FFFD', () => {
    expect(redactArguments(['a\u0000b', 'c\nd', '\ud800'])).toEqual(['a b', 'c d', '\ufffd']);
  });

  it('never throws, never grows an argument list, and stays the same when done twice', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (argv) => {
        const once = redactArguments(argv);
        expect(once).toHaveLength(argv.length);
        expect(redactArguments(once)).toEqual(once);
      }),
    );
  });
});

describe('redactCommand', () => {
  it('hides short keys and signatures in the query of a URL, and in no other place', () => {
    expect(redactCommand('curl https://u:pw@h/x?page=2&key=abc "https://h/y?sig=k9&n=1" key=abc')).toBe(
      `curl https://u:${REDACTED}@h/x?page=2&key=${REDACTED} "https://h/y?sig=${REDACTED}&n=1" key=abc`,
    );
  });

  it('hides the user-info of a URL', () => {
    expect(redactCommand('psql postgres://bob:s3cret/x@db/app')).toBe(`psql postgres://bob:${REDACTED}@db/app`);
  });

  it.each([
    // A name with digits is a token to a server of HTTP alone: such a user has no password there.
    ['git clone ssh://deploy01@host/a.git', 'git clone ssh://deploy01@host/a.git'],
    ['borg create ssh://backup42@nas/repo', 'borg create ssh://backup42@nas/repo'],
    ['git clone https://deploy01@host/a.git', `git clone https://${REDACTED}@host/a.git`],
    ['git clone http://deploy01@host/a.git', `git clone http://${REDACTED}@host/a.git`],
    // Eight characters with a digit and a letter are the least of a token.
    ['git clone https://deploy1@host/a.git', 'git clone https://deploy1@host/a.git'],
    ['git clone https://deployer@host/a.git', 'git clone https://deployer@host/a.git'],
    // A user of sixteen characters may be a token anywhere.
    ['git clone ssh://sixteenletters-a@host/a.git', `git clone ssh://${REDACTED}@host/a.git`],
    ['git clone ssh://fifteenletters-@host/a.git', 'git clone ssh://fifteenletters-@host/a.git'],
  ])('hides a user alone where it is a token: %s', (command, shown) => expect(redactCommand(command)).toBe(shown));
});

describe('stripArguments', () => {
  it('leaves the program', () => {
    expect(stripArguments('/usr/bin/mysql -psecret')).toBe('/usr/bin/mysql');
  });
});
