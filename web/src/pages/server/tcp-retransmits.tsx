import { styled } from '@mui/material/styles';
import type { LatestMetricsItem, TimeseriesAnswer } from '@plimsoll/contract/wire/metrics';
import { LoadChart } from '../../components/chart/load-chart.tsx';
import { highest, niceMax } from '../../components/chart/points/chart-shape.ts';
import { bandPoints, chartGap } from '../../components/chart/points/series-shape.ts';
import { Figure } from '../../components/figure.tsx';
import { axisText } from '../../format/figures.ts';
import { ageText } from '../../time/age.ts';

const Reading = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  flexWrap: 'wrap',
  gap: '0 6px',
  margin: 0,
  padding: '10px 16px 0',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  color: theme.vars.palette.text.secondary,
  '& b': { color: theme.vars.palette.text.primary, fontWeight: 600 },
}));

interface TcpRetransmitsProps {
  latest: LatestMetricsItem | undefined;
  answer: TimeseriesAnswer | undefined;
}

/** TCP segments that the host sent again: the last figure with its age, and its history. */
export function TcpRetransmits({ latest, answer }: TcpRetransmitsProps) {
  const { value = null, reason = null } = latest?.metrics.tcp_retransmits_per_sec ?? {};
  const age = latest?.age_seconds ?? null;
  const points = bandPoints(answer?.timeseries ?? [], 'tcp_retransmits');
  const top = highest([points]);
  return (
    <>
      <Reading>
        TCP retransmits
        <b>
          <Figure value={value?.toFixed(2) ?? null} unit="/s" reason={reason ?? 'No metrics available'} />
        </b>
        {value !== null && age !== null && `${ageText(age)} ago`}
      </Reading>
      {answer !== undefined && top !== null && (
        <LoadChart
          label="TCP retransmits a second"
          from={answer.from}
          to={answer.to}
          yMax={niceMax(top)}
          steps={2}
          height={96}
          format={axisText}
          gaps={answer.gaps.map(chartGap)}
          series={[{ id: 'tcp_retransmits', label: 'TCP retransmits', colour: 3, points }]}
        />
      )}
    </>
  );
}
