import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageForRegistry, withRegistry } from './chart.ts';
import { sectionOf } from './notes.ts';
import { isSignedBy, readPublicKey, signatureOf, writeKeyPair } from './signature.ts';
import { withKey } from './stamp-key.ts';
import { signSums, verifyFolder, writeSums } from './sums.ts';
import { namedVersions, releasedVersion } from './version.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-release-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Makes a key pair as an owner does. */
function keys(name = 'key'): { file: string; privatePem: string; publicKey: string } {
  const file = join(folder, name);
  writeKeyPair(file);
  return { file, privatePem: readFileSync(file, 'utf8'), publicKey: readFileSync(`${file}.pub`, 'utf8').trim() };
}

describe('version', () => {
  test('the sources agree on one version', () => {
    expect(new Set(Object.values(namedVersions())).size).toBe(1);
  });

  test('a tag of that version is accepted, a pre-release too', () => {
    expect(releasedVersion('v1.2.3', { a: '1.2.3', b: '1.2.3' })).toBe('1.2.3');
    expect(releasedVersion('v1.2.3-rc.1', { a: '1.2.3-rc.1' })).toBe('1.2.3-rc.1');
  });

  test.each([
    ['v1.2.4', 'a says 1.2.3'],
    ['1.2.3', 'must be like v1.2.3'],
    ['v1.2', 'must be like v1.2.3'],
  ])('%s is refused', (tag, reason) => {
    expect(() => releasedVersion(tag, { a: '1.2.3' })).toThrow(reason);
  });
});

describe('notes', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n## 0.2.0\n\n### Added\n\n- One.\n\n## [0.1.0] - 2026-01-01\n\nThe first.\n';

  test('are the section of the version alone', () => {
    expect(sectionOf(changelog, '0.2.0')).toBe('### Added\n\n- One.');
    expect(sectionOf(changelog, '0.1.0')).toBe('The first.');
  });

  test.each(['0.3.0', 'Unreleased', '0.2'])('a missing or empty section is refused: %s', (version) => {
    expect(() => sectionOf(changelog, version)).toThrow(`Rename "## Unreleased" to "## ${version}"`);
  });
});

describe('signature', () => {
  test('only its owner reads the private key, and an existing key is not overwritten', () => {
    const { file } = keys();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(() => writeKeyPair(file)).toThrow('EEXIST');
  });

  test('holds for the content and the key that made it', () => {
    const [mine, other] = [keys('mine'), keys('other')];
    const content = Buffer.from('content');
    const signature = signatureOf(content, mine.privatePem);
    expect(isSignedBy(content, signature, mine.publicKey)).toBe(true);
    expect(isSignedBy(Buffer.from('contenT'), signature, mine.publicKey)).toBe(false);
    expect(isSignedBy(content, signature, other.publicKey)).toBe(false);
  });

  test('a key of another kind is refused', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'der' });
    expect(() => readPublicKey(rsa.toString('base64'))).toThrow('--key: is no public key');
    expect(() => readPublicKey('nonsense')).toThrow('--key: is no public key');
  });

  test('install.sh gets the key once, and another one in its place', () => {
    const { publicKey } = keys();
    const script = readFileSync(join(import.meta.dirname, '../install.sh'), 'utf8');
    const stamped = withKey(script, publicKey);
    expect(stamped).toContain(`\nRELEASE_KEY='${publicKey}'\n`);
    expect(withKey(stamped, publicKey)).toBe(stamped);
    expect(() => withKey('#!/bin/sh\n', publicKey)).toThrow('no line RELEASE_KEY');
    expect(() => withKey(script, "'; reboot; '")).toThrow('--key: is no public key');
  });
});

describe('sums', () => {
  const put = (name: string, text: string) => writeFileSync(join(folder, 'files', name), text);
  const files = () => join(folder, 'files');
  beforeEach(() => {
    mkdirSync(files());
    put('kit.tar.gz', 'kit');
    put('chart.tgz', 'chart');
    writeFileSync(join(files(), 'kit.tar.gz.sha256'), execFileSync('sha256sum', ['kit.tar.gz'], { cwd: files() }));
  });

  test('sha256sum accepts them, and a signed folder verifies', () => {
    const { privatePem, publicKey } = keys();
    writeSums(files());
    signSums(files(), privatePem);
    // Once more, as a second attempt of a failed job does: signatures are no files of the release's sums.
    expect(writeSums(files()).split('\n')).toHaveLength(3);
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: files() });
    expect(verifyFolder(files(), publicKey)).toBe('2 checksums verified');
  });

  test('a changed file, a missing file and a missing signature are all named', () => {
    const { privatePem, publicKey } = keys();
    writeSums(files());
    signSums(files(), privatePem);
    put('kit.tar.gz', 'another');
    rmSync(join(files(), 'chart.tgz'));
    const faults = () => verifyFolder(files(), publicKey);
    expect(faults).toThrow('kit.tar.gz: has another checksum');
    expect(faults).toThrow('chart.tgz: is missing');
    rmSync(join(files(), 'SHA256SUMS.sig'));
    expect(faults).toThrow('SHA256SUMS: not signed by this key');
  });

  test('a checksum that names a file elsewhere is refused', () => {
    const { privatePem, publicKey } = keys();
    writeFileSync(join(files(), 'kit.tar.gz.sha256'), `${'0'.repeat(64)}  ../kit.tar.gz\n`);
    signSums(files(), privatePem);
    expect(() => verifyFolder(files(), publicKey)).toThrow('is no checksum');
  });

  test('the job that signs needs no npm packages', () => {
    const { privatePem, publicKey } = keys();
    writeSums(files());
    // A copy without node_modules above it.
    for (const name of ['main.ts', 'sums.ts', 'signature.ts'])
      writeFileSync(join(folder, name), readFileSync(join(import.meta.dirname, name)));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const run = (...words: string[]) =>
      execFileSync(process.execPath, [join(folder, 'main.ts'), ...words], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], PLIMSOLL_SIGNING_KEY: privatePem },
      });
    expect(run('sign', files())).toContain('SHA256SUMS.sig');
    expect(run('verify', files(), '--key', publicKey)).toBe('2 checksums verified\n');
  });
});

describe('chart', () => {
  test('gets the registry in lower case', () => {
    const values = 'image:\n  registry: ""\n  tag: ""\n';
    expect(withRegistry(values, 'ghcr.io/Some-Owner/')).toBe('image:\n  registry: ghcr.io/some-owner\n  tag: ""\n');
    expect(() => withRegistry(values, 'https://ghcr.io/owner')).toThrow('must be like ghcr.io/owner');
    expect(() => withRegistry('image: {}\n', 'ghcr.io/owner')).toThrow('not empty once');
  });

  test('is packaged with it and is otherwise the chart of the sources', async () => {
    const file = await packageForRegistry('ghcr.io/Owner', folder);
    execFileSync('tar', ['-xzf', file, '-C', folder]);
    const source = join(import.meta.dirname, '../../charts/plimsoll');
    const packed = (name: string) => readFileSync(join(folder, 'plimsoll', name), 'utf8');
    expect(packed('values.yaml')).toContain('\n  registry: ghcr.io/owner\n');
    expect(packed('Chart.yaml')).toBe(readFileSync(join(source, 'Chart.yaml'), 'utf8'));
  });
});
