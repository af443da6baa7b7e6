/** What the reports of a host lead to, over the calls of the product. */
import { expect, it } from 'vitest';
import { testApp } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import { causesOf } from './testing/answers-of.ts';
import { atRest, program, reportedHost, told } from './testing/reported-host.ts';

const db = testStorage();

/** The minute 0 is an hour ago. */
async function world(settings: Record<string, string> = {}) {
  const app = testApp(db.storage(), { settings });
  app.clock.ms = Math.floor(Date.now() / 300_000) * 300_000 - 3_600_000;
  const user = await app.newUser();
  const start = app.clock.now() / 1000;
  const nginx = program('nginx', 30, start - 900_000);
  const host = await reportedHost(app, user, 'web');
  const rest = { ...atRest('web'), processes: [nginx] };
  await host.report(-720, -125, () => rest, 5);
  return { app, user, host, start, nginx, rest };
}

it.each(['off', 'free'])('a program that takes the CPU, where the plan is %s', async (plan) => {
  const { app, user, host, start, nginx, rest } = await world({ PLIMSOLL_PLAN_LIMITS: plan });
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
