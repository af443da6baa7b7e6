import type { TimeseriesAnswer } from '@plimsoll/contract/wire/metrics';
import { spanText } from '../../components/chart/points/series-shape.ts';
import { Notice } from '../../components/feedback/notice.tsx';
import { plural } from '../../format/figures.ts';

/** Stretches that are named; a chart of a week may have many. */
const MOST = 3;

/** Names the hours whose samples the time-series store does not answer, and why. */
export function UnavailableSamples({ answer }: { answer: TimeseriesAnswer | undefined }) {
  const all = answer?.unavailable ?? [];
  if (answer === undefined || all.length === 0) return null;
  const left = all.length - MOST;
  return (
    <Notice>
      {all.slice(0, MOST).map(({ from, to, detail }) => (
        <p key={from}>
          <strong>{spanText(from, to, answer.to - answer.from)}:</strong> {detail}
        </p>
      ))}
      {left > 0 && <p>{plural(left, 'more time', 'more times')} of this range.</p>}
    </Notice>
  );
}
