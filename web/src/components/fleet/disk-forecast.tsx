import { useMemo, useSyncExternalStore } from 'react';
import type { DiskForecast } from '@plimsoll/contract/wire/servers';
import { forecastWords, type ForecastWords } from '../../format/forecast-words.ts';
import { onTick } from '../../time/clock.ts';
import { Figure } from '../figure.tsx';
import { VisuallyHidden } from '../visually-hidden.tsx';

/** Tells the words of this moment; the same object until they change. */
function wordsNow(forecast: DiskForecast | null): () => ForecastWords {
  let told: ForecastWords | null = null;
  return () => {
    const words = forecastWords(forecast, Date.now());
    if (told === null || words.text !== told.text || words.detail !== told.detail) told = words;
    return told;
  };
}

interface DiskForecastTextProps {
  forecast: DiskForecast | null;
  /** In a column of many: a dash for a disk that does not fill up, and the reason on hover. */
  dash?: boolean;
}

/** "in 6 d" with the whole forecast on hover, or N/A with its reason. */
export function DiskForecastText({ forecast, dash = false }: DiskForecastTextProps) {
  const { text, reason, isClear, detail } = useSyncExternalStore(
    onTick,
    useMemo(() => wordsNow(forecast), [forecast]),
  );
  if (dash && isClear)
    return (
      <span title={detail}>
        <span aria-hidden>–</span>
        <VisuallyHidden>{reason}</VisuallyHidden>
      </span>
    );
  return (
    <span title={detail}>
      <Figure value={text} reason={reason} />
    </span>
  );
}
