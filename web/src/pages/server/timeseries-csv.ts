import type { TimeseriesPoint } from '@plimsoll/contract/wire/metrics';

const NAMES = ['cpu', 'memory', 'disk', 'io_wait', 'iops'] as const;

/** One line per bucket, ISO times in UTC, an empty field for the unknown. */
export function timeseriesCsv(points: readonly TimeseriesPoint[]): string {
  const columns = NAMES.flatMap((name) => [`${name}_avg`, `${name}_min`, `${name}_max`]);
  const lines = points.map(({ time, bands }) =>
    [time, ...NAMES.flatMap((name) => [bands[name].avg, bands[name].min, bands[name].max])]
      .map((value) => value ?? '')
      .join(','),
  );
  return [['time', ...columns].join(','), ...lines, ''].join('\r\n');
}

/** Hands a text to the browser as a download. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
