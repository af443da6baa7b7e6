import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Every file of the API and the collectors that opens a connection, with where it leads. No other file may. */
const CONNECTIONS: Readonly<Record<string, string>> = {
  'api/contract/probes/connect.ts': 'target of a check that a member wrote, from an address that the place may reach',
  'api/contract/probes/socket-probes.ts': 'the resolver of the machine, for a check of DNS records',
  'api/src/egress.ts': 'the one helper of the API; its callers are below',
  'api/src/egress-proxy.ts': 'PLIMSOLL_MESSAGE_PROXY_URL, for that helper',
  'api/src/accounts/avatar.ts': 'picture of a person who signed in through a provider that the operator configured',
  'api/src/accounts/bounded-fetch.ts':
    'GitHub, Google or another provider, if GITHUB_CLIENT_ID, GOOGLE_CLIENT_ID or OIDC_ISSUER is set',
  'api/src/accounts/oidc.ts': 'Google or another provider, if GOOGLE_CLIENT_ID or OIDC_ISSUER is set',
  'api/src/ai/change-settings.ts': 'looks up the model address that an admin wrote',
  'api/src/ai/create-model.ts': 'the model that the operator or an admin configured',
  'api/src/ai/provider.ts': 'the model that the operator or an admin configured',
  'api/src/database/embedded/supervisor.ts': 'the embedded PostgreSQL, on a private socket',
  'api/src/database/open-client.ts': 'PostgreSQL of DATABASE_URL, or the embedded one',
  'api/src/database/pool-client.ts': 'PostgreSQL of DATABASE_URL, or the embedded one',
  'api/src/database/transaction.ts': 'PostgreSQL of DATABASE_URL, or the embedded one',
  'api/src/notify/channels/email.ts': 'mail server of a channel',
  'api/src/notify/channels/http.ts': 'address of a channel',
  'api/src/notify/heartbeat.ts': 'PLIMSOLL_HEARTBEAT_URL',
  'api/src/notify/refuse-private.ts': 'looks up the address of a channel',
  'api/src/series/remote/series-store.ts':
    'PLIMSOLL_SERIES_WRITE_URL, PLIMSOLL_SERIES_READ_URL, PLIMSOLL_SERIES_DELETE_URL',
  'collector/src/host-agent.ts': 'the dashboard that the machine is enrolled at',
  'collector/src/runtime/unix-http.ts': 'the socket of the container runtime, if container_socket is set',
  'collector/src/kubernetes/main.ts': 'the dashboard that the cluster is enrolled at',
  'collector/src/kubernetes/watch/connection.ts': 'the API server of Kubernetes, kubelet and Prometheus of the cluster',
};

/** Hosts that the source names: each is used only after somebody chose it. */
const HOSTS: Readonly<Record<string, string>> = {
  '169.254.169.254':
    'the metadata service of the cloud that the machine runs in, for its region: link-local, in no network',
  'accounts.google.com': 'sign-in, if GOOGLE_CLIENT_ID is set',
  'api.anthropic.com': 'the model, if somebody chose Anthropic',
  'api.github.com': 'sign-in, if GITHUB_CLIENT_ID is set',
  'api.openai.com': 'the model, if somebody chose OpenAI',
  'api.telegram.org': 'a channel of the kind Telegram',
  'events.eu.pagerduty.com': 'a channel of the kind PagerDuty',
  'events.pagerduty.com': 'a channel of the kind PagerDuty',
  'github.com': 'sign-in, if GITHUB_CLIENT_ID is set',
  'ntfy.sh': 'a channel of the kind ntfy',
};
/** Names inside of a document or a process: nothing connects to them. */
const NO_DESTINATION: ReadonlySet<string> = new Set(['adaptivecards.io', 'in.process', 'www.w3.org']);

const MODULES =
  /^import (?!type )(.*) from '(?:node:(?:https?|http2|net|tls|dgram|dns)(?:\/promises)?|pg|undici|ws|nodemailer[\w/.-]*|openid-client)'/;
const EGRESS = /^import (?!type )(.*) from '[./]*egress\.ts'/;
/** Names of these modules that open no connection. */
const HARMLESS =
  /^(?:type \w+|isIPv?[46]?|BlockList|checkServerIdentity|EgressError|PrivateAddressError|createServer|Client as \w+)$/;
const GLOBALS = /(?:^|[^.\w])(?:fetch|WebSocket|EventSource)\(|import\('(?:nodemailer|undici|ws|openid-client)/;

const names = (clause: string): string[] =>
  clause
    .replaceAll(/[{}]/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !HARMLESS.test(name));

const opens = (text: string): boolean =>
  text.split('\n').some((line) => {
    const clause = (MODULES.exec(line) ?? EGRESS.exec(line))?.[1];
    if (clause !== undefined) return names(clause).length > 0;
    return !/^\s*(?:\*|\/\/)/.test(line) && GLOBALS.test(line);
  });

const sources = globSync(['api/contract/{probes,rules,wire}/**/*.ts', 'api/src/**/*.ts', 'collector/src/**/*.ts'], {
  cwd: root,
}).filter((file) => !/\.test\.ts$|\/testing\/|\/generated\/|node_modules/.test(file));
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

test('these files open connections, and no others', () => {
  expect(sources.filter((file) => opens(textOf(file))).toSorted()).toEqual(Object.keys(CONNECTIONS).toSorted());
});

test('the source names no other host that a program could send to', () => {
  const found = new Set<string>();
  for (const file of sources)
    for (const line of textOf(file).split('\n')) {
      if (/^\s*(?:\*|\/\/|\/\*\*)/.test(line)) continue;
      for (const [, host = ''] of line.matchAll(/https?:\/\/([\w-]+(?:\.[\w-]+)+)/g))
        if (
          !/^127\.|(?:^|\.)(?:example|localhost|internal|local|svc)(?:\.\w+)?$/.test(host) &&
          !NO_DESTINATION.has(host)
        )
          found.add(host);
    }
  expect([...found].toSorted()).toEqual(Object.keys(HOSTS).toSorted());
});

test.each([
  "import { request } from 'node:https';",
  "import { connect, isIP } from 'node:net';",
  "import { egressRequest, EgressError } from '../egress.ts';",
  "  const answer = await fetch('https://example.org');",
  '  new WebSocket(url);',
])('finds %j', (line) => {
  expect(opens(line)).toBe(true);
});

test.each([
  "import type { IncomingMessage } from 'node:http';",
  "import { isIPv6, type AddressInfo, type Socket } from 'node:net';",
  "import { EgressError } from '../egress.ts';",
  '// fetch(url) is not called here',
])('leaves %j', (line) => {
  expect(opens(line)).toBe(false);
});
