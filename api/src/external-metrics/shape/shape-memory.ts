import { memoryUse } from '@plimsoll/contract/rules/machines/memory';
import type { MemoryPart } from '@plimsoll/contract/wire/report';
import { figureKey } from '../collect-readings.ts';
import type { Figures } from '../figures.ts';

/** Returns the use of memory by the rules that the collector has. Undefined: what was sent does not suffice. */
export function shapeMemory(figures: Figures): MemoryPart | undefined {
  const of = (what: string): number | null => figures.value(figureKey('memory', what));
  const use = memoryUse({
    total: of('total'),
    available: of('available'),
    free: of('free'),
    buffers: of('buffers'),
    cached: of('cached'),
    shared: of('shared'),
    reclaimable: of('reclaimable'),
    used: of('used'),
    usedShare: of('used-share'),
    inactive: of('inactive'),
    active: of('active'),
    wired: of('wired'),
    compressed: of('compressed'),
    arc: of('arc'),
    arcMinimum: of('arc-minimum'),
    hugePagesFree: hugePagesFree(of),
  });
  if (use === null) return undefined;
  const [total, available] = [whole(use.total_bytes), whole(use.available_bytes)];
  const swap = (what: string): number | null => figures.value(figureKey('swap', what)) ?? sumOfSwap(figures, what);
  const swapUsed = swap('used') ?? (swap('total') ?? 0) - (swap('free') ?? swap('total') ?? 0);
  return {
    total_bytes: total,
    available_bytes: available,
    used_bytes: Math.min(total - available, whole(use.used_bytes)),
    swap_total_bytes: whole(swap('total') ?? swapUsed + (swap('free') ?? 0)),
    swap_used_bytes: whole(swapUsed),
  };
}

/** Bytes of huge pages that no process has or was promised. */
function hugePagesFree(of: (what: string) => number | null): number | null {
  const [free, pageBytes] = [of('huge-free'), of('huge-page')];
  return free === null || pageBytes === null ? null : Math.max(0, free - (of('huge-reserved') ?? 0)) * pageBytes;
}

/** OpenTelemetry sends each device for itself. */
function sumOfSwap(figures: Figures, what: string): number | null {
  const values = figures
    .labelsOf('swap-device')
    .filter(([, state]) => state === what)
    .map((labels) => figures.value(figureKey('swap-device', ...labels)) ?? 0);
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
}

const whole = (value: number): number => Math.round(Math.max(0, value));
