import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { ContainersTable } from './details/containers-table.tsx';
import { Cores } from './details/cores.tsx';
import { InterfacesTable } from './details/interfaces-table.tsx';
import { MountsTable } from './details/mounts-table.tsx';
import { PressureTable } from './details/pressure-table.tsx';
import { SourcesTable } from './details/sources-table.tsx';
import { TemperaturesTable } from './details/temperatures-table.tsx';
import { UnitsTable } from './details/units-table.tsx';

/** What the last report says beyond the contract's screens: cores, pressure, mounts, containers, units, the agent itself. */
export function ServerInside({ server }: { server: ServerDetail }) {
  const stale = server.status !== 'active';
  const { load, pressure, temperatures, containers, units } = server;
  return (
    <>
      {server.per_core_percent.length > 0 && (
        <Cores percents={server.per_core_percent} line={server.lines.cpu.warning} stale={stale} />
      )}
      {(load !== null || pressure !== null) && (
        <PressureTable load={load} pressure={pressure} cores={server.cpu_cores} />
      )}
      {temperatures !== null && temperatures.length > 0 && <TemperaturesTable temperatures={temperatures} />}
      {server.filesystems.length > 0 && (
        <MountsTable
          filesystems={server.filesystems}
          forecasts={server.disk_forecasts}
          line={server.lines.disk.warning}
          stale={stale}
        />
      )}
      {server.interfaces.length > 0 && <InterfacesTable interfaces={server.interfaces} />}
      {containers !== null && containers.length > 0 && <ContainersTable containers={containers} />}
      {units !== null && units.length > 0 && <UnitsTable units={units} />}
      {Object.keys(server.sources).length > 0 && <SourcesTable sources={server.sources} agent={server.agent} />}
    </>
  );
}
