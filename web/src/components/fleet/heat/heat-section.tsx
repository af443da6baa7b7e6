import { plural } from '../../../format/figures.ts';
import { cssVars } from '../../css-vars.ts';
import { Region } from '../../flag.tsx';
import { BandIcon } from '../../status-icons.tsx';
import type { FleetBar } from '../fleet-bars.ts';
import type { HeatGroup } from './heat-groups.ts';

const GLYPH = { over: 'M5 .8 9.6 9H.4Z', near: 'M5 0 10 5 5 10 0 5Z' } as const;

function Cell({ bar, href, first }: { bar: FleetBar; href: string; first: boolean }) {
  const { id, band, kind, words, height } = bar;
  return (
    <li>
      <a href={href} data-id={id} tabIndex={first ? 0 : -1} data-band={band} data-kind={kind} aria-label={words}>
        <i style={cssVars({ h: height })} />
        {band !== 'ok' && (
          <svg width="9" height="9" viewBox="0 0 10 10" aria-hidden>
            <path d={GLYPH[band]} />
          </svg>
        )}
      </a>
    </li>
  );
}

/** Returns the heading of a group: the region with its flag, or the value of the tag. */
function titleOf(name: string | null, by: string) {
  if (by !== 'region') return name ?? `No ${by.slice('tag:'.length)}`;
  return name === null ? 'No region' : <Region region={name} />;
}

function GroupHead({ group, by }: { group: HeatGroup; by: string }) {
  const { name, bars, over, near } = group;
  return (
    <h3>
      {titleOf(name, by)}
      <small>{plural(bars.length, 'server')}</small>
      <span className="counts">
        <small>
          {over > 0 && <BandIcon band="over" size={9} />} <b>{over}</b> over
        </small>
        <small>
          {near > 0 && <BandIcon band="near" size={9} />} <b>{near}</b> near
        </small>
      </span>
    </h3>
  );
}

interface HeatSectionProps {
  group: HeatGroup;
  /** The grouping: 'region' or 'tag:KEY'. */
  by: string;
  /** Cells at most; the last then stands for the rest. */
  cells: number;
  /** Its first cell is the one that the Tab key reaches. */
  first: boolean;
  hrefOf: (serverId: string) => string;
  onOpen: () => void;
}

/** One group of the heat grid. */
export function HeatSection({ group, by, cells, first, hrefOf, onOpen }: HeatSectionProps) {
  const { bars } = group;
  const folded = bars.length > cells;
  const shown = folded ? bars.slice(0, cells - 1) : bars;
  return (
    <section>
      <GroupHead group={group} by={by} />
      <ol>
        {shown.map((bar, index) => (
          <Cell key={bar.id} bar={bar} href={hrefOf(bar.id)} first={first && index === 0} />
        ))}
        {folded && (
          <li>
            <button
              type="button"
              aria-label={`Show ${plural(bars.length - shown.length, 'more server')}`}
              onClick={onOpen}
            >
              +{bars.length - shown.length}
            </button>
          </li>
        )}
      </ol>
    </section>
  );
}
