/** Secrets known by their own look, whatever stands before them. */
export const REDACTED = '[redacted]';

interface Shape {
  prefix: string;
  /** Fewest characters after the prefix. */
  least: number;
}
/** Prefixes as their issuers document them. Each is followed by characters of `[A-Za-z0-9_.+/=-]` only. */
const SHAPES: readonly Shape[] = [
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_', 'glpat-', 'gldt-', 'glrt-'].map(shape(16)),
  ...['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xapp-', 'xoxe-'].map(shape(10)),
  ...['sk-', 'sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_', 'pypi-', 'SG.', 'hf_', 'gsk_'].map(shape(16)),
  ...['AKIA', 'ASIA', 'ABIA'].map(shape(16)),
  ...['AIza', 'ya29.', '1//0', 'GOCSPX-'].map(shape(20)),
  ...['npm_', 'dop_v1_', 'doo_v1_', 'shpat_', 'shpss_', 'shpca_', 'dckr_pat_', 'hvs.', 'hvb.', 'hvr.'].map(shape(16)),
  ...['PMAK-', 'NRAK-', 'glsa_', 'lin_api_', 'sntrys_', 'EAAC', 'sq0atp-', 'AGE-SECRET-KEY-', 'tskey-'].map(shape(16)),
  ...['plm_', 'eyJ'].map(shape(20)),
];

/** By their first two characters: a command line has hundreds of pieces, and each would be held against every prefix. */
const START = 2;
const SHAPES_BY_START = Map.groupBy(SHAPES, ({ prefix }) => prefix.slice(0, START));

function shape(least: number): (prefix: string) => Shape {
  return (prefix) => ({ prefix, least });
}

const BODY = /[A-Za-z0-9_.+/=~-]/;
/** Text between these characters is judged as one piece. */
const PIECES = /[^\s"'`,;&?@<>(){}|[\]\\=:]+|[\s"'`,;&?@<>(){}|[\]\\=:]+/g;

/** Replaces every piece that looks like an issued token. Linear: each character is visited a fixed number of times. */
export function redactShapes(text: string): string {
  if (text.length < 16) return text;
  return redactTelegram(text.replace(PIECES, redactPiece));
}

/** A path is judged part by part, once the webhooks among them are known not to be in it. */
function redactPiece(piece: string): string {
  if (looksIssued(piece)) return REDACTED;
  const webhook = redactWebhook(piece);
  if (webhook !== piece || !piece.includes('/')) return webhook;
  return piece
    .split('/')
    .map((part) => (looksIssued(part) ? REDACTED : part))
    .join('/');
}

/** True for one piece of text that by its look can only be a secret. */
export function looksIssued(piece: string): boolean {
  if (piece.length < 16) return false;
  const shapes = SHAPES_BY_START.get(piece.slice(0, START)) ?? [];
  return shapes.some(({ prefix, least }) => {
    if (!piece.startsWith(prefix) || piece.length < prefix.length + least) return false;
    for (let index = prefix.length; index < piece.length; index += 1) {
      if (!BODY.test(piece.charAt(index))) return false;
    }
    return prefix !== 'eyJ' || piece.includes('.');
  });
}

/** Slack and Discord carry the secret in the path of the webhook. */
function redactWebhook(piece: string): string {
  for (const marker of ['hooks.slack.com/services/', '/api/webhooks/', '/webhookb2/']) {
    const at = piece.indexOf(marker);
    if (at !== -1) return piece.slice(0, at + marker.length) + REDACTED;
  }
  return piece;
}

/** 123456789:AA… : the bot token of Telegram spans a colon. */
function redactTelegram(text: string): string {
  return text.includes(':AA') ? text.replace(/\b\d{8,12}:AA[A-Za-z0-9_-]{30,60}/g, REDACTED) : text;
}

/** True when a value standing alone has the entropy of a generated key: long, mixed, no path. */
export function looksGenerated(value: string): boolean {
  if (value.length < 20 || value.length > 4096 || /[^A-Za-z0-9_+/=-]/.test(value)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(value)).length;
  return kinds >= 2 && /\d/.test(value) && !value.startsWith('/') && !value.includes('--');
}
