import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { allRoutes } from '../app.ts';
import { issueEnrolmentToken } from '../servers/enrol.ts';
import { SecretBox, SEALING_KEY_BYTES } from '../accounts/secret-encryption.ts';
import { newToken, hashToken } from '../accounts/tokens.ts';
import { ownerOf } from '../tenancy/owner.ts';
import { holdsRole, type Role } from '../tenancy/role.ts';
import type { TokenScope } from '../accounts/types.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { roleNeeded, scopeNeeded } from './define-route.ts';
import { createLogger } from '../telemetry/logger.ts';
import { loadConfig } from '../config.ts';
import { createDeps } from '../deps.ts';
import type { Storage } from '../storage.ts';
import {
  machineHash,
  reportsBody,
  STREAM_ID,
  testApp,
  TEST_PASSWORD,
  type TestAgent,
  type TestApp,
  type TestUser,
} from '../testing/app.ts';
import { envelope, listing, nodeObject, podObject, testCluster } from '../testing/kubernetes.ts';
import { newChannel, openAlert } from '../testing/notify.ts';
import { openPage } from '../testing/status-page.ts';
import { testStorage } from '../testing/postgres.ts';

/** Callers. Every call is tried as each of them. */
const ACTORS = [
  'owner',
  'editor',
  'viewer',
  'read token',
  'write token',
  'metrics token',
  'changes token',
  'other user',
  'anonymous',
  'agent token',
  'cluster token',
  'enrolment token',
  'revoked',
  'expired',
] as const;
type ActorName = (typeof ACTORS)[number];

/** API tokens of the owner, by the scopes that suffice for a call. */
const SCOPED: Partial<Record<ActorName, readonly string[]>> = {
  'read token': ['read'],
  'write token': ['write', 'metrics', 'changes'],
  'metrics token': ['metrics'],
  'changes token': ['changes'],
};

interface World {
  app: TestApp;
  owner: TestUser;
  agent: TestAgent;
  tokens: Record<ActorName, string | null>;
  clusterTokenId: string;
  enrolmentTokenId: string;
  sessionId: string;
  apiTokenId: string;
  channelId: string;
  ruleId: string;
  alertId: string;
  incidentId: string;
  silenceId: string;
  operationId: string;
  conversationId: string;
  statusPageId: string;
  statusPageSlug: string;
  checkId: string;
  maintenanceId: string;
  heartbeatKey: string;
  statusIncidentId: string;
  statusUpdateId: string;
  memberId: string;
  invitationId: string;
  /** Unused enrolment token for the body of /enrol. */
  enrolment: string;
}

interface Example {
  path?: string;
  body?: (world: World) => unknown;
  /** Names an object of the owner: another user must get what an unknown id gets. */
  owned?: true;
  /** Names a row of the owner's own account: another member of the organisation gets what an unknown id gets. */
  personal?: true;
  /** Status for whom the call is meant. */
  expected?: number;
  /** Statuses that the state of the caller decides, not the role. */
  expectedOf?: Partial<Record<ActorName, number>>;
  /** Gone after the first call that is allowed. */
  deletes?: true;
}

const id = ({ agent }: World): string => agent.serverId;
const CLUSTER = 'uid-of-kube-system';
const READER = { name: 'lease', state: 'forbidden', detail: null, since: 0, needs: null };
/** Leads to a private address: the test message is refused before it leaves. */
const WEBHOOK = { type: 'webhook', name: 'hook', settings: { url: 'http://127.0.0.1:9/hook' } };
const serverRule = (serverId: string) => ({
  metric: 'cpu_usage',
  target: 'server',
  server_id: serverId,
  lines: [{ level: 'warning', threshold: 70 }],
});
const HIDDEN = { kind: 'filesystem', subject: '/' };
const tcpCheck = (serverId: string) => ({
  name: 'db',
  probe: { kind: 'tcp', host: 'db.example', port: 5432 },
  server_id: serverId,
});
const nightly = (serverId: string) => ({
  name: 'night',
  schedule: { kind: 'weekly', weekdays: [7], time: '02:00' },
  zone: 'UTC',
  duration_seconds: 7200,
  server_ids: [serverId],
});
const statusPage = (serverId: string) => ({ title: 'Shop', servers: [{ server_id: serverId }] });
const statusIncident = (serverId: string) => ({ title: 'Slow orders', impact: 'over_line', server_ids: [serverId] });
/** An example request of each route. A route without an entry here fails the suite. */
const EXAMPLES: Record<string, Example> = {
  'GET /healthz': {},
  'GET /readyz': {},
  'GET /metrics': {},
  'GET /openapi.json': {},
  'GET /api/docs': {},
  'GET /install.sh': {},
  'GET /charts/plimsoll.tgz': { expected: 404 },
  'GET /agent/:version/:file': { path: '/agent/0.0.0/linux-x64', expected: 404 },
  'GET /api/health': {},
  'GET /api/health/installation': {},
  'GET /api/plans': {},
  'GET /api/auth/methods': {},
  'POST /api/auth/local': { body: ({ owner }) => ({ email: owner.email, password: TEST_PASSWORD }) },
  'POST /api/auth/exchange': { body: () => ({ code: newToken('code') }), expected: 401 },
  'GET /api/team': {},
  'PUT /api/team': { body: () => ({ name: 'Harbour' }) },
  'PUT /api/team/members/:id': { path: '/api/team/members/MEMBER', body: () => ({ role: 'viewer' }), owned: true },
  'DELETE /api/team/members/:id': { path: '/api/team/members/MEMBER', owned: true, deletes: true },
  'GET /api/team/members/:id/access': { path: '/api/team/members/MEMBER/access', owned: true },
  'POST /api/team/members/:id/access/end': {
    path: '/api/team/members/MEMBER/access/end',
    body: () => ({}),
    owned: true,
  },
  // Whoever founded an organisation stays in it.
  'POST /api/team/leave': { expectedOf: { owner: 409, 'other user': 409 }, deletes: true },
  'POST /api/team/invitations': { body: () => ({ role: 'viewer' }) },
  'DELETE /api/team/invitations/:id': { path: '/api/team/invitations/INVITATION', owned: true, deletes: true },
  'POST /api/team/invitations/look': { body: () => ({ code: newToken('invite') }), expected: 410 },
  'POST /api/team/join': { body: () => ({ code: newToken('invite') }), expected: 410 },
  'POST /api/team/sign-up': {
    body: () => ({ code: newToken('invite'), email: 'new@example.com', password: TEST_PASSWORD }),
    expected: 410,
  },
  'POST /api/team/sign-in': { body: () => ({ code: newToken('invite'), provider: 'oidc' }), expected: 410 },
  'PUT /api/auth/password': {
    body: () => ({ current_password: 'not the right one', new_password: TEST_PASSWORD }),
    expected: 400,
  },
  'GET /api/auth/github': { expected: 409 },
  'GET /api/auth/google': { expected: 409 },
  'GET /api/auth/oidc': { expected: 409 },
  'GET /api/auth/github/callback': { expected: 302 },
  'GET /api/auth/google/callback': { expected: 302 },
  'GET /api/auth/oidc/callback': { expected: 302 },
  'GET /api/auth/profile': {},
  'GET /api/auth/token': {},
  'POST /api/auth/refresh': {},
  'POST /api/auth/logout': { body: () => ({}) },
  'GET /api/auth/sessions': {},
  'DELETE /api/auth/sessions/:id': { path: '/api/auth/sessions/SESSION', owned: true, personal: true },
  'GET /api/auth/totp': {},
  'POST /api/auth/totp/begin': {},
  'POST /api/auth/totp/confirm': { body: () => ({ code: '000000' }), expected: 401 },
  'DELETE /api/auth/totp': { body: () => ({ code: '000000' }), expected: 401 },
  'POST /api/user/generate-auth-token': {},
  'GET /api/user/api-tokens': {},
  'DELETE /api/user/api-tokens/:id': { path: '/api/user/api-tokens/PERMANENT', owned: true },
  'GET /api/user/retention-settings': {},
  'PUT /api/user/retention-settings': {
    body: () => ({ metrics_days: 7, alerts_days: 7, events_days: 7, processes_days: 7 }),
  },
  'POST /api/user/retention-settings/reset': {},
  'GET /api/user/audit-log': {},
  'GET /api/user/avatar': { expected: 404 },
  'GET /api/user/export': {},
  'DELETE /api/user/account': { body: () => ({ email: 'not@mine.example' }), expected: 400 },
  'GET /api/user/account/deletion': {},
  'DELETE /api/user/account/deletion': {},
  'GET /api/ai/health': {},
  'POST /api/ai/chat': { body: () => ({ question: 'Are there any active alerts?' }) },
  'POST /api/ai/simple-chat': { body: () => ({ question: 'Are there any active alerts?' }) },
  'GET /api/ai/settings': {},
  'PUT /api/ai/settings': {
    body: () => ({ provider: 'anthropic', base_url: 'https://model.example/v1', model: 'm', api_key: 'key-of-mine' }),
  },
  'DELETE /api/ai/settings': { expected: 404 },
  'POST /api/ai/settings/test': {},
  'GET /api/ai/conversations': {},
  'GET /api/ai/conversations/:id': { path: '/api/ai/conversations/TALK', owned: true, personal: true },
  'GET /api/ai/conversations/:id/export': { path: '/api/ai/conversations/TALK/export', owned: true, personal: true },
  'PUT /api/ai/conversations/:id': {
    path: '/api/ai/conversations/TALK',
    body: () => ({ title: 'mine' }),
    owned: true,
    personal: true,
  },
  'DELETE /api/ai/conversations/:id': {
    path: '/api/ai/conversations/TALK',
    owned: true,
    personal: true,
    deletes: true,
  },
  // Without the Accept header of the protocol; the protocol itself has tests of its own.
  'POST /mcp': { body: () => ({ jsonrpc: '2.0', id: 1, method: 'ping' }), expected: 406 },
  'GET /mcp': { expected: 405 },
  'DELETE /mcp': { expected: 405 },
  'GET /api/servers/list': {},
  'PUT /api/servers/:id': { path: '/api/servers/ID', body: () => ({ display_name: 'x' }), owned: true },
  'GET /api/servers/:id/hidden': { path: '/api/servers/ID/hidden', owned: true },
  'PUT /api/servers/:id/hidden': {
    path: '/api/servers/ID/hidden',
    body: () => ({ kind: 'sensor', subject: 'x' }),
    owned: true,
  },
  'DELETE /api/servers/:id/hidden': { path: '/api/servers/ID/hidden', body: () => HIDDEN, owned: true, deletes: true },
  'DELETE /api/servers/delete': { body: (w) => ({ server_id: id(w) }), owned: true, deletes: true },
  'GET /api/servers/:id': { path: '/api/servers/ID', owned: true },
  'GET /api/containers': { path: '/api/containers?server_id=ID' },
  'GET /api/containers/groups': {},
  'GET /api/changes': { path: '/api/changes?server_id=ID', owned: true },
  'GET /api/lines': { path: '/api/lines?server_id=ID', owned: true },
  'GET /api/changes/before': { path: '/api/changes/before?server_id=ID&until=1000000000', owned: true },
  'GET /api/changes/states': { path: '/api/changes/states?cluster_id=CLUSTER' },
  'POST /api/changes': { body: (w) => ({ title: 'checkout 1.9.2', server_id: id(w) }), owned: true },
  'GET /api/maintenance': {},
  'POST /api/maintenance': { body: (w) => nightly(id(w)), owned: true },
  'PUT /api/maintenance/:id': { path: '/api/maintenance/NIGHTLY', body: (w) => nightly(id(w)), owned: true },
  'DELETE /api/maintenance/:id': { path: '/api/maintenance/NIGHTLY', owned: true, deletes: true },
  'GET /api/checks': {},
  'POST /api/checks': { body: (w) => tcpCheck(id(w)), owned: true },
  // A private address: nothing is connected to.
  'POST /api/checks/preview': { body: () => ({ probe: { kind: 'tcp', host: '127.0.0.1', port: 9 } }) },
  'GET /api/checks/:id': { path: '/api/checks/PROBED', owned: true },
  'GET /api/checks/:id/series': { path: '/api/checks/PROBED/series', owned: true },
  'PUT /api/checks/:id': { path: '/api/checks/PROBED', body: (w) => tcpCheck(id(w)), owned: true },
  'DELETE /api/checks/:id': { path: '/api/checks/PROBED', owned: true, deletes: true },
  'GET /api/heartbeats/:key': { path: '/api/heartbeats/BEAT' },
  'POST /api/heartbeats/:key': { path: '/api/heartbeats/BEAT' },
  'GET /api/heartbeats/:key/:ending': { path: '/api/heartbeats/BEAT/start' },
  'POST /api/heartbeats/:key/:ending': { path: '/api/heartbeats/BEAT/0' },
  'GET /api/agent/v1/config': {},
  'GET /api/metrics': {},
  'GET /api/data/metrics': { path: '/api/data/metrics?server_id=ID', owned: true },
  'GET /api/data/metrics/timeseries': { path: '/api/data/metrics/timeseries?server_id=ID', owned: true },
  'GET /api/data/metrics/sparks': { path: '/api/data/metrics/sparks?server_ids=ID' },
  'GET /api/data/metrics/compare': { path: '/api/data/metrics/compare?server_ids=ID&figure=cpu' },
  'GET /api/data/network/timeseries': { path: '/api/data/network/timeseries?server_id=ID', owned: true },
  'GET /api/data/network/metrics': { path: '/api/data/network/metrics?server_id=ID', owned: true },
  'GET /api/data/network/connections': { path: '/api/data/network/connections?server_id=ID', owned: true },
  'GET /api/data/notifications': { path: '/api/data/notifications?server_id=ID', owned: true },
  'GET /api/notify/channels': {},
  'POST /api/notify/channels': { body: () => WEBHOOK },
  'PUT /api/notify/channels/:id': { path: '/api/notify/channels/CHANNEL', body: () => WEBHOOK, owned: true },
  'DELETE /api/notify/channels/:id': { path: '/api/notify/channels/CHANNEL', owned: true, deletes: true },
  'POST /api/notify/channels/:id/test': { path: '/api/notify/channels/CHANNEL/test', owned: true },
  'GET /api/notify/settings': {},
  'PUT /api/notify/settings': { body: () => ({ quote_log_lines: false }) },
  'GET /api/notify/deliveries': { path: '/api/notify/deliveries?channel_id=CHANNEL', owned: true },
  'GET /api/alerts/rules': {},
  'POST /api/alerts/rules': { body: (w) => serverRule(id(w)), owned: true },
  'POST /api/alerts/rules/rehearse': { body: (w) => serverRule(id(w)), owned: true },
  'GET /api/alerts/rules/export': {},
  'POST /api/alerts/rules/import': { body: () => ({ yaml: 'groups: []', dry_run: true }) },
  'PUT /api/alerts/rules/:id': { path: '/api/alerts/rules/RULE', body: (w) => serverRule(id(w)), owned: true },
  'DELETE /api/alerts/rules/:id': { path: '/api/alerts/rules/RULE', owned: true, deletes: true },
  'GET /api/incidents': {},
  'GET /api/incidents/:id': { path: '/api/incidents/CAUSE', owned: true },
  'GET /api/incidents/:id/cause': { path: '/api/incidents/CAUSE/cause', owned: true },
  'GET /api/incidents/:id/evidence': { path: '/api/incidents/CAUSE/evidence', owned: true },
  'GET /api/alerts/silences': {},
  'POST /api/alerts/silences': { body: (w) => ({ server_id: id(w), duration_seconds: 60 }), owned: true },
  'PUT /api/alerts/silences/:id': {
    path: '/api/alerts/silences/QUIET',
    body: () => ({ metric: 'cpu_usage', duration_seconds: 60 }),
    owned: true,
  },
  'DELETE /api/alerts/silences/:id': { path: '/api/alerts/silences/QUIET', owned: true, deletes: true },
  'POST /api/alerts/:id/acknowledge': { path: '/api/alerts/ALERT/acknowledge', body: () => ({}), owned: true },
  'POST /api/alerts/:id/unacknowledge': { path: '/api/alerts/ALERT/unacknowledge', owned: true },
  'GET /api/alerts/:id': { path: '/api/alerts/ALERT', owned: true },
  'GET /api/alerts/:id/cause': { path: '/api/alerts/ALERT/cause', owned: true },
  'POST /api/alerts/bulk': {
    body: ({ operationId }) => ({ action: 'undo', operation_id: operationId }),
    owned: true,
    deletes: true,
  },
  'GET /api/status-pages': {},
  'POST /api/status-pages': { body: (w) => statusPage(id(w)), owned: true },
  'PUT /api/status-pages/:id': {
    path: '/api/status-pages/PUBLISHED',
    body: (w) => statusPage(id(w)),
    owned: true,
  },
  'DELETE /api/status-pages/:id': { path: '/api/status-pages/PUBLISHED', owned: true, deletes: true },
  'GET /api/status-pages/:id/incidents': { path: '/api/status-pages/PUBLISHED/incidents', owned: true },
  'POST /api/status-pages/:id/incidents': {
    path: '/api/status-pages/PUBLISHED/incidents',
    body: (w) => ({ ...statusIncident(id(w)), text: 'We look into it' }),
    owned: true,
  },
  'PUT /api/status-pages/:id/incidents/:incident_id': {
    path: '/api/status-pages/PUBLISHED/incidents/TOLD',
    body: (w) => ({ ...statusIncident(id(w)), started_at: 0 }),
    owned: true,
  },
  'DELETE /api/status-pages/:id/incidents/:incident_id': {
    path: '/api/status-pages/PUBLISHED/incidents/TOLD',
    owned: true,
    deletes: true,
  },
  'POST /api/status-pages/:id/incidents/:incident_id/updates': {
    path: '/api/status-pages/PUBLISHED/incidents/TOLD/updates',
    body: () => ({ state: 'resolved', text: 'It works' }),
    owned: true,
  },
  'PUT /api/status-pages/:id/incidents/:incident_id/updates/:update_id': {
    path: '/api/status-pages/PUBLISHED/incidents/TOLD/updates/WORDS',
    body: () => ({ text: 'It works' }),
    owned: true,
  },
  'GET /status/:slug': { path: '/status/SLUG' },
  'GET /status/:slug/feed.atom': { path: '/status/SLUG/feed.atom' },
  'GET /api/public/status-pages/:slug': { path: '/api/public/status-pages/SLUG' },
  'GET /api/data/activity/timeline': { path: '/api/data/activity/timeline?server_id=ID', owned: true },
  'GET /api/data/activity': { path: '/api/data/activity?server_id=ID', owned: true },
  'GET /api/data/processes': { path: '/api/data/processes?server_id=ID', owned: true },
  'GET /api/data/processes/history': { path: '/api/data/processes/history?server_id=ID&command=init', owned: true },
  'GET /api/data/processes/fleet-at': { path: '/api/data/processes/fleet-at?at=1769853600' },
  'GET /api/data/processes/at': { path: '/api/data/processes/at?server_id=ID&at=1769853600', owned: true },
  'POST /api/user/enrolment-tokens': {},
  'GET /api/user/enrolment-tokens': {},
  'DELETE /api/user/enrolment-tokens/:id': { path: '/api/user/enrolment-tokens/INSTALL', owned: true, deletes: true },
  'GET /api/events': {},
  'GET /api/kubernetes/clusters': {},
  'GET /api/kubernetes/cluster/overview': { path: '/api/kubernetes/cluster/overview?cluster_id=CLUSTER', owned: true },
  'GET /api/kubernetes/events': { path: '/api/kubernetes/events?cluster_id=CLUSTER', owned: true },
  'GET /api/kubernetes/permissions': { path: '/api/kubernetes/permissions?cluster_id=CLUSTER', owned: true },
  'GET /api/kubernetes/nodes/recent': { path: '/api/kubernetes/nodes/recent?cluster_id=CLUSTER', owned: true },
  'GET /api/kubernetes/nodes': { path: '/api/kubernetes/nodes?cluster_id=CLUSTER', owned: true },
  'GET /api/kubernetes/nodes/:node': { path: '/api/kubernetes/nodes/node-1', owned: true },
  'GET /api/kubernetes/nodes/:node/pods': { path: '/api/kubernetes/nodes/node-1/pods', owned: true },
  'GET /api/kubernetes/nodes/:node/metrics/history': {
    path: '/api/kubernetes/nodes/node-1/metrics/history',
    owned: true,
  },
  'GET /api/kubernetes/pods': { path: '/api/kubernetes/pods?cluster_id=CLUSTER', owned: true },
  'GET /api/kubernetes/at': { path: '/api/kubernetes/at?cluster_id=CLUSTER&at=1769853600', owned: true },
  'GET /api/kubernetes/owners': { path: '/api/kubernetes/owners?cluster_id=CLUSTER', owned: true },
  'GET /api/kubernetes/pods/:namespace/:pod': { path: '/api/kubernetes/pods/shop/a', owned: true },
  'GET /api/kubernetes/pods/:namespace/:pod/metrics/history': {
    path: '/api/kubernetes/pods/shop/a/metrics/history',
    owned: true,
  },
  'GET /api/kubernetes/pods/:namespace/:pod/logs': {
    path: '/api/kubernetes/pods/shop/a/logs',
    owned: true,
    expected: 409,
  },
  'PUT /api/kubernetes/clusters/:id': {
    path: '/api/kubernetes/clusters/CLUSTER',
    body: () => ({ objects_rule_organisation: true }),
    owned: true,
  },
  'GET /api/kubernetes/clusters/states': {},
  'GET /api/kubernetes/capacity/summary': {},
  'GET /api/kubernetes/capacity': { path: '/api/kubernetes/capacity?cluster_id=CLUSTER', owned: true },
  'GET /api/kubernetes/capacity/loss': {
    path: '/api/kubernetes/capacity/loss?cluster_id=CLUSTER&node=node-1',
    owned: true,
  },
  'GET /api/kubernetes/capacity/fits': {
    path: '/api/kubernetes/capacity/fits?cluster_id=CLUSTER&cpu_cores=1&memory_bytes=1',
    owned: true,
  },
  'GET /api/kubernetes/sizing': { path: '/api/kubernetes/sizing?cluster_id=CLUSTER', owned: true },
  'GET /api/servers/idle': {},
  'GET /api/kubernetes/capacity/settings': {},
  'PUT /api/kubernetes/capacity/settings': {
    body: () => ({ cpu_percentile: 90, memory_surplus_percent: 20, days: 7, cpu_limit: 'none' }),
  },
  'PUT /api/kubernetes/clusters/:id/price': {
    path: '/api/kubernetes/clusters/CLUSTER/price',
    body: () => ({ currency: 'EUR', core_hour: 0.03, gb_hour: 0.004 }),
    owned: true,
  },
  'DELETE /api/kubernetes/clusters/:id/price': { path: '/api/kubernetes/clusters/CLUSTER/price', owned: true },
  'GET /api/servers/fits': { path: '/api/servers/fits?cores=1&memory_bytes=1' },
  'GET /api/kubernetes/workloads/:namespace/:kind/:name': {
    path: '/api/kubernetes/workloads/shop/Deployment/web',
    owned: true,
  },
  'PUT /api/kubernetes/clusters/:id/name': {
    path: '/api/kubernetes/clusters/CLUSTER/name',
    body: () => ({ name: 'harbour' }),
    owned: true,
  },
  'DELETE /api/kubernetes/clusters/:id': { path: '/api/kubernetes/clusters/CLUSTER', owned: true, deletes: true },
  'POST /api/user/cluster-tokens': { body: () => ({}) },
  'POST /api/kubernetes/clusters/separate': { body: () => ({ cluster_id: CLUSTER }), owned: true, expected: 409 },
  'GET /api/user/cluster-tokens': {},
  'DELETE /api/user/cluster-tokens/:id': { path: '/api/user/cluster-tokens/TOKEN', owned: true },
  'POST /api/agent/v1/nodes/enrol': {
    body: () => ({ node_name: 'node-1', boot_id: 'boot', hostname: 'node-1' }),
  },
  'POST /api/agent/v1/cluster/logs': {
    body: () => ({ id: '00000000-0000-4000-8000-000000000000', lines: [], failure: null }),
    expected: 404,
  },
  'POST /api/agent/v1/cluster/standby': {
    body: () => ({ v: 1, collector: { id: 'pod', version: '0.1.0' }, lease: READER }),
  },
  'POST /api/agent/v1/cluster/objects': {
    body: () => ({
      v: 1,
      cluster_uid: CLUSTER,
      collector: { id: 'pod', term: 1 },
      seq: 1,
      release_namespace: 'plimsoll',
      covers: [],
      objects: [],
    }),
  },
  'POST /api/agent/v1/cluster/telegram': { body: () => ({ v: 1, telegram: null }) },
  'POST /api/agent/v1/cluster/reports': { body: () => ({ ...envelope(CLUSTER), reports: [] }) },
  'POST /api/agent/v1/enrol': {
    body: ({ enrolment }) => ({ enrolment_token: enrolment, machine_hash: machineHash('m'), hostname: 'm' }),
  },
  'POST /api/agent/v1/reports': {
    body: (w) => reportsBody(w.agent, w.app.clock.now(), [{}], { stream_id: STREAM_ID }),
  },
  'POST /api/agent/v1/change-owner': { body: () => ({ api_token: newToken('api') }), expected: 401 },
  'POST /api/v1/write': { body: () => ({}), expected: 415 },
  'POST /v1/metrics': { body: () => ({}) },
  'POST /api/agent/v1/bye': { body: () => ({ reason: 'restart' }) },
};

/** A further account in the organisation of the owner. */
async function member(app: TestApp, owner: TestUser, role: Role): Promise<TestUser> {
  const user = await app.newUser();
  const values = [user.personId, owner.organisationId, role];
  await db.sql('UPDATE membership SET organisation_id = $2, role = $3 WHERE account_id = $1', values);
  return user;
}

async function makeWorld(storage: Storage): Promise<World> {
  const app = testApp(storage, { settings: { PLIMSOLL_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' } });
  const owner = await app.newUser();
  // The owner is the operator: every world has its own in one database, and their tests run in any order.
  const oldest = "UPDATE account SET created_at = (SELECT min(created_at) FROM account) - interval '1 s' WHERE id = $1";
  await db.sql(oldest, [owner.organisationId]);
  const other = await app.newUser();
  const [editor, viewer] = [await member(app, owner, 'editor'), await member(app, owner, 'viewer')];
  const agent = await app.newAgent(owner);
  const now = app.clock.now();
  const clusterToken = newToken('cluster');
  const cluster = await testCluster(storage, owner.organisationId, CLUSTER, now, hashToken(clusterToken));
  await cluster.write(listing({ nodes: [nodeObject('node-1')], pods: [podObject('a')] }));
  const { sessions, enrolmentTokens } = storage;
  const expired = newToken('session');
  await sessions.create({ personId: owner.personId, tokenHash: hashToken(expired), expiresAt: now - 1 }, now - 1000);
  const revoked = newToken('session');
  await sessions.create({ personId: owner.personId, tokenHash: hashToken(revoked), expiresAt: now + 1e6 }, now);
  await sessions.revoke(hashToken(revoked));
  const issue = async (): Promise<string> =>
    (
      await issueEnrolmentToken({ enrolmentTokens, clock: app.clock }, ownerOf(owner.organisationId), {
        createdBy: owner.personId,
      })
    ).token;
  const ownerScope = ownerOf(owner.organisationId);
  const sessionId = (await storage.identity.sessionList.list(owner.personId, now))[0]?.id ?? '';
  const entry = { name: 'ci', scopes: ['read'] as const, tokenHash: hashToken(newToken('api')), lastFour: 'abcd' };
  const apiTokenId = (await storage.identity.apiTokens.replace(owner.personId, { ...entry, expiresAt: null }, now))
    .token.id;
  const channelId = await newChannel(storage, owner.organisationId, now);
  const draft = { metric: 'cpu_usage', target: { kind: 'all' }, lines: [{ level: 'warning', threshold: 70 }] } as const;
  const timings = { forMs: 0, keepFiringForMs: 0, hysteresisPoints: 0, enabled: true };
  const ruleId = (await storage.alertRules.create(ownerScope, { ...draft, ...timings }, now)).id;
  const hidden = "INSERT INTO hidden_part SELECT key, 'filesystem', '/', now() FROM server WHERE id = $1";
  await db.sql(hidden, [agent.serverId]);
  const alertId = await openAlert(storage, ownerScope, agent, now);
  const { incidents } = await storage.incidents.list(ownerScope, {}, { limit: 1, offset: 0 });
  const by = { personId: owner.personId, now };
  const [server, rest] = [agent.serverId, { tagKey: null, tagValue: null, clusterId: null, namespace: null }];
  const quiet = {
    serverId: server,
    metric: null,
    rule: null,
    subject: null,
    startsAt: now,
    endsAt: now + 1e6,
    ...rest,
  };
  const silenceId = (await storage.silences.create(ownerScope, { ...quiet, comment: '' }, by)).id;
  const bulk = { action: 'acknowledge', alertIds: [alertId], note: null } as const;
  const { operationId } = await storage.alertActions.run(ownerScope, bulk, by);
  const conversationId = crypto.randomUUID();
  const said = { role: 'user', content: 'x', at: now, sources: [], charts: [] } as const;
  await storage.ai.conversations.append({ personId: owner.personId, owner: ownerScope }, conversationId, 'x', [said]);
  const statusPageSlug = randomBytes(16).toString('base64url');
  const published = await storage.statusPages.create(
    ownerScope,
    openPage('Shop', server),
    { slug: statusPageSlug, createdBy: null },
    now,
  );
  const told = await storage.statusPages.incidents.create(
    published,
    { title: 'Slow orders', impact: 'none', serverIds: [], checkIds: [], startedAt: now, nextUpdateAt: null },
    { state: 'investigating', text: 'x' },
    { by: null, now },
  );
  const addCheck = async (body: object): Promise<{ check: { check_id: string }; heartbeat_key: string | null }> =>
    (await app.call('POST', '/api/checks', { token: owner.token, body })).json.data as never;
  const { check } = await addCheck(tcpCheck(server));
  const night = { token: owner.token, body: nightly(server) };
  const planned = (await app.call('POST', '/api/maintenance', night)).json.data as unknown as {
    maintenance: { maintenance_id: string };
  };
  const { heartbeat_key: heartbeatKey } = await addCheck({
    name: 'backup',
    heartbeat: { schedule: { kind: 'interval', seconds: 60 } },
  });
  const invitation = {
    codeHash: hashToken(newToken('invite')),
    role: 'viewer',
    email: null,
    expiresAt: now + 1e6,
    createdBy: owner.personId,
  } as const;
  const invited = await storage.tenancy.teams.invite(ownerScope, invitation, 50, now);
  const apiToken = async (scope: TokenScope): Promise<string> => {
    const token = newToken('api');
    const kept = {
      name: scope,
      scopes: [scope],
      tokenHash: hashToken(token),
      lastFour: token.slice(-4),
      expiresAt: null,
    };
    await storage.identity.apiTokens.replace(owner.personId, kept, now);
    return token;
  };
  const tokens: World['tokens'] = {
    owner: owner.token,
    editor: editor.token,
    viewer: viewer.token,
    'read token': await apiToken('read'),
    'write token': await apiToken('write'),
    'metrics token': await apiToken('metrics'),
    'changes token': await apiToken('changes'),
    'other user': other.token,
    anonymous: null,
    'agent token': agent.token,
    'cluster token': clusterToken,
    'enrolment token': await issue(),
    revoked,
    expired,
  };
  return {
    app,
    owner,
    agent,
    tokens,
    clusterTokenId: cluster.agent.tokenId,
    enrolmentTokenId: (await enrolmentTokens.list(ownerScope, now))[0]?.id ?? '',
    sessionId,
    apiTokenId,
    channelId,
    ruleId,
    alertId,
    incidentId: incidents[0]?.id ?? '',
    silenceId,
    operationId,
    conversationId,
    statusPageId: published.id,
    statusPageSlug,
    checkId: check.check_id,
    maintenanceId: planned.maintenance.maintenance_id,
    heartbeatKey: heartbeatKey ?? '',
    statusIncidentId: told.id,
    statusUpdateId: told.updates[0]?.id ?? '',
    memberId: editor.organisationId,
    invitationId: invited?.id ?? '',
    enrolment: await issue(),
  };
}

/** Routes as the router has them; what they would do with these deps is never asked. */
const specs = allRoutes(
  createDeps({
    config: loadConfig({}, false),
    clock: { now: () => 0 },
    log: createLogger({ level: 'silent', format: 'json' }),
    metrics: createMetrics(),
    secretBox: new SecretBox(Buffer.alloc(SEALING_KEY_BYTES)),
    storage: new Proxy({}, { get: () => ({}) }) as Storage,
  }),
).map(({ spec }) => spec);
const keyOf = (spec: (typeof specs)[number]): string => `${spec.method} ${spec.path}`;

test('every route is in the matrix, and nothing else', () => {
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(specs.map(keyOf).toSorted());
});

const pathOf = (world: World, path: string, serverId: string): string =>
  path
    .replace('ID', serverId)
    .replace('CLUSTER', CLUSTER)
    .replace('TOKEN', world.clusterTokenId)
    .replace('INSTALL', world.enrolmentTokenId)
    .replace('SESSION', world.sessionId)
    .replace('CHANNEL', world.channelId)
    .replace('PERMANENT', world.apiTokenId)
    .replace('RULE', world.ruleId)
    .replace('ALERT', world.alertId)
    .replace('CAUSE', world.incidentId)
    .replace('QUIET', world.silenceId)
    .replace('TALK', world.conversationId)
    .replace('PUBLISHED', world.statusPageId)
    .replace('SLUG', world.statusPageSlug)
    .replace('PROBED', world.checkId)
    .replace('NIGHTLY', world.maintenanceId)
    .replace('BEAT', world.heartbeatKey)
    .replace('TOLD', world.statusIncidentId)
    .replace('WORDS', world.statusUpdateId)
    .replace('MEMBER', world.memberId)
    .replace('INVITATION', world.invitationId);

/** An event stream stays open until someone ends it. */
async function endStreams({ deps: { streams } }: TestApp): Promise<void> {
  while (streams.size === 0) await new Promise(setImmediate);
  streams.restartAll();
}

/** Returns the status that a route must answer to an actor. */
function expectedStatus(spec: (typeof specs)[number], example: Example, who: ActorName): number {
  const meant = example.expected ?? 200;
  if (spec.actor === 'anyone' || spec.actor === 'enrolment') return meant;
  if (spec.actor === 'agent' || spec.actor === 'reporter') return who === 'agent token' ? meant : 401;
  if (spec.actor === 'cluster') return who === 'cluster token' ? meant : 401;
  const scopes = SCOPED[who];
  if (scopes !== undefined) return scopes.includes(scopeNeeded(spec)) ? expectedStatus(spec, example, 'owner') : 403;
  const own = example.expectedOf?.[who];
  if (own !== undefined) return own;
  if (who === 'owner') return meant;
  if (who === 'editor' || who === 'viewer') {
    if (!holdsRole(who, roleNeeded(spec))) return 403;
    return example.personal ? 404 : meant;
  }
  if (who === 'other user' && spec.operator) return 403;
  if (who === 'other user') return example.owned ? 404 : meant;
  return 401;
}

const db = testStorage();

describe.each(specs.map((spec) => [keyOf(spec), spec] as const))('%s', (key, spec) => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld(db.storage());
  });

  // The owner comes last: its call may end the session or delete the server.
  test.each(ACTORS.toReversed())('%s', async (who) => {
    const example = EXAMPLES[key] ?? {};
    // Whoever may delete an object takes it from those after him.
    if (example.deletes) world = await makeWorld(db.storage());
    const token = world.tokens[who];
    const send = (serverId: string, body: unknown) =>
      world.app.call(spec.method, pathOf(world, example.path ?? spec.path, serverId), {
        ...(token === null ? {} : { token }),
        ...(body === undefined ? {} : { body }),
      });
    if (spec.path === '/api/events' && expectedStatus(spec, example, who) === 200) {
      void endStreams(world.app);
    }
    const answer = await send(id(world), example.body?.(world));
    expect([answer.status, answer.text]).toEqual([expectedStatus(spec, example, who), expect.any(String)]);
    const refusal = SCOPED[who] === undefined ? 'role_insufficient' : 'scope_missing';
    expect(answer.text.includes(refusal)).toBe(answer.status === 403);
    if (who !== 'other user' || !example.owned) return;
    const unknown = crypto.randomUUID();
    const ofUnknown = await send(
      unknown,
      example.body && JSON.parse(JSON.stringify(example.body(world)).replaceAll(id(world), unknown)),
    );
    expect([answer.status, answer.text]).toEqual([ofUnknown.status, ofUnknown.text]);
  });
});

test('a server lookup that forgets the owner is noticed by every cell that names a server', async () => {
  const storage = db.storage();
  const world = await makeWorld(storage);
  const get: Storage['servers']['get'] = (_owner, sought) =>
    storage.servers.get(ownerOf(world.owner.organisationId), sought);
  const list: Storage['servers']['list'] = (_owner, selection) =>
    storage.servers.list(ownerOf(world.owner.organisationId), selection);
  const inTransaction: Storage['inTransaction'] = (work) =>
    storage.inTransaction((stores) =>
      work({
        ...stores,
        servers: {
          ...stores.servers,
          get: (_owner, sought) => stores.servers.get(ownerOf(world.owner.organisationId), sought),
          list: (_owner, selection) => stores.servers.list(ownerOf(world.owner.organisationId), selection),
          listAll: () => stores.servers.listAll(ownerOf(world.owner.organisationId)),
        },
      }),
    );
  const app = testApp({ ...storage, inTransaction, servers: { ...storage.servers, get, list } });
  const named = Object.entries(EXAMPLES).filter(
    // Their first lookup is that of the check, rule, channel, alert, silence, page, member, cluster or operation.
    ([key, { owned, path = key, body }]) =>
      owned &&
      !/(NIGHTLY|PROBED|PROBED\/series|RULE|CHANNEL|QUIET|TALK|PUBLISHED|PUBLISHED\/incidents.*|MEMBER|MEMBER\/access\/end|clusters\/CLUSTER|CLUSTER\/name|CLUSTER\/price|separate|acknowledge|bulk)$/.test(
        path,
      ) &&
      (path.endsWith('ID') || body),
  );
  expect(named.length).toBeGreaterThan(8);
  // Deleting last: the others need the server.
  for (const [key, example] of named.toSorted(
    ([a], [b]) => Number(a.startsWith('DELETE')) - Number(b.startsWith('DELETE')),
  )) {
    const [method = '', path = ''] = key.split(' ');
    const body = example.body?.(world);
    const token = world.tokens['other user'] ?? '';
    const answer = await app.call(method, pathOf(world, example.path ?? path, id(world)), {
      token,
      ...(body !== undefined && { body }),
    });
    expect([key, answer.status]).toEqual([key, 200]);
  }
});
