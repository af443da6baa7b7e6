import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { serverName } from '../../format/server-facts.ts';
import { ContainersTable } from './details/containers-table.tsx';
import { Cores } from './details/cores.tsx';
import { InterfacesTable } from './details/interfaces-table.tsx';
import { LimitsTable } from './details/limits-table.tsx';
import { MountsTable } from './details/mounts-table.tsx';
import { PressureTable } from './details/pressure-table.tsx';
import { SourcesTable } from './details/sources-table.tsx';
import { TemperaturesTable } from './details/temperatures-table.tsx';
import { UnitsTable } from './details/units-table.tsx';

/** Further parts of the last report: cores, pressure, mounts, containers, units, the agent itself. */
export function ServerInside({ server }: { server: ServerDetail }) {
  const stale = server.status !== 'active';
  const subject = serverName(server);
  const { load, pressure, kernel_limits: limits, temperatures, containers, units } = server;
  return (
    <>
      {server.per_core_percent.length > 0 && (
        <Cores percents={server.per_core_percent} line={server.lines.cpu.warning} stale={stale} />
      )}
      {(load !== null || pressure !== null) && (
        <PressureTable subject={subject} load={load} pressure={pressure} cores={server.cpu_cores} />
      )}
      {limits !== undefined && Object.values(limits).some((one) => one !== null) && (
        <LimitsTable subject={subject} limits={limits} sources={server.sources} />
      )}
      {temperatures !== null && temperatures.length > 0 && (
        <TemperaturesTable subject={subject} temperatures={temperatures} />
      )}
      {server.filesystems.length > 0 && (
        <MountsTable
          subject={subject}
          filesystems={server.filesystems}
          forecasts={server.disk_forecasts}
          line={server.lines.disk.warning}
          stale={stale}
        />
      )}
      {server.interfaces.length > 0 && <InterfacesTable subject={subject} interfaces={server.interfaces} />}
      {containers !== null && containers.length > 0 && <ContainersTable subject={subject} containers={containers} />}
      {units !== null && units.length > 0 && <UnitsTable subject={subject} units={units} />}
      {Object.keys(server.sources).length > 0 && (
        <SourcesTable subject={subject} sources={server.sources} agent={server.agent} />
      )}
    </>
  );
}
