import type { InstallationHealth } from '@plimsoll/contract/wire/installation-health';
import { request } from './client.ts';
import { POLL } from './polling.ts';
import type { Ask } from './query.ts';

/** Figures of the whole installation, for its operator only. */
export const installationHealthQuery = (): Ask<InstallationHealth> => ({
  queryKey: ['installation-health'],
  queryFn: ({ signal }) => request('/api/health/installation', { signal }),
  refetchInterval: POLL.installationHealth,
});
