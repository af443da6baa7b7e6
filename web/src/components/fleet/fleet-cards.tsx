import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import type { Server } from '@plimsoll/contract/wire/servers';
import type { RefObject } from 'react';
import type { RowWindow } from './row-window.ts';
import { FleetCard } from './fleet-card.tsx';
import { CARD_GAP_PX, CardGrid } from './server-card.tsx';
import type { SparkPoint } from './spark-path.ts';
import type { CardSize } from './use-card-window.ts';

/** A card with its three bars. */
export const SERVER_CARD: CardSize = { px: 190, gapPx: CARD_GAP_PX };

interface FleetCardsProps {
  grid: RefObject<HTMLDivElement | null>;
  servers: readonly Server[];
  /** The cards of `servers` to draw. */
  sight: RowWindow;
  latest: ReadonlyMap<string, LatestMetricsItem>;
  /** The points of each server's small chart, by server id. */
  sparks: ReadonlyMap<string, readonly SparkPoint[] | undefined>;
}

/** A row of the grid's whole width that stands for the cards not drawn. */
const Room = ({ px }: { px: number }) => (
  <div aria-hidden style={{ gridColumn: '1 / -1', height: px - SERVER_CARD.gapPx }} />
);

/** A grid of servers as high as if all its cards were drawn. */
export function FleetCards({ grid, servers, sight, latest, sparks }: FleetCardsProps) {
  return (
    <CardGrid ref={grid}>
      {sight.above > 0 && <Room px={sight.above} />}
      {servers.slice(sight.first, sight.end).map((server) => (
        <FleetCard key={server.id} server={server} latest={latest.get(server.id)} spark={sparks.get(server.id)} />
      ))}
      {sight.below > 0 && <Room px={sight.below} />}
    </CardGrid>
  );
}
