import type { ExportTable } from '../export/export-file.ts';
import type { ChartPoint } from './points/chart-shape.ts';

interface Named {
  label: string;
  points: readonly ChartPoint[];
}

/** Returns a row per moment of any series: the ISO time in UTC, then average, lowest and highest of each. */
export function seriesTable(series: readonly Named[]): ExportTable {
  const moments = [...new Set(series.flatMap(({ points }) => points.map(({ at }) => at)))].toSorted((a, b) => a - b);
  const columnsOf = ({ label, points }: Named) => {
    const values = new Map(points.map((point) => [point.at, point]));
    const banded = points.some(({ min, max }) => min != null || max != null);
    return {
      names: banded ? [`${label} average`, `${label} lowest`, `${label} highest`] : [label],
      cells: (at: number) => {
        const { avg = null, min = null, max = null } = values.get(at) ?? {};
        return banded ? [avg, min, max] : [avg];
      },
    };
  };
  const columns = series.map(columnsOf);
  return {
    columns: ['time', ...columns.flatMap(({ names }) => names)],
    rows: moments.map((at) => [new Date(at * 1000).toISOString(), ...columns.flatMap(({ cells }) => cells(at))]),
  };
}
