import { usePlot } from './use-plot.ts';

/** The moment someone looks back at: a line through every chart of the page, with a head to find it by. */
export function MomentLine({ at, bottom }: { at: number | null; bottom: number }) {
  const plot = usePlot();
  if (at === null || at < plot.from || at > plot.to) return null;
  const x = plot.x(at);
  return (
    <g className="moment" pointerEvents="none">
      <path d={`M${x} -4V${bottom}`} />
      <path className="head" d={`M${x - 4} -8H${x + 4}L${x} -2Z`} />
    </g>
  );
}
