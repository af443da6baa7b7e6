import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import type { Server } from '@plimsoll/contract/wire/servers';
import { useDeferredValue, useState } from 'react';
import { useCardSparks } from '../../api/card-sparks.ts';
import { FleetGroups } from '../../components/fleet/fleet-groups.tsx';
import { FleetCards, SERVER_CARD } from '../../components/fleet/fleet-cards.tsx';
import { CardGrid } from '../../components/fleet/server-card.tsx';
import { ServerCardSkeleton } from '../../components/feedback/skeletons.tsx';
import { Toggle, ToolbarNote } from '../../components/form/toggle.tsx';
import { useCardWindow } from '../../components/fleet/use-card-window.ts';
import { plural } from '../../format/figures.ts';
import { SORT_NAMES, sortServers } from '../../format/server-sort.ts';
import type { CardSort } from '../../format/server-sort.ts';
import { byServer } from '../../format/server-facts.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';

/** Cards that a small screen shows first; a button shows the rest. */
const FIRST_CARDS = 4;
const SKELETONS = 8;

const Head = styled('header')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  marginBottom: 12,
  '& > h2': { ...theme.typography.h2, margin: 0 },
  '& > .sort': { marginLeft: 'auto' },
}));

interface ServerGridProps {
  servers: readonly Server[] | undefined;
  /** All there are, whatever this page lists. */
  total: number | undefined;
  metrics: readonly LatestMetricsItem[] | undefined;
}

function Cards({ servers, metrics }: { servers: readonly Server[]; metrics: ServerGridProps['metrics'] }) {
  const latest = byServer(metrics);
  const [grid, sight] = useCardWindow<HTMLDivElement>(servers.length, SERVER_CARD);
  const sparks = useCardSparks(servers, sight);
  return <FleetCards grid={grid} servers={servers} sight={sight} latest={latest} sparks={sparks} />;
}

/** A card for each server, least headroom first. */
export function ServerGrid({ servers, total = 0, metrics }: ServerGridProps) {
  const [sort, setSort] = useState<CardSort>('headroom');
  const [all, setAll] = useState(false);
  const small = useMediaQuery('(max-width: 599.95px)');
  // The button answers at once; a hundred cards follow.
  const order = useDeferredValue(sort);
  const sorted = servers === undefined ? undefined : sortServers(servers, order);
  const shown = small && !all ? sorted?.slice(0, FIRST_CARDS) : sorted;
  const hidden = (sorted?.length ?? 0) - (shown?.length ?? 0);
  const unlisted = total - (servers?.length ?? total);
  return (
    <section aria-label="Servers">
      <Head>
        <h2>Servers</h2>
        <ToolbarNote>{servers !== undefined && total}</ToolbarNote>
        <ToolbarNote className="sort">Sort</ToolbarNote>
        <Toggle label="Sort servers" value={sort} options={SORT_NAMES} onChange={setSort} />
      </Head>
      {shown === undefined ? (
        <CardGrid>
          {Array.from({ length: SKELETONS }, (_, index) => (
            <ServerCardSkeleton key={index} />
          ))}
        </CardGrid>
      ) : (
        <FleetGroups servers={shown} grouped={order === 'headroom'} heading="h3">
          {(group) => <Cards servers={group} metrics={metrics} />}
        </FleetGroups>
      )}
      {hidden > 0 && (
        <Button variant="outlined" fullWidth sx={{ mt: 1.5 }} onClick={() => setAll(true)}>
          Show {hidden} more
        </Button>
      )}
      {hidden === 0 && unlisted > 0 && (
        <Button variant="outlined" fullWidth sx={{ mt: 1.5 }} component={Link} to={paths.servers}>
          {plural(unlisted, 'more server')} on the Servers page
        </Button>
      )}
    </section>
  );
}
