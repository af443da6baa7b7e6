import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import type { Server } from '@plimsoll/contract/wire/servers';
import { momentMs } from '../../time/age.ts';
import { cardFigures, platformText, serverName, sizesText, staleSince } from '../../format/server-facts.ts';
import type { SparkPoint } from './spark-path.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { Age } from '../age.tsx';
import { TagChips } from './tag-chips.tsx';
import { ServerCard } from './server-card.tsx';

interface FleetCardProps {
  server: Server;
  latest: LatestMetricsItem | undefined;
  spark?: readonly SparkPoint[] | undefined;
}

/** Above the card's own link, which covers all of it. */
const raised = { position: 'relative', zIndex: 1 } as const;

function messageOf(server: Server) {
  if (server.status === 'installing') {
    return {
      message: (
        <>
          <strong>Waiting for the first report</strong>
          Enrolled <Age at={momentMs(server.created_at)} />. Reports come every {server.report_interval_seconds} s. This
          card updates automatically.
        </>
      ),
      foot: (
        <Link to={paths.setup} style={raised}>
          Setup help
        </Link>
      ),
    };
  }
  if (server.status === 'uninstalled') {
    return {
      message: (
        <>
          <strong>
            Agent removed <Age at={momentMs(server.last_seen_at)} />
          </strong>
          No metrics since. Past measurements stay until their retention ends.
        </>
      ),
      foot: (
        <Link to={paths.setup} style={raised}>
          Reinstall
        </Link>
      ),
    };
  }
  return {};
}

/** The card of one server as the API describes it. */
export function FleetCard({ server, latest, spark }: FleetCardProps) {
  return (
    <ServerCard
      name={serverName(server)}
      to={paths.server(server.id)}
      status={server.status}
      platform={platformText(server)}
      region={server.region}
      sizes={sizesText(server)}
      lines={server.lines}
      headroom={server.headroom}
      figures={cardFigures(latest)}
      staleSince={staleSince(server)}
      spark={spark}
      tags={<TagChips tags={server.tags} most={1} />}
      {...messageOf(server)}
    />
  );
}
