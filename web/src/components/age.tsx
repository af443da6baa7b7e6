import { useSyncExternalStore } from 'react';
import { ageText, shortAge } from '../time/age.ts';
import { onTick } from '../time/clock.ts';
import { useView } from '../state/view.ts';
import { fullMoment } from '../time/zone.ts';

interface AgeProps {
  /** Epoch milliseconds; null shows `never`. */
  at: number | null;
  /** `long` is "7 min", `short` "7m". */
  form?: 'long' | 'short';
  suffix?: string;
  prefix?: string;
  never?: string;
}

/** Age that ticks, with the moment on hover; on a page of the past, the age then. Renders again only when its text changes. */
export function Age({
  at,
  form = 'long',
  suffix = form === 'long' ? ' ago' : '',
  prefix = '',
  never = 'never',
}: AgeProps) {
  const { at: shown } = useView();
  const words = useSyncExternalStore(onTick, () => {
    if (at === null) return never;
    const seconds = ((shown === null ? Date.now() : shown * 1000) - at) / 1000;
    return `${prefix}${form === 'long' ? ageText(seconds) : shortAge(seconds)}${suffix}`;
  });
  if (at === null) return <span>{words}</span>;
  return (
    <time dateTime={new Date(at).toISOString()} title={fullMoment(at)}>
      {words}
    </time>
  );
}
