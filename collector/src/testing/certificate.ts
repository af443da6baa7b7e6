import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export interface Certificate {
  key: string;
  cert: string;
  /** Paths, for programs that read files. */
  keyFile: string;
  certFile: string;
}

/** Makes an untrusted key and certificate for this machine and dashboard.test, for all tests of a file. */
export function unknownCertificate(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,DNS:dashboard.test,IP:127.0.0.1'];
  const key = ['-newkey', 'ed25519', '-nodes', '-keyout', keyFile];
  execFileSync('openssl', ['req', '-x509', ...key, '-days', '2', '-out', certFile, ...subject], { stdio: 'ignore' });
  return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8'), keyFile, certFile };
}
