import { emptySeries, emptyWeek, type ServerSeen } from '../evidence.ts';

/** A server with nothing recorded but its name. */
export const bareServer = (name: string, at: number, more: Partial<ServerSeen> = {}): ServerSeen => ({
  serverId: name,
  hostname: name,
  metric: null,
  subject: null,
  at,
  cpuCores: null,
  memoryTotalBytes: null,
  series: emptySeries(),
  week: emptyWeek(),
  processes: [],
  processesBefore: [],
  events: [],
  gaps: [],
  filesystems: [],
  failedUnits: [],
  clockSkewSeconds: null,
  silentTogether: [],
  othersDown: [],
  ...more,
});
