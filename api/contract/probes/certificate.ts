import { X509Certificate } from 'node:crypto';
import { checkServerIdentity, type DetailedPeerCertificate, type PeerCertificate, type TLSSocket } from 'node:tls';
import { CHECK_LIMITS, type ProbeReason } from '../rules/check-limits.ts';
import { printableText } from '../rules/printable-text.ts';
import type { CertificatePart } from '../wire/check-probes.ts';

/** Longest chain that is read: a server may send any number of certificates. */
const MOST_CERTIFICATES = 20;
const NAME_CHARACTERS = 200;
/** Keys below these are weak: RSA and DSA in bits, and elliptic curves in bits of the field. */
const WEAK_BITS = { rsa: 2048, curve: 224 } as const;

type Certificate = PeerCertificate | DetailedPeerCertificate;

/** Returns the certificates that the server sent, its own first. A self-signed one names itself as issuer. */
function chainOf(first: Certificate): Certificate[] {
  const chain: Certificate[] = [];
  const seen = new Set<string>();
  let next: Certificate | undefined = first;
  while (next?.raw !== undefined && !seen.has(next.fingerprint256) && chain.length < MOST_CERTIFICATES) {
    seen.add(next.fingerprint256);
    chain.push(next);
    next = 'issuerCertificate' in next ? next.issuerCertificate : undefined;
  }
  return chain;
}

const text = (value: unknown): string =>
  printableText(
    (Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : '').trim(),
    NAME_CHARACTERS,
  );
const secondsOf = (date: string): number => Math.max(0, Math.floor((Date.parse(date) || 0) / 1000));
const isValidAt = ({ valid_from: from, valid_to: to }: Certificate, now: number): boolean =>
  secondsOf(from) * 1000 <= now && now < secondsOf(to) * 1000;
const isSelfSigned = ({ subject, issuer }: Certificate): boolean => JSON.stringify(subject) === JSON.stringify(issuer);

/** Returns what a page shows of the certificate; null: the server sent none. `now` in milliseconds. */
export function certificateOf(socket: TLSSocket, now: number): CertificatePart | null {
  const own = socket.getPeerCertificate(true);
  const chain = chainOf(own);
  if (chain.length === 0) return null;
  // The root is kept by the reader of the chain, who replaces it; its end does not end the chain.
  const sent = chain.filter((one, index) => index === 0 || !isSelfSigned(one));
  // Servers send certificates of a root by an older root. A chain that was verified does without those that have ended.
  const ending = socket.authorized ? sent.filter((one, index) => index === 0 || isValidAt(one, now)) : sent;
  return {
    subject: text(own.subject?.CN),
    issuer: text(own.issuer?.CN ?? own.issuer?.O),
    names: namesOf(own),
    starts_at: Math.max(...ending.map(({ valid_from: from }) => secondsOf(from))),
    ends_at: Math.min(...ending.map(({ valid_to: to }) => secondsOf(to))),
    chain: chain.length,
    key: keyOf(own),
    fingerprint: own.fingerprint256.replaceAll(':', '').toLowerCase().slice(0, 64),
  };
}

const namesOf = ({ subjectaltname: names = '' }: Certificate): string[] =>
  names
    .split(', ')
    .map((name) => text(name.replace(/^(?:DNS|IP Address):/, '')))
    .filter((name) => name !== '')
    .slice(0, CHECK_LIMITS.certificateNames);

const isCurve = ({ nistCurve, asn1Curve }: Certificate): boolean => (nistCurve ?? asn1Curve) !== undefined;
function keyOf(certificate: Certificate): string {
  const { bits, modulus } = certificate;
  if (isCurve(certificate)) return `EC ${text(certificate.nistCurve ?? certificate.asn1Curve)}`;
  return modulus === undefined
    ? bits === undefined
      ? typeOf(certificate)
      : `${String(bits)} bits`
    : `RSA ${String(bits ?? '')}`.trim();
}

const KEY_TYPES: Readonly<Record<string, string>> = {
  ed25519: 'Ed25519',
  ed448: 'Ed448',
  dsa: 'DSA',
  'rsa-pss': 'RSA-PSS',
};
function typeOf({ raw }: Certificate): string {
  try {
    return KEY_TYPES[new X509Certificate(raw).publicKey.asymmetricKeyType ?? ''] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

const INCOMPLETE = [
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
];

/** Returns why a certificate is not good for the host; null: it is. `now` in milliseconds. */
export function certificateProblem(socket: TLSSocket, host: string, now: number): ProbeReason | null {
  const own = socket.getPeerCertificate(true);
  const part = certificateOf(socket, now);
  if (part === null) return 'certificate_untrusted';
  // Before the trust: it is what the owner has to renew.
  if (part.ends_at * 1000 <= now) return 'certificate_expired';
  if (part.starts_at * 1000 > now) return 'certificate_not_yet_valid';
  const { bits } = own;
  if (bits !== undefined && bits < (isCurve(own) ? WEAK_BITS.curve : WEAK_BITS.rsa)) return 'certificate_weak_key';
  const error = socket.authorizationError;
  const code = error instanceof Error ? ((error as { code?: string }).code ?? error.message) : String(error ?? '');
  if (!socket.authorized && code !== '' && code !== 'ERR_TLS_CERT_ALTNAME_INVALID')
    return INCOMPLETE.includes(code) && part.chain === 1 ? 'certificate_chain_incomplete' : 'certificate_untrusted';
  if (checkServerIdentity(host.replace(/^\[|\]$/g, ''), own) !== undefined) return 'certificate_wrong_name';
  return null;
}
