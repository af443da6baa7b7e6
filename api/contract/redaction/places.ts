import { isChecksum, isGenerated, levelOf } from './guess.ts';
import { surpriseOf } from './likelihood.ts';
import { REDACTED } from './shapes.ts';

/** Words of a path or a host's name after which a part of the path is the access: /hooks/X, /invite/X, hc-ping.com/X. */
const ACCESS =
  /(?:^|[-_.])(?:web-?hooks?|webhookb2|incomingwebhook|hooks?|catch|invit(?:e|ation)|confirm|verify|activate|unsubscribe|reset|share|priv|private|live\d?|push|send|ping|heartbeats?|trigger|licen[cs]ed?|dl|download|join|magic|signed|export|access|password|token|key|auth|secret|bot|pass|s|code|api-?key|feed|ingest)(?:$|[-_.])/i;
/** Things that hashes and numbers identify: paths show them everywhere. */
const IDENTIFYING =
  /^(?:commits?|blobs?|tree|raw|archive|objects?|sha\d*|manifests|containers|sandboxes|images?|layers|overlay2|pods|volumes|users?|orders?|by-uuid|by-id|store|builds?|runs?|jobs?|trace|traces|packages|snapshots|refs|tags?|order|cert|acct|bin|issues|pull|deps|fingerprint|dist)$/i;

/** Ten characters and more of all three kinds, without a separator. */
const MIXED = /^(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=\D*\d)[A-Za-z0-9]{10,64}$/;

/** Hides the parts of a URL's or a file's path that are the access to it. Linear: each part is judged once. */
export function redactPlaces(word: string, isSecretive: boolean): string {
  if (!word.includes('/') || isChecksum(word)) return word;
  const scheme = word.indexOf('://');
  const isUrl = scheme !== -1;
  const end = endOfPath(word, isUrl ? scheme + 3 : 0);
  const parts = word.slice(0, end).split('/');
  let opens = isSecretive && !isUrl;
  const first = isUrl ? word.slice(0, scheme).split('/').length + 1 : 0;
  const shown = parts.map((part, index) => {
    if (isUrl && index < first) return part;
    if (isUrl && index === first) {
      opens = ACCESS.test(part);
      return part;
    }
    const before = parts[index - 1] ?? '';
    if (part !== '' && isAccess(part, before, opens, isUrl, index - first)) return REDACTED;
    opens ||= ACCESS.test(part) && index > 0;
    if (IDENTIFYING.test(part)) opens = false;
    return part;
  });
  return shown.join('/') + word.slice(end);
}

/** The query has rules of its own. */
function endOfPath(word: string, from: number): number {
  const stop = word.slice(from).search(/[?#"'\s,;<>(){}|]/);
  return stop === -1 ? word.length : from + stop;
}

function isAccess(part: string, before: string, opens: boolean, isUrl: boolean, place: number): boolean {
  if (part.length < 6 || part.includes('[redacted]') || IDENTIFYING.test(before)) return false;
  if (isGenerated(part) && (isUrl || !/[.=:]/.test(part))) return true;
  if (isUrl && MIXED.test(part) && surpriseOf(part) >= 8) return true;
  // A version is followed by the name of a thing as a rule: /v3/0f1e… has an access instead.
  if (isUrl && /^v\d{1,2}$/.test(before) && /^[0-9a-f]{32,}$/.test(part)) return true;
  if (isUrl && place === 1 && /^[0-9a-f]{32,}$/.test(part)) return true;
  const dash = part.indexOf('-');
  if (dash > 2 && ACCESS.test(part.slice(0, dash)) && levelOf(part.slice(dash + 1)) >= 2) return true;
  if (!opens || /\.[a-z]{2,5}\d?$/.test(part)) return false;
  if (/^[A-Za-z0-9]{6,13}$/.test(part) && /\d/.test(part) && /[A-Za-z]/.test(part) && surpriseOf(part) > 6) return true;
  return levelOf(part) >= 2 || /^[a-z0-9]{4}(?:-[a-z0-9]{4}){2,}$/.test(part);
}
