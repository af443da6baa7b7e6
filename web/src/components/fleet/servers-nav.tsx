import { TabBar } from '../tab-bar.tsx';
import { paths } from '../../paths.ts';

interface ServersNavProps {
  current: 'servers' | 'containers' | 'checks';
  /** Counts within the scope; undefined while they load. */
  servers: number | undefined;
  containers: number | undefined;
}

/** The lists of the Servers page, each with an address of its own. */
export function ServersNav({ current, servers, containers }: ServersNavProps) {
  return (
    <TabBar
      label="Lists of servers, containers and checks"
      tabs={[
        { to: paths.servers, label: 'Servers', count: servers, current: current === 'servers' },
        { to: paths.containers, label: 'Containers', count: containers, current: current === 'containers' },
        { to: paths.checks, label: 'Checks', count: undefined, current: current === 'checks' },
      ]}
    />
  );
}
