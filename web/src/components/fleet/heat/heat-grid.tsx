import type { FleetEntry } from '@plimsoll/contract/wire/servers';
import { useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { useCarried, useNavigate } from '../../../router.ts';
import { optionalText, storedValue } from '../../../state/stored-value.ts';
import { useStored } from '../../../state/use-stored.ts';
import { cssVars } from '../../css-vars.ts';
import { Toggle } from '../../form/toggle.tsx';
import type { FleetBar } from '../fleet-bars.ts';
import { CELL_PX, COLUMN_GAP_PX, Frame, Tip } from './heat-style.ts';
import { foldedCells, groupingsOf, heatGroups } from './heat-groups.ts';
import { HeatSection } from './heat-section.tsx';
import { useColumns } from './use-columns.ts';
import { nextCell } from './walk.ts';

/** The grouping that someone chose; the dashboard and the Servers page share it. */
const chosenGrouping = storedValue('plimsoll.fleet-grouping', optionalText);

interface HeatGridProps {
  fleet: readonly FleetEntry[];
  to: (serverId: string) => string;
  /** Shows the worst of each group until someone opens all. */
  folds?: boolean;
  /** Further figures of a server, in its tooltip. */
  renderDetail?: (serverId: string) => ReactNode;
}

interface Pointed {
  bar: FleetBar;
  /** Share of the grid's width, and px from its top. */
  x: number;
  y: number;
  above: boolean;
}

const isPlain = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
const cellOf = (target: EventTarget): HTMLAnchorElement | null =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-id]') : null;

/** The cell under the pointer or with the focus, and where its tooltip stands. */
function usePointed(bars: ReadonlyMap<string, FleetBar>) {
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const leave = () => setPointed(null);
  const point = ({ target, currentTarget }: { target: EventTarget; currentTarget: HTMLElement }) => {
    const cell = cellOf(target);
    const bar = bars.get(cell?.dataset['id'] ?? '');
    if (cell === null || bar === undefined) return leave();
    const [box, at] = [currentTarget.getBoundingClientRect(), cell.getBoundingClientRect()];
    const above = at.top > window.innerHeight / 2;
    setPointed({
      bar,
      x: (at.left + at.width / 2 - box.left) / box.width,
      y: (above ? at.top - 6 : at.bottom + 6) - box.top,
      above,
    });
  };
  return { pointed, point, leave };
}

/** Every server as a cell, filled to its nearest resource's share of its line; the line runs through each row. */
export function HeatGrid({ fleet, to, folds = false, renderDetail }: HeatGridProps) {
  const navigate = useNavigate();
  const carried = useCarried();
  const [grid, columns] = useColumns<HTMLDivElement>(CELL_PX.width + COLUMN_GAP_PX, COLUMN_GAP_PX);
  const [open, setOpen] = useState(!folds);
  const [chosen, setChosen] = useStored(chosenGrouping);
  const groupings = groupingsOf(fleet);
  const by = groupings.find(({ value }) => value === chosen)?.value ?? 'region';
  const groups = heatGroups(fleet, by);
  const { pointed, point, leave } = usePointed(new Map(groups.flatMap(({ bars }) => bars.map((bar) => [bar.id, bar]))));
  const cells = open ? Number.POSITIVE_INFINITY : foldedCells(groups.length, columns);
  const press = (event: MouseEvent) => {
    const cell = cellOf(event.target);
    if (cell === null || !isPlain(event)) return;
    event.preventDefault();
    void navigate(to(cell.dataset['id'] ?? ''));
  };
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') return leave();
    const next = nextCell(event.key, [...event.currentTarget.querySelectorAll<HTMLElement>('a[data-id]')]);
    if (next === null) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <Frame
      ref={grid}
      role="group"
      aria-label="Nearest resource of each server"
      onClick={press}
      onKeyDown={walk}
      onPointerOver={point}
      onPointerLeave={leave}
      onFocus={point}
      onBlur={leave}
    >
      {groupings.length > 1 && (
        <div className="by">
          <Toggle label="Group the servers by" value={by} options={groupings} onChange={setChosen} />
        </div>
      )}
      {groups.map((group, place) => (
        <HeatSection
          key={group.name ?? ''}
          group={group}
          by={by}
          cells={cells}
          first={place === 0}
          hrefOf={(id) => carried(to(id))}
          onOpen={() => setOpen(true)}
        />
      ))}
      {pointed !== null && (
        <Tip
          aria-hidden
          data-above={pointed.above ? '' : undefined}
          style={cssVars({ x: pointed.x, y: `${pointed.y}px` })}
        >
          <span className="words">{pointed.bar.words}</span>
          {renderDetail?.(pointed.bar.id)}
        </Tip>
      )}
    </Frame>
  );
}
