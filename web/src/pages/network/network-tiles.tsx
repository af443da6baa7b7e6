import { StatGrid, StatTile } from '../../components/stat-tile.tsx';
import { CLOSE_WAIT_BANDS, countBand, TIME_WAIT_BANDS } from '../../format/connection-words.ts';
import { cssVars } from '../../components/css-vars.ts';
import { megabytesPerSecond, numberText, ratePlaces } from '../../format/figures.ts';
import type { NetworkNow } from './network-now.ts';

const NONE = 'not reported';

function rateText(bytes: number | null): string | null {
  if (bytes === null) return null;
  const rate = megabytesPerSecond(bytes);
  return rate.toFixed(ratePlaces(rate));
}

/** The last known figures. The limits of time-wait and close-wait are those of one server, not of a sum. */
export function NetworkTiles({ now, one }: { now: NetworkNow; one: boolean }) {
  const band = (count: number | null, bands: readonly [number, number]) => (one ? countBand(count, bands) : 'ok');
  const limit = (bands: readonly [number, number]) =>
    one ? `amber above ${numberText(bands[0])}` : 'limits apply to one server';
  return (
    <StatGrid style={cssVars({ columns: 5 })} role="group" aria-label="Network now">
      <StatTile label="Inbound" value={rateText(now.inbound)} unit="MB/s" reason={NONE} />
      <StatTile label="Outbound" value={rateText(now.outbound)} unit="MB/s" reason={NONE} />
      <StatTile
        label="Established"
        value={numberText(now.established)}
        reason={NONE}
        fact={now.total === null ? undefined : `of ${numberText(now.total)} connections`}
      />
      <StatTile
        label="Time wait"
        value={numberText(now.timeWait)}
        band={band(now.timeWait, TIME_WAIT_BANDS)}
        reason={NONE}
        fact={limit(TIME_WAIT_BANDS)}
      />
      <StatTile
        label="Close wait"
        value={numberText(now.closeWait)}
        band={band(now.closeWait, CLOSE_WAIT_BANDS)}
        reason={NONE}
        fact={limit(CLOSE_WAIT_BANDS)}
        wide
      />
    </StatGrid>
  );
}
