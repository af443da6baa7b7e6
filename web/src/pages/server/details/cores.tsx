import { styled } from '@mui/material/styles';
import { CapacityBar } from '../../../components/fleet/capacity-bar.tsx';
import { Figure } from '../../../components/figure.tsx';
import { Panel } from '../../../components/panel.tsx';
import { plural } from '../../../format/figures.ts';

const Grid = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(150px, 1fr))',
  gap: '8px 20px',
  padding: '14px 16px',
  '& > div': { display: 'grid', gridTemplateColumns: '20px minmax(0, 1fr) 40px', alignItems: 'center', gap: 8 },
  '& > div > :last-child': { textAlign: 'right' },
  '& > div > :first-of-type': { color: theme.vars.palette.load.text3 },
}));

interface CoresProps {
  percents: readonly (number | null)[];
  line: number;
  stale: boolean;
}

/** Returns the line of the folded panel: "16 cores, busiest 100 %". */
function busiest(percents: CoresProps['percents']): string {
  const known = percents.filter((percent) => percent !== null);
  const count = plural(percents.length, 'core');
  return known.length === 0 ? count : `${count}, busiest ${Math.round(Math.max(...known))} %`;
}

/** Every core as of the last report. */
export function Cores({ percents, line, stale }: CoresProps) {
  return (
    <Panel title="Cores" note={plural(percents.length, 'core')} fold={busiest(percents)}>
      <Grid>
        {percents.map((percent, core) => (
          <div key={core}>
            <span>{core}</span>
            <CapacityBar name={`Core ${core}`} value={percent} line={line} stale={stale} />
            <Figure value={percent === null ? null : String(Math.round(percent))} unit="%" />
          </div>
        ))}
      </Grid>
    </Panel>
  );
}
