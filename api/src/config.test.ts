import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { ConfigError } from './settings/environment.ts';

const dir = mkdtempSync(join(tmpdir(), 'plimsoll-config-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(environment, false);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test('with nothing set it listens on loopback and uses the embedded database', () => {
  expect(loadConfig({}, false)).toMatchObject({
    host: '127.0.0.1',
    port: 8420,
    databaseUrl: null,
    databaseUser: null,
    runtimeDir: null,
    publicUrl: null,
    admin: null,
    github: null,
    planLimits: null,
    log: { level: 'info', format: 'json' },
  });
});

test('an empty value counts as not set', () => {
  expect(loadConfig({ DATABASE_URL: '', PLIMSOLL_PORT: ' ' }, false)).toMatchObject({ databaseUrl: null, port: 8420 });
});

test('messages go directly, or through the proxy that is set', () => {
  expect(loadConfig({}, false).messageProxy).toBeNull();
  const url = 'http://user:pass@proxy.example:3128';
  const proxied = (more = {}) => loadConfig({ PLIMSOLL_MESSAGE_PROXY_URL: url, ...more }, false).messageProxy;
  expect(proxied()).toEqual({ url, resolvesNames: false });
  expect(proxied({ PLIMSOLL_MESSAGE_PROXY_RESOLVES: 'yes' })).toEqual({ url, resolvesNames: true });
  const wrong = problemsOf({ PLIMSOLL_MESSAGE_PROXY_URL: 'socks5://user:hunter2@proxy.example' });
  expect(wrong).toEqual([expect.stringContaining('PLIMSOLL_MESSAGE_PROXY_URL is not a URL')]);
  expect(wrong.join()).not.toContain('hunter2');
});

test('the authority of the database needs its database, and a file that can be read', () => {
  const DATABASE_URL = 'postgresql://db.example.com/plimsoll';
  const ca = join(dir, 'ca.crt');
  writeFileSync(ca, 'PEM');
  expect(loadConfig({ DATABASE_URL, DATABASE_CA_FILE: ca }, false).databaseCaFile).toBe(ca);
  expect(problemsOf({ DATABASE_CA_FILE: ca })).toEqual([expect.stringContaining('without DATABASE_URL')]);
  expect(problemsOf({ DATABASE_URL, DATABASE_CA_FILE: join(dir, 'gone.crt') })).toEqual([
    expect.stringMatching(/^DATABASE_CA_FILE: cannot read .*gone\.crt: check path/),
  ]);
});

test('groups give roles where an issuer is set', () => {
  const OIDC = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' };
  expect(loadConfig({}, false).oidcGroups).toBeNull();
  expect(loadConfig({ ...OIDC, OIDC_ADMIN_GROUPS: 'ops, sre' }, false).oidcGroups).toEqual({
    claim: 'groups',
    admin: ['ops', 'sre'],
    editor: [],
    viewer: [],
  });
  expect(problemsOf({ OIDC_VIEWER_GROUPS: 'staff' })).toEqual([expect.stringContaining('without OIDC_ISSUER')]);
  expect(problemsOf({ ...OIDC, OIDC_GROUPS_CLAIM: 'roles' })).toEqual([
    expect.stringContaining('OIDC_GROUPS_CLAIM is set without groups'),
  ]);
});

test('a backup a day needs a folder that is there', () => {
  const PLIMSOLL_BACKUP_DIR = dir;
  expect(loadConfig({}, false).backupSchedule).toBeNull();
  expect(loadConfig({ PLIMSOLL_BACKUP_DIR }, false).backupSchedule).toEqual({
    folder: dir,
    minuteOfDay: 195,
    keep: 14,
  });
  const set = { PLIMSOLL_BACKUP_DIR, PLIMSOLL_BACKUP_TIME: '23:05', PLIMSOLL_BACKUP_KEEP: '3' };
  expect(loadConfig(set, false).backupSchedule).toEqual({ folder: dir, minuteOfDay: 1385, keep: 3 });
  expect(problemsOf({ PLIMSOLL_BACKUP_DIR: join(dir, 'gone') })).toEqual([
    expect.stringMatching(/^PLIMSOLL_BACKUP_DIR: .*gone is no folder: create it/),
  ]);
  expect(problemsOf({ PLIMSOLL_BACKUP_DIR, PLIMSOLL_BACKUP_TIME: '24:00', PLIMSOLL_BACKUP_KEEP: '0' })).toEqual([
    expect.stringContaining('PLIMSOLL_BACKUP_TIME is "24:00": write a time of day in UTC, like 03:15'),
    expect.stringContaining('PLIMSOLL_BACKUP_KEEP is "0": use a whole number from 1 to 9999'),
  ]);
  expect(problemsOf({ PLIMSOLL_BACKUP_KEEP: '3' })).toEqual([
    'PLIMSOLL_BACKUP_KEEP is set without PLIMSOLL_BACKUP_DIR: set both, or remove it',
  ]);
});

test('the address of PostgreSQL itself needs the database, and several hosts stand in one address', () => {
  const PLIMSOLL_LISTEN_URL = 'postgresql://one.example.com:5432,two.example.com:5433/plimsoll';
  const DATABASE_URL = 'postgresql://pooler.example.com/plimsoll';
  expect(loadConfig({ DATABASE_URL, PLIMSOLL_LISTEN_URL }, false).listenUrl).toBe(PLIMSOLL_LISTEN_URL);
  expect(problemsOf({ PLIMSOLL_LISTEN_URL })).toEqual([expect.stringContaining('without DATABASE_URL')]);
  expect(problemsOf({ DATABASE_URL: 'postgresql://one:x,two/plimsoll' })).toEqual([
    expect.stringContaining('DATABASE_URL is not a URL'),
  ]);
});

test('a time-series store needs two addresses, which agree about the tenant', () => {
  const PLIMSOLL_SERIES_WRITE_URL = 'http://store.example.com/insert/{tenant}/prometheus/api/v1/write';
  const PLIMSOLL_SERIES_READ_URL = 'http://store.example.com/select/{tenant}/prometheus';
  const both = { PLIMSOLL_SERIES_WRITE_URL, PLIMSOLL_SERIES_READ_URL };
  expect(loadConfig({}, false).seriesStore).toBeNull();
  expect(loadConfig({ ...both, PLIMSOLL_SERIES_TENANT_HEADER: 'X-Scope-OrgID' }, false).seriesStore).toEqual({
    writeUrl: PLIMSOLL_SERIES_WRITE_URL,
    readUrl: PLIMSOLL_SERIES_READ_URL,
    deleteUrl: null,
    tenantHeader: 'X-Scope-OrgID',
    token: null,
  });
  const problems = (settings: Record<string, string>) => problemsOf(settings).join('\n');
  expect(problems({ PLIMSOLL_SERIES_WRITE_URL })).toContain('are not both set');
  expect(problems({ PLIMSOLL_SERIES_TOKEN: 'secret' })).toContain('are not both set');
  expect(problems({ ...both, PLIMSOLL_SERIES_READ_URL: 'http://store.example.com' })).toContain('{tenant}');
  expect(problems({ ...both, PLIMSOLL_SERIES_READ_URL: 'http://user:secret@one/{tenant}' })).toContain('credentials');
  expect(problems({ ...both, PLIMSOLL_SERIES_TENANT_HEADER: 'a b' })).toContain('PLIMSOLL_SERIES_TENANT_HEADER');
});

test('metrics stay on the port of the dashboard unless they get one', () => {
  expect(loadConfig({}, false).metricsPort).toBeNull();
  expect(loadConfig({ PLIMSOLL_METRICS_PORT: '9464' }, false).metricsPort).toBe(9464);
  expect(problemsOf({ PLIMSOLL_METRICS_PORT: 'x' })).toEqual([expect.stringContaining('PLIMSOLL_METRICS_PORT')]);
});

test('a terminal gets readable logs', () => {
  expect(loadConfig({}, true).log.format).toBe('pretty');
  expect(loadConfig({ PLIMSOLL_LOG_FORMAT: 'json' }, true).log.format).toBe('json');
});

test('a secret may come from a file', () => {
  const file = join(dir, 'password');
  writeFileSync(file, 'correct horse battery\n');
  expect(loadConfig({ PLIMSOLL_ADMIN_EMAIL: 'a@b', PLIMSOLL_ADMIN_PASSWORD_FILE: file }, false).admin).toEqual({
    email: 'a@b',
    password: 'correct horse battery',
  });
});

test('every mistake is named at once, in the order of the documentation, with its remedy', () => {
  const empty = join(dir, 'empty');
  writeFileSync(empty, '');
  expect(
    problemsOf({
      PLIMSOLL_PORT: '99999',
      PLIMSOLL_REPORT_INTERVAL_SECONDS: '0',
      PLIMSOLL_LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://x',
      PLIMSOLL_PUBLIC_URL: 'dash.example.com',
      PLIMSOLL_ADMIN_EMAIL: 'root',
      PLIMSOLL_ADMIN_PASSWORD: 'short',
      GITHUB_CLIENT_ID: 'x',
      GOOGLE_CLIENT_SECRET_FILE: join(dir, 'absent'),
      OIDC_ISSUER: 'https://id.example.com',
      TELEGRAM_BOT_TOKEN: 'a',
      TELEGRAM_BOT_TOKEN_FILE: empty,
      PLIMSOLL_TRUSTED_PROXIES: '10.0.0.0/8, 10.0.0.0/33, proxy',
      PLIMSOLL_IMAGE_REGISTRY: 'https://registry.example.com',
      PLIMSOLL_SECRET_KEY: 'c2hvcnQ=',
    }),
  ).toEqual([
    'PLIMSOLL_PORT is "99999": use a whole number from 0 to 65535',
    'PLIMSOLL_PUBLIC_URL is not a URL: write it as https://… or http://…',
    'PLIMSOLL_TRUSTED_PROXIES: "10.0.0.0/33" is neither an address nor a CIDR range such as 10.0.0.0/8',
    'PLIMSOLL_TRUSTED_PROXIES: "proxy" is neither an address nor a CIDR range such as 10.0.0.0/8',
    'DATABASE_URL is not a URL: write it as postgresql://… or postgres://…',
    'PLIMSOLL_SECRET_KEY is not 32 bytes in base64: make one with: openssl rand -base64 32',
    'PLIMSOLL_ADMIN_EMAIL is not an e-mail address: write name@host',
    'PLIMSOLL_ADMIN_PASSWORD is too short: use at least 12 characters',
    'GITHUB_CLIENT_ID is set but GITHUB_CLIENT_SECRET is not: set both or neither',
    `GOOGLE_CLIENT_SECRET_FILE: cannot read ${join(dir, 'absent')} (ENOENT): check path and permissions`,
    'OIDC_ISSUER is set but OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are not: set all three',
    'TELEGRAM_BOT_TOKEN and TELEGRAM_BOT_TOKEN_FILE are both set: keep one',
    'PLIMSOLL_REPORT_INTERVAL_SECONDS is "0": use a whole number of seconds from 1 to 3600',
    'PLIMSOLL_IMAGE_REGISTRY is "https://registry.example.com": write it in lower case and without https://, like registry.example.com/team',
    'PLIMSOLL_LOG_LEVEL is "loud": use one of trace, debug, info, warn, error, fatal, silent',
  ]);
});

test('no problem text holds a secret', () => {
  const problems = problemsOf({ DATABASE_URL: 'mysql://u:hunter2@h', PLIMSOLL_ADMIN_PASSWORD: 'hunter2' });
  expect(problems.join()).not.toContain('hunter2');
  expect(problems).toHaveLength(2);
});

test('the images of Setup come from the registry that is set, without the slash at its end', () => {
  const images = (environment: Record<string, string>) => loadConfig(environment, false).images;
  expect(images({ PLIMSOLL_IMAGE_REGISTRY: 'registry.example.com:5000/team/', PLIMSOLL_IMAGE_TAG: '1.10' })).toEqual({
    registry: 'registry.example.com:5000/team',
    tag: '1.10',
  });
  expect(images({})).toEqual({ registry: null, tag: null });
});
