/**
 * Masks an address before it leaves the host: IPv4 keeps its first 24 bits, IPv6 its first 64.
 * IPv4-mapped addresses count as IPv4; a zone id (`%eth0`) is dropped. No zod here: collector and API share this file.
 * Idempotent; text that is no address becomes "" so that nothing unmasked slips through.
 */
export function maskIp(address: string): string {
  const bare = stripZone(address.trim());
  const v4 = parseIpv4(bare);
  if (v4) return maskIpv4(v4);
  const groups = parseIpv6(bare);
  if (!groups) return '';
  const mapped = mappedIpv4(groups);
  return mapped ? maskIpv4(mapped) : formatIpv6([...groups.slice(0, 4), 0, 0, 0, 0]);
}

function stripZone(text: string): string {
  const unwrapped = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  const zone = unwrapped.indexOf('%');
  return zone === -1 ? unwrapped : unwrapped.slice(0, zone);
}

const maskIpv4 = (octets: number[]): string => `${octets[0]}.${octets[1]}.${octets[2]}.0`;

function parseIpv4(text: string): number[] | null {
  const parts = text.split('.');
  if (parts.length !== 4) return null;
  const octets = parts.map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : 256));
  return octets.every((octet) => octet <= 255) ? octets : null;
}

/** Parses eight groups of 16 bits; returns null for any other text. */
function parseIpv6(text: string): number[] | null {
  if (text.length > 45 || !text.includes(':')) return null;
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const head = parseGroups(halves[0] ?? '');
  const tail = halves.length === 2 ? parseGroups(halves[1] ?? '') : [];
  if (!head || !tail) return null;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  return [...head, ...Array.from({ length: missing }, () => 0), ...tail];
}

function parseGroups(text: string): number[] | null {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    const v4 = index === parts.length - 1 ? parseIpv4(part) : null;
    if (v4) groups.push(((v4[0] ?? 0) << 8) | (v4[1] ?? 0), ((v4[2] ?? 0) << 8) | (v4[3] ?? 0));
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else return null;
  }
  return groups;
}

/** Returns the IPv4 address of ::ffff:a.b.c.d, else null. */
function mappedIpv4(groups: number[]): number[] | null {
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return null;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255];
}

/** Formats as RFC 5952: lower case, the longest run of two or more zero groups as "::". */
function formatIpv6(groups: number[]): string {
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start += 1) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0) length += 1;
    if (length > best.length) best = { start, length };
  }
  const hex = groups.map((group) => group.toString(16));
  if (best.start === -1) return hex.join(':');
  return `${hex.slice(0, best.start).join(':')}::${hex.slice(best.start + best.length).join(':')}`;
}
