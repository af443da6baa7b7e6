import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { maintenanceRequest } from '@plimsoll/contract/wire/checks/maintenance';
import { createMaintenance } from '../../api/src/maintenance/create-maintenance.ts';
import type { Deps } from '../../api/src/deps.ts';
import type { PersonId } from '../../api/src/tenancy/ids.ts';
import { demoActor } from './demo-actor.ts';
import type { Machine } from './machines.ts';

const HOSTS = ['web-iad-01', 'web-iad-02'];
const CHECK = 'shop HTTPS';

interface Given {
  deps: Pick<Deps, 'storage' | 'clock'>;
  personId: PersonId;
  machines: readonly Machine[];
}

/** Creates a weekly maintenance whose next period is one to two days ahead, so that it never runs while someone looks. */
export async function createDemoMaintenance({ deps, personId, machines }: Given): Promise<void> {
  const actor = demoActor(personId);
  const ahead = new Date(deps.clock.now() + 2 * DAY_MS);
  const checks = await deps.storage.checks.list(actor.owner);
  const request = maintenanceRequest.parse({
    name: 'Patch night',
    // 1 is Monday, 7 is Sunday.
    schedule: { kind: 'weekly', weekdays: [ahead.getUTCDay() || 7], time: '02:30' },
    zone: 'UTC',
    duration_seconds: 3600,
    server_ids: machines.filter(({ host }) => HOSTS.includes(host.name)).map(({ serverId }) => serverId),
    check_ids: checks.filter(({ name }) => name === CHECK).map(({ id }) => id),
  });
  await createMaintenance(deps, actor, request);
}
