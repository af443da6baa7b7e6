import type { Server } from '@plimsoll/contract/wire/servers';
import { LINES } from './parts-samples.ts';

/** A server for tests of pure functions; the differences are given. */
export const sampleServer = (given: Partial<Server> = {}): Server => ({
  id: '7d0c1f6e-7b7a-4b0f-9a39-0d0a4f2f1c11',
  hostname: 'media-ams-01',
  display_name: null,
  status: 'active',
  platform: 'linux',
  os_type: 'debian',
  os_version: '12',
  os_name: 'Debian',
  kernel: '6.1.0',
  architecture: 'amd64',
  region: 'eu-west-2',
  cpu_cores: 8,
  cpu_model: null,
  total_memory: 32,
  total_storage: 4096,
  cli_version: '0.1.0',
  uptime_seconds: 100,
  created_at: '2026-01-01T00:00:00.000Z',
  last_seen_at: '2026-01-02T00:00:00.000Z',
  refusal: null,
  report_interval_seconds: 60,
  is_kubernetes_node: false,
  tags: {},
  lines: LINES,
  headroom: null,
  disk_forecast: null,
  ...given,
});
