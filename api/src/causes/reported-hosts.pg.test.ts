/** Reports of a host lead to causes, over the calls of the product. */
import { expect, it } from 'vitest';
import { testApp } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import { openAlert } from '../testing/notify.ts';
import { ownerOf } from '../tenancy/owner.ts';
import { answersOf, causesOf } from './testing/answers-of.ts';
import { atRest, program, reportedHost, told } from './testing/reported-host.ts';

const db = testStorage();
const GB = 2 ** 30;

/** The minute 0 is an hour ago. */
async function world(first = -720, settings: Record<string, string> = {}) {
  const app = testApp(db.storage(), { settings });
  app.clock.ms = Math.floor(Date.now() / 300_000) * 300_000 - 3_600_000;
  const user = await app.newUser();
  const start = app.clock.now() / 1000;
  const nginx = program('nginx', 30, start - 900_000);
  const host = await reportedHost(app, user, 'web');
  const rest = { ...atRest('web'), processes: [nginx] };
  if (first < -600) await host.report(first, -125, () => rest, { step: 5 });
  return { app, user, host, start, nginx, rest };
}

it.each(['off', 'free'])('a program that takes the CPU, where the plan is %s', async (plan) => {
  const { app, user, host, start, nginx, rest } = await world(-720, { PLIMSOLL_PLAN_LIMITS: plan });
  await host.report(-120, -1, () => rest);
  const busy = { ...atRest('web', 95), processes: [program('thumbnailer', 340, start), nginx] };
  await host.report(0, 15, () => busy);
  const [found] = await causesOf(app, user);
  expect(found).toMatch(/^web: noisy_process: thumbnailer takes 85 % .*CPU 12 % → 95 %.*before 0/);
});

it('a unit that failed after a change, on a machine that starts ten programs a minute', async () => {
  const { app, user, host, start, rest } = await world();
  const runs = (minute: number) =>
    Array.from({ length: 10 }, (_, index) => told('process_start', start + minute * 60 - index, 'a job started'));
  await host.report(-120, -1, (minute) => ({
    ...rest,
    events: [
      ...(minute === -1 ? [told('config_change', start - 60, '/etc/nginx/nginx.conf changed')] : []),
      ...runs(minute),
    ],
  }));
  const units = [{ name: 'nginx.service', state: 'failed', sub_state: 'failed', restarts: 0 }];
  await host.report(0, 0, () => ({
    ...rest,
    units,
    events: [told('service_stop', start - 30, 'nginx.service failed', 'nginx.service'), ...runs(0)],
  }));
  await host.report(1, 60, (minute) => ({ ...rest, units, events: runs(minute) }));
  const [found] = await causesOf(app, user);
  expect(found).toMatch(/nginx\.service stopped .* after a change.*nginx\.service failed at.*nginx\.conf changed/);
});

it('a program that leaks on a machine of seven hours', async () => {
  const { app, user, host, start, nginx } = await world(-420);
  const grown = (minute: number) => (minute + 420) / 470;
  await host.report(-420, 50, (minute) => ({
    ...atRest('web', 12, 40 + 57 * grown(minute)),
    processes: [nginx, program('postgres', 10, start - 900_000, { memory_bytes: (2 + 4 * grown(minute)) * GB })],
  }));
  const [found] = await causesOf(app, user);
  expect(found).toMatch(/^web: memory_leak: postgres .*GB/);
});

it('kills of the kernel are counted once, though a line is an event too', async () => {
  const { app, user, host, start, rest } = await world();
  for (let minute = 0; minute < 3; minute += 1) {
    const kill = told('oom_kill', start + minute * 60 - 30, `Out of memory: Killed process ${String(minute)} (nginx)`);
    await host.report(minute, minute, () => ({ ...rest, oom_kills: 1, events: [{ ...kill, process_name: 'nginx' }] }));
  }
  const [found] = await causesOf(app, user);
  expect(found).toMatch(/^web: killed_for_memory: .*\| 3 kills in all/);
});

it('the changes and the lines before an alert are read, however many come after it', async () => {
  const { app, user, host, start, rest } = await world();
  const ports = (minute: number) => ({
    section: 'ports',
    form: 1,
    entries: { [`${String(8000 + minute)}/tcp`]: 'job' },
  });
  const sysctls = (swappiness: string) => ({ section: 'sysctls', form: 1, entries: { 'vm.swappiness': swappiness } });
  await host.report(-20, -1, (minute) => ({
    ...rest,
    ...(minute === -20 && { described: [ports(0), sysctls('60')] }),
    ...(minute === -10 && {
      described: [sysctls('1')],
      events: [told('journal_error', start - 600, 'cannot open /etc/shop.conf', 'shop.service')],
    }),
  }));
  await openAlert(db.storage(), ownerOf(user.organisationId), host, app.clock.now());
  await host.report(0, 29, (minute) => ({
    ...rest,
    described: [ports(minute + 1)],
    events: Array.from({ length: 20 }, (_, index) =>
      told('journal_error', start + minute * 60 + index, `error ${String(minute)}-${String(index)}`, 'web.service'),
    ),
  }));
  const [answered] = await answersOf(app, user);
  const { lines = [], changes = [] } = answered?.evidence ?? {};
  expect(lines.map(({ text }) => text)).toContain('cannot open /etc/shop.conf');
  expect(new Set(lines.map(({ text }) => text)).size).toBe(lines.length);
  expect(changes.map(({ title }) => title)).toContain('vm.swappiness 60 → 1');
});

it('the leading alert of a machine says what its evidence is about, not the newest', async () => {
  const { app, user, host, rest } = await world();
  await host.report(-20, -1, () => rest);
  const owner = ownerOf(user.organisationId);
  const cpu = { rule: 'default-cpu', metric: 'cpu_usage', title: 'CPU usage above 95%', level: 'critical' } as const;
  await openAlert(db.storage(), owner, host, app.clock.now(), cpu);
  await host.report(0, 5, () => rest);
  await openAlert(db.storage(), owner, host, app.clock.now());
  app.clock.pass(5);
  const [answered] = await answersOf(app, user);
  expect(answered?.evidence).toMatchObject({ alerts: [{}, {}], servers: [{ metric: 'cpu_usage' }] });
});

it('a quiet stretch of a chart is not explained by the silence before it', async () => {
  const { app, user, host, start, rest } = await world(-420);
  await host.report(-120, 15, () => rest);
  await host.report(18, 150, () => rest);
  const explained = async (from: number, to: number) => {
    const explain = { kind: 'range', server_id: host.serverId, from: start + from * 60, to: start + to * 60 };
    return (await app.call('POST', '/api/ai/chat', { token: user.token, body: { question: 'Why?', explain } })).text;
  };
  expect(await explained(30, 50)).toContain('No known pattern fits');
  expect(await explained(10, 25)).toContain('The collector was stopped');
});

it('a unit that failed after a restart of the machine, whose next report is only due', async () => {
  const { app, user, host, rest } = await world(-420);
  await host.report(-120, -1, () => rest);
  const units = [{ name: 'shop.service', state: 'failed', sub_state: 'failed', restarts: 0 }];
  for (let minute = 4; minute < 12; minute += 1)
    await host.report(minute, minute, () => ({ ...rest, units }), { boot: { id: 'boot-2', up: 60 * minute - 200 } });
  app.clock.pass(30);
  const [found] = await causesOf(app, user);
  expect(found).toMatch(/^web: rebooted: The machine was restarted\. \| no reports from/);
});

it('a backup that makes the machine wait for its disk', async () => {
  const { app, user, host, start, nginx, rest } = await world();
  await host.report(-120, -1, () => rest);
  const calm = atRest('web', 30);
  const cpu = { ...(calm['cpu'] as object), io_wait_percent: 62 };
  const backup = program('restic', 9, start, { command: 'restic backup /srv', status: 'D' });
  // The rule waits for an hour.
  for (let minute = 0; minute < 75; minute += 5)
    await host.report(minute, minute + 4, () => ({ ...calm, cpu, processes: [backup, nginx] }));
  const found = await causesOf(app, user);
  expect(found).toEqual([
    expect.stringMatching(
      /^web: disk_saturated: The processor waits for the disk while restic runs\. \| IO wait 0\.5 % → [56]\d/,
    ),
  ]);
});
