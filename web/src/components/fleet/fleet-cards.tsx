import type { LatestMetricsItem } from '@plimsoll/contract/metrics';
import type { Server } from '@plimsoll/contract/servers';
import type { RefObject } from 'react';
import { sparkFor } from '../../api/spark-pages.ts';
import type { Sparks } from '../../api/spark-pages.ts';
import type { RowWindow } from './row-window.ts';
import { FleetCard } from './fleet-card.tsx';
import { CARD_GAP_PX, CardGrid } from './server-card.tsx';
import type { CardSize } from './use-card-window.ts';

/** A card with its three bars. */
export const SERVER_CARD: CardSize = { px: 190, gapPx: CARD_GAP_PX };

interface FleetCardsProps {
  grid: RefObject<HTMLDivElement | null>;
  servers: readonly Server[];
  /** The cards of `servers` to draw. */
  sight: RowWindow;
  latest: ReadonlyMap<string, LatestMetricsItem>;
  sparks: Sparks;
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
        <FleetCard key={server.id} server={server} latest={latest.get(server.id)} spark={sparkFor(server, sparks)} />
      ))}
      {sight.below > 0 && <Room px={sight.below} />}
    </CardGrid>
  );
}
