import { CHECK_METHODS, IP_VERSIONS } from '@plimsoll/contract/rules/check-limits';
import type { ProbeRequest } from '@plimsoll/contract/wire/checks/checks';

type HttpRequest = Extract<ProbeRequest, { kind: 'http' }>;

/** The request of a check, as the form has it. */
export interface RequestDraft {
  method: string;
  ipVersion: string;
  followsRedirects: boolean;
  ignoresCertificate: boolean;
  /** One a line, "name: value"; null: those that are stored stay. */
  headers: string | null;
  /** Null: the one that is stored stays. */
  body: string | null;
}

interface Stored {
  header_names: readonly string[];
  has_body: boolean;
}

/** Headers and body are never returned, so that the draft of stored ones is null. */
export const requestDraftOf = (probe: ProbeRequest, stored: Stored): RequestDraft => ({
  method: probe.kind === 'http' ? probe.method : 'GET',
  ipVersion: probe.ip_version,
  followsRedirects: probe.kind === 'http' && probe.follow_redirects,
  ignoresCertificate: probe.kind === 'http' && probe.ignore_certificate,
  headers: stored.header_names.length > 0 ? null : '',
  body: stored.has_body ? null : '',
});

const HEADER = /^([\w!#$%&'*+.^`|~-]{1,128}):[ \t]*(.*)$/;

/** Returns the headers of lines "name: value"; null: a line is none, or a name is there twice. */
export function readHeaders(text: string): Record<string, string> | null {
  const headers = new Map<string, string>();
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined || headers.has(name.toLowerCase())) return null;
    headers.set(name.toLowerCase(), value.trim());
  }
  return Object.fromEntries(headers);
}

export function requestProblems({ headers }: RequestDraft): { headers?: string } {
  return headers !== null && readHeaders(headers) === null
    ? { headers: 'Write one a line, each name once, such as accept: application/json.' }
    : {};
}

/** Returns true if the check will have headers or a body. */
export const sendsSecrets = ({ headers, body }: RequestDraft): boolean =>
  headers === null || headers.trim() !== '' || body === null || body !== '';

export const ipVersionOf = ({ ipVersion }: RequestDraft): ProbeRequest['ip_version'] =>
  IP_VERSIONS.find((each) => each === ipVersion) ?? 'any';

/** Returns the part of an HTTP probe for a draft without problems. A part that is left out stays as it is stored. */
export function httpRequestOf(draft: RequestDraft, stored: Stored): Partial<HttpRequest> {
  const keepsHeaders = draft.headers === null || (draft.headers.trim() === '' && stored.header_names.length === 0);
  const keepsBody = draft.body === null || (draft.body === '' && !stored.has_body);
  const { method, followsRedirects, ignoresCertificate, headers, body } = draft;
  return {
    method: CHECK_METHODS.find((each) => each === method) ?? 'GET',
    follow_redirects: followsRedirects,
    ignore_certificate: ignoresCertificate,
    ...(!keepsHeaders && { headers: readHeaders(headers ?? '') ?? {} }),
    ...(!keepsBody && { body: body === '' ? null : body }),
  };
}

/** Fields of the form by the field that the API names. */
export const REQUEST_FIELDS = {
  'probe.method': 'method',
  'probe.ip_version': 'ipVersion',
  'probe.follow_redirects': 'followsRedirects',
  'probe.ignore_certificate': 'ignoresCertificate',
  'probe.headers': 'headers',
  'probe.body': 'body',
} as const satisfies Record<string, keyof RequestDraft>;
