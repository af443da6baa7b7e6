/** Secrets known by their own look, whatever stands before them. */
export const REDACTED = '[redacted]';

interface Shape {
  prefix: string;
  /** Fewest characters after the prefix. */
  least: number;
}
/** Prefixes as their issuers document them. Each is followed by characters of `[A-Za-z0-9_.+/=-]` only. */
const SHAPES: readonly Shape[] = [
  ...prefixes('ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- gldt- glrt- glcbt- glptt- glft- glimt- glsoat- gloas-', 16),
  ...prefixes('glagent- glffct- GR1348941 glc_ glsa_ xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xapp- xoxe- xoxe.', 10),
  ...prefixes(
    'sk- sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_ whsec_ pypi- SG. hf_ gsk_ api_org_ xai- r8_',
    16,
  ),
  ...prefixes('AKIA ASIA ABIA ACCA A3T ABSK LTAI', 13),
  ...prefixes('AIza ya29. 1//0 GOCSPX-', 20),
  ...prefixes('npm_ dop_v1_ doo_v1_ dor_v1_ shpat_ shpss_ shpca_ shppa_ dckr_pat_ dckr_oat_ hvs. hvb. hvr. s.', 16),
  ...prefixes(
    'PMAK- NRAK- NRII- NRJS- NRSP- lin_api_ sntrys_ sntryu_ EAAC EAAA EAAM sq0atp- sq0csp- AGE-SECRET-KEY-',
    16,
  ),
  ...prefixes(
    'tskey- ops_ p8e- AKCp cmVmd dapi dp.pt. dp.st. duffel_ dt0c01. EZAK EZTK FLWSECK fo1_ fm1a_ fm1r_ fm2_',
    16,
  ),
  ...prefixes(
    'fio-u- HRKU- ico- lpv_ ntn_ secret_ pplx- pscale_ pnu_ pul- rdme_ rubygems_ tk-us- xkeysib- xsmtpsib-',
    16,
  ),
  ...prefixes(
    'sm_aat_ sm_pat_ sm_sat_ shippo_ sgp_ sha256~ v1.0- CLOJARS_ pat. sat. API- nfp_ vercel_ figd_ phx_ phc_',
    16,
  ),
  ...prefixes(
    'bkua_ CCIPAT_ CCIPRJ_ atlasv1. ATATT3 ATCTT3 ATBB key- re_ fw_ nvapi- sbp_ tvly- rnd_ cfut_ dn_ pk.eyJ',
    20,
  ),
  ...prefixes('plm_ eyJ ZXlK nk_ sl. ctp_ cio EAAG 2FA- whsec- zpat_ twilio_ mfa.', 24),
];

/** By their first two characters: a command line has hundreds of pieces, and each would be held against every prefix. */
const START = 2;
const SHAPES_BY_START = Map.groupBy(SHAPES, ({ prefix }) => prefix.slice(0, START));

function prefixes(list: string, least: number): Shape[] {
  return list.split(' ').map((prefix) => ({ prefix, least }));
}

const BODY = /[A-Za-z0-9_.+/=~-]/;
/** Text between these characters is judged as one piece; a shorter one is no token. */
const PIECES = /[^\s"'`,;&?@<>(){}|[\]\\=:]{16,}/g;

/** Replaces every piece that looks like an issued token. Linear: each character is visited a fixed number of times. */
export function redactShapes(text: string): string {
  if (text.length < 16) return text;
  const withoutWebhooks = redactPrivateKey(text)
    .replace(WEBHOOKS, `$1${REDACTED}`)
    .replace(HEARTBEATS, `$1${REDACTED}`);
  return redactTelegram(withoutWebhooks.replace(PIECES, redactPiece));
}

/** A path is judged part by part. */
function redactPiece(piece: string): string {
  if (looksIssued(piece)) return REDACTED;
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
    // A short prefix begins ordinary words too: sk-learn-something, re_builder_configuration.
    if (!/[\dA-Z]/.test(piece.slice(prefix.length))) return false;
    for (let index = prefix.length; index < piece.length; index += 1) {
      if (!BODY.test(piece.charAt(index))) return false;
    }
    return prefix !== 'eyJ' || piece.includes('.') || piece.length >= 40;
  });
}

/** Slack, Discord and Teams carry the secret in the path of the webhook; that of Teams has "@" in it. */
const WEBHOOKS =
  /(hooks\.slack\.com\/(?:services|workflows|triggers)\/|\/api\/webhooks\/|\/(?:webhookb2|incomingwebhook)\/)[^\s"'<>\\]+/gi;

/** Our own: whoever has the key of a heartbeat may call it. */
const HEARTBEATS = /(\/api\/heartbeats\/)[A-Za-z0-9_-]{43}/g;

/** A private key in PEM, up to its last line or the end of the text. */
export function redactPrivateKey(text: string): string {
  const begin = text.indexOf('PRIVATE KEY');
  if (begin === -1 || !text.includes('-----BEGIN')) return text;
  const end = text.lastIndexOf('-----END');
  const from = text.indexOf('-----', begin);
  return from === -1 ? text : text.slice(0, from + 5) + REDACTED + (end > from ? text.slice(end) : '');
}

/** 123456789:AA… : the bot token of Telegram spans a colon. */
function redactTelegram(text: string): string {
  return text.includes(':A') ? text.replace(/(?<!\d)\d{5,16}:A[\w-]{30,60}/g, REDACTED) : text;
}

/** True for a word that stands alone and can only be generated: at least 32 characters of every kind, and no path. */
export function looksRandom(word: string): boolean {
  if (word.length < 32 || word.length > 512 || !/^[A-Za-z0-9+_-]+=*$/.test(word)) return false;
  const count = (kind: RegExp): number => word.match(kind)?.length ?? 0;
  return (
    count(/\d/g) >= 4 && count(/[A-Z]/g) >= 4 && count(/[a-z]/g) >= 4 && count(/[-_]/g) <= 2 && new Set(word).size >= 16
  );
}

/** True when a value standing alone has the entropy of a generated key: long, mixed, no path. */
export function looksGenerated(value: string): boolean {
  if (value.length < 20 || value.length > 4096 || /[^A-Za-z0-9_+/=-]/.test(value)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(value)).length;
  return kinds >= 2 && /\d/.test(value) && !value.startsWith('/') && !value.includes('--');
}
