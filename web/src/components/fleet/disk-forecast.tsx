import { useMemo, useSyncExternalStore } from 'react';
import type { DiskForecast } from '@plimsoll/contract/wire/servers';
import { forecastWords, type ForecastWords } from '../../format/forecast-words.ts';
import { onTick } from '../../time/clock.ts';
import { Figure } from '../figure.tsx';

/** Tells the words of this moment; the same object until they change. */
function wordsNow(forecast: DiskForecast | null): () => ForecastWords {
  let told: ForecastWords | null = null;
  return () => {
    const words = forecastWords(forecast, Date.now());
    if (told === null || words.text !== told.text || words.detail !== told.detail) told = words;
    return told;
  };
}

/** "in 6 d" with the whole forecast on hover, or N/A with its reason. */
export function DiskForecastText({ forecast }: { forecast: DiskForecast | null }) {
  const { text, reason, detail } = useSyncExternalStore(
    onTick,
    useMemo(() => wordsNow(forecast), [forecast]),
  );
  return (
    <span title={detail}>
      <Figure value={text} reason={reason} />
    </span>
  );
}
