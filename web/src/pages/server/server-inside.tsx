import type { ServerDetail } from '@plimsoll/contract/servers';
import { Cores } from './cores.tsx';
import { InterfacesTable } from './interfaces-table.tsx';
import { MountsTable } from './mounts-table.tsx';
import { SourcesTable } from './sources-table.tsx';

/** What the last report says beyond the contract's screens: cores, mounts, interfaces, how the agent itself fares. */
export function ServerInside({ server }: { server: ServerDetail }) {
  const stale = server.status !== 'active';
  return (
    <>
      {server.per_core_percent.length > 0 && (
        <Cores percents={server.per_core_percent} line={server.lines.cpu.warning} stale={stale} />
      )}
      {server.filesystems.length > 0 && (
        <MountsTable filesystems={server.filesystems} line={server.lines.disk.warning} stale={stale} />
      )}
      {server.interfaces.length > 0 && <InterfacesTable interfaces={server.interfaces} />}
      {Object.keys(server.sources).length > 0 && <SourcesTable sources={server.sources} agent={server.agent} />}
    </>
  );
}
