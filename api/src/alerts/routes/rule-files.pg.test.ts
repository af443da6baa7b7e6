import { ALERT_LEVELS } from '@plimsoll/contract/rules/limits';
import { ALERT_RULE_LIMITS } from '@plimsoll/contract/rules/alert-rule-limits';
import { RULE_FILE_CHARACTERS, type AlertRulesImportAnswer } from '@plimsoll/contract/wire/alerts/alert-rule-import';
import type { AlertRulesAnswer } from '@plimsoll/contract/wire/alert-rules';
import { expect, test } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';
import type { RuleDraft, RuleTarget } from '../types.ts';

const db = testStorage();
const PATH = '/api/alerts/rules';
const CPU = { metric: 'cpu_usage', target: 'all', lines: [{ level: 'warning', threshold: 61 }] };

const exported = async (app: TestApp, user: TestUser) => (await app.call('GET', `${PATH}/export`, user)).text;
const send = (app: TestApp, user: TestUser, yaml: string, dryRun = false) =>
  app.call('POST', `${PATH}/import`, { ...user, body: { yaml, dry_run: dryRun } });
const imported = async (app: TestApp, user: TestUser, yaml: string, dryRun = false) => {
  const answer = await send(app, user, yaml, dryRun);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json.data as unknown as AlertRulesImportAnswer;
};
const listed = async (app: TestApp, user: TestUser) =>
  ((await app.call('GET', PATH, user)).json.data as unknown as AlertRulesAnswer).rules;
const create = async (app: TestApp, user: TestUser, body: Record<string, unknown>) =>
  expect((await app.call('POST', PATH, { ...user, body })).status).toBe(200);
const withoutIds = (rules: AlertRulesAnswer['rules']) =>
  rules.map(({ rule_id: _id, server_id: _server, created_at: _created, updated_at: _updated, ...rule }) => rule);

test('a file moves the rules of one account to another, its servers by their names', async () => {
  const app = testApp(db.storage());
  const [from, to] = [await app.newUser(), await app.newUser()];
  const here = await app.newAgent(from, 'db-1');
  const there = await app.newAgent(to, 'db-1');
  await create(app, from, { ...CPU, target: 'server', server_id: here.serverId });
  await create(app, from, { ...CPU, target: 'tag', tag_key: 'env', tag_value: 'prod', for_seconds: 60 });
  await create(app, from, { metric: 'offline', target: 'all', lines: [{ level: 'error', threshold: null }] });
  const file = await exported(app, from);
  const dry = await imported(app, to, file, true);
  expect(dry).toMatchObject({ dry_run: true, created: 3, changed: 0, errors: [] });
  expect(dry.unchanged).toBeGreaterThan(20);
  expect(await listed(app, to)).toEqual([]);
  expect(await imported(app, to, file)).toMatchObject({ dry_run: false, created: 3, changed: 0, errors: [] });
  const [got, expected] = [await listed(app, to), await listed(app, from)];
  const sorted = (rules: AlertRulesAnswer['rules']) =>
    withoutIds(rules).toSorted((a, b) => a.text.localeCompare(b.text));
  expect(sorted(got)).toEqual(sorted(expected));
  expect(got.find(({ target }) => target === 'server')?.server_id).toBe(there.serverId);
  // The import is one entry in the audit log, and a second import finds nothing to do.
  const log = await db.sql<{ action: string; detail: Record<string, string> }>(
    `SELECT action, detail FROM audit_log WHERE organisation_id = '${to.organisationId}' AND action LIKE 'alert_rule%'`,
  );
  expect(log).toMatchObject([{ action: 'alert_rules_imported', detail: { created: '3', changed: '0' } }]);
  expect(log[0]?.detail['rules']).toMatch(
    /“CPU at or above 61 % .*” for server db-1, “CPU .*” for tag env=prod, “No report .*”/,
  );
  expect(await imported(app, to, file)).toMatchObject({ created: 0, changed: 0 });
});

test('a disabled rule comes back disabled, also one that switches a default off', async () => {
  const app = testApp(db.storage());
  const [from, to] = [await app.newUser(), await app.newUser()];
  await create(app, from, { ...CPU, target: 'tag', tag_key: 'env', tag_value: 'dev', enabled: false });
  await create(app, from, {
    metric: 'offline',
    target: 'all',
    lines: [{ level: 'error', threshold: null }],
    enabled: false,
  });
  await create(app, from, CPU);
  const file = await exported(app, from);
  expect(await imported(app, to, file)).toMatchObject({ created: 3, changed: 0, errors: [] });
  const rules = async (user: TestUser) =>
    withoutIds(await listed(app, user)).toSorted((a, b) => a.text.localeCompare(b.text));
  expect(await rules(to)).toEqual(await rules(from));
  expect((await rules(to)).map(({ metric, enabled }) => `${metric} ${String(enabled)}`).toSorted()).toEqual([
    'cpu_usage false',
    'cpu_usage true',
    'offline false',
  ]);
  // The same file changes nothing here, and switches a rule off again that was enabled meanwhile.
  expect(await imported(app, from, file)).toMatchObject({ created: 0, changed: 0 });
  const off = (await listed(app, from)).find(({ metric }) => metric === 'offline');
  const enabled = { metric: 'offline', target: 'all', lines: off?.lines, enabled: true };
  await app.call('PUT', `${PATH}/${off?.rule_id ?? ''}`, { ...from, body: enabled });
  expect(await imported(app, from, file)).toMatchObject({ created: 0, changed: 1 });
  expect(await rules(from)).toEqual(await rules(to));
});

test('an edited number changes the rule, and one of a default rule creates a rule', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  await create(app, user, CPU);
  const [before] = await listed(app, user);
  const file = (await exported(app, user))
    .replaceAll('>= 61)', '>= 62)')
    .replace(/(PlimsollMemoryUsage\n.*)>= 80\)/, '$1>= 81)');
  const done = await imported(app, user, file);
  expect(done).toMatchObject({ created: 1, changed: 1 });
  expect(done.rules.find(({ action }) => action === 'changed')?.rule_id).toBe(before?.rule_id);
  // Both were made at the same time of the test's clock.
  const rules = (await listed(app, user)).toSorted((a, b) => a.metric.localeCompare(b.metric));
  expect(rules.map(({ metric, target, lines }) => [metric, target, lines[0]?.threshold])).toEqual([
    ['cpu_usage', 'all', 62],
    ['memory_usage', 'all', 81],
  ]);
});

test('one wrong rule: nothing is imported, and a dry run lists every error', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const file = (await exported(app, user)).replace('>= 80)', '>= 81)').replace('severity: critical', 'severity: page');
  const refused = await send(app, user, file);
  expect(refused).toMatchObject({ status: 400, json: { success: false, code: 'invalid_parameter' } });
  expect(refused.json.detail).toMatch(
    /^yaml: rule 1 \(PlimsollCpuUsage\): lines\.1\.level must be critical, error, warning, info\. 1 of \d+ rules are wrong, so none is imported$/,
  );
  expect(await listed(app, user)).toEqual([]);
  const { errors, created } = await imported(app, user, file, true);
  expect([errors.map(({ name, field }) => [name, field]), created]).toEqual([
    [['rule 1 (PlimsollCpuUsage)', 'lines.1.level']],
    0,
  ]);
});

test('a server of another account, and a name that two servers have, are errors', async () => {
  const app = testApp(db.storage());
  const [user, other] = [await app.newUser(), await app.newUser()];
  const theirs = await app.newAgent(other, 'web-1');
  await create(app, other, { ...CPU, target: 'server', server_id: theirs.serverId });
  const file = await exported(app, other);
  const detail = async () => (await imported(app, user, file, true)).errors[0]?.detail;
  expect(await detail()).toContain('is no server of this account, and "web-1" names no server of this account.');
  const { serverId } = await app.newAgent(user, 'web-2');
  await app.newAgent(user, 'web-1');
  await app.call('PUT', `/api/servers/${serverId}`, { ...user, body: { display_name: 'web-1' } });
  expect(await detail()).toContain('"web-1" names 2 servers.');
});

test('a rule that is deleted during the import: nothing is saved', async () => {
  const storage = db.storage();
  const app = testApp(storage);
  const user = await app.newUser();
  await create(app, user, CPU);
  const file = (await exported(app, user))
    .replaceAll('>= 61)', '>= 62)')
    .replace(/(PlimsollMemoryUsage\n.*)>= 80\)/, '$1>= 81)');
  const racing = testApp({
    ...storage,
    inTransaction: (work) =>
      storage.inTransaction(({ alertRules, ...stores }) =>
        work({
          ...stores,
          alertRules: {
            ...alertRules,
            saveAll: async (owner, rules, now) => {
              for (const { id } of rules.changed) await storage.alertRules.delete(owner, id);
              return alertRules.saveAll(owner, rules, now);
            },
          },
        }),
      ),
  });
  const answer = await send(racing, user, file);
  expect([answer.status, answer.json.code]).toEqual([409, 'rules_changed']);
  expect(await listed(app, user)).toEqual([]);
});

test('a file that is empty, too large or without rules, and no session, are refused', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  expect((await app.call('POST', `${PATH}/import`, { body: { yaml: 'groups: []' } })).status).toBe(401);
  expect((await send(app, user, '')).json.detail).toBe('yaml: is empty');
  const large = await send(app, user, 'x'.repeat(RULE_FILE_CHARACTERS + 1));
  expect(large.json.detail).toContain(`yaml: must be at most ${String(RULE_FILE_CHARACTERS)} characters`);
  const body = { ...user, body: { yaml: '語'.repeat(RULE_FILE_CHARACTERS), padding: 'x'.repeat(1024) } };
  expect((await app.call('POST', `${PATH}/import`, body)).status).toBe(413);
  expect((await send(app, user, 'groups: []')).json.detail).toContain('yaml: file: yaml holds no rule.');
});

/** Rules that exclude each other in the file: servers and values of 5 tags, each with all levels. */
const fullAccount = (serverIds: readonly string[]): RuleDraft[] => {
  const lines = ALERT_LEVELS.toReversed().map((level, index) => ({ level, threshold: 60 + 10 * index }));
  const timing = { forMs: 300_000, keepFiringForMs: 300_000, hysteresisPoints: 5, enabled: true };
  return Array.from({ length: ALERT_RULE_LIMITS.perAccount }, (_value, index): RuleDraft => {
    const metric = (['cpu_usage', 'memory_usage', 'disk_usage'] as const)[index % 3] ?? 'cpu_usage';
    const serverId = serverIds[Math.floor(index / 3)];
    const target: RuleTarget =
      serverId === undefined
        ? { kind: 'tag', key: `team-${String(index % 5)}`, value: `shop "${String(index)}" 店舗` }
        : { kind: 'server', serverId };
    return { metric, target, lines, ...timing };
  });
};

test('the file of a full account is read back whole', async () => {
  const storage = db.storage();
  const app = testApp(storage);
  const [from, to] = [await app.newUser(), await app.newUser()];
  const hosts = Array.from({ length: 8 }, (_value, index) => `web-${String(index)}.eu-west.example.com`);
  const servers: string[] = [];
  for (const host of hosts) {
    servers.push((await app.newAgent(from, host)).serverId);
    await app.newAgent(to, host);
  }
  const drafts = fullAccount(servers);
  await storage.alertRules.saveAll(ownerOf(from.organisationId), { created: drafts, changed: [] }, Date.now());
  const file = await exported(app, from);
  expect(file.length).toBeGreaterThan(2 ** 20);
  const { created, errors } = await imported(app, to, file);
  expect([created, errors]).toEqual([drafts.length, []]);
  expect(await imported(app, to, await exported(app, to))).toMatchObject({ created: 0, changed: 0, errors: [] });
});
