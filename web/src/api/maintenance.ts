import type {
  MaintenanceOnWire,
  MaintenanceRequestInput,
  MaintenancesAnswer,
} from '@plimsoll/contract/wire/checks/maintenance';
import { request } from './client.ts';
import { POLL } from './polling.ts';
import type { Ask } from './query.ts';

const MAINTENANCE = '/api/maintenance';

export const maintenanceQuery = (): Ask<MaintenancesAnswer> => ({
  queryKey: ['alerts', 'maintenance'],
  queryFn: ({ signal }) => request(MAINTENANCE, { signal }),
  refetchInterval: POLL.alerts,
});

/** Creates recurring maintenance, or replaces the one with the id. */
export const saveMaintenance = (id: string | null, body: MaintenanceRequestInput) =>
  id === null
    ? request<{ maintenance: MaintenanceOnWire }>(MAINTENANCE, { method: 'POST', body })
    : request<{ maintenance: MaintenanceOnWire }>(`${MAINTENANCE}/${encodeURIComponent(id)}`, { method: 'PUT', body });
/** Ends it; alerts that still fire are sent at once. */
export const endMaintenance = (id: string) =>
  request<unknown>(`${MAINTENANCE}/${encodeURIComponent(id)}`, { method: 'DELETE' });
