import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import type { Headroom, LoadLines } from '@plimsoll/contract/wire/servers';
import type { ServerStatus } from '@plimsoll/contract/rules/limits';
import type { ReactNode } from 'react';
import { bandOf } from '@plimsoll/contract/rules/headroom';
import { RESOURCE_NAME } from '@plimsoll/contract/rules/load-words';
import type { SparkPoint } from './spark-path.ts';
import { Link } from '../../router.ts';
import { CapacityBar } from './capacity-bar.tsx';
import { StatusChip } from '../chips.tsx';
import { Figure } from '../figure.tsx';
import { Region } from '../flag.tsx';
import { HeadroomPhrase } from './headroom-phrase.tsx';
import { MiddleTruncate } from '../middle-truncate.tsx';
import { Spark } from './spark.tsx';
import { percentText } from '../../format/percent-text.ts';

const Frame = styled(Paper)(({ theme }) => ({
  position: 'relative',
  display: 'flex',
  flexDirection: 'column',
  minWidth: 0,
  overflow: 'hidden',
  // Under the pointer only: a change of the theme would fade the edges of every card, frame by frame.
  '&:hover': { borderColor: theme.vars.palette.load.control, transition: 'border-color 120ms' },
  '&:focus-within': { borderColor: theme.vars.palette.info.main },
})) as typeof Paper;
const Facts = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  padding: '12px 14px 10px',
  color: theme.vars.palette.text.secondary,
  '& > div': { display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 8, minWidth: 0 },
  // Not the first of its type: that is the status beside the name, too.
  '& > div > :first-child': { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  // A region or a tag cut in the middle says nothing; the platform can lose its end.
  '& > div > :last-child:not(:first-child)': { flexShrink: 0, maxWidth: '60%', whiteSpace: 'nowrap' },
  '& .sizes': { color: theme.vars.palette.load.text3 },
}));
const Name = styled(Link)(({ theme }) => ({
  ...theme.typography.h2,
  color: theme.vars.palette.text.primary,
  lineHeight: '22px',
  '&:hover': { textDecoration: 'none' },
  // The whole card is the link's target.
  '&::after': { content: '""', position: 'absolute', inset: 0 },
  '&:focus-visible': { outlineOffset: 0 },
}));
const Bars = styled('div')({ padding: '0 14px 12px', display: 'grid', gap: 5, flex: 1, alignContent: 'start' });
const Bar = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'grid',
  gridTemplateColumns: '52px minmax(0, 1fr) 44px',
  alignItems: 'center',
  gap: 8,
  color: theme.vars.palette.text.secondary,
  '& > :last-child': { textAlign: 'right', color: theme.vars.palette.text.primary },
  '&[data-nearest]': { color: theme.vars.palette.text.primary },
  '&[data-nearest] > :first-of-type': { fontWeight: 600 },
  '&[data-band="near"] > :last-child': { color: theme.vars.palette.load.nearText },
  '&[data-band="over"] > :last-child': { color: theme.vars.palette.load.overText, fontWeight: 600 },
  '&[data-stale] > :last-child': { color: theme.vars.palette.load.text3 },
}));
const Foot = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 37%)',
  alignItems: 'center',
  minHeight: 39,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > :first-of-type': { padding: '0 14px', fontSize: 13 },
  '& > .spark': { alignSelf: 'stretch', height: 39 },
}));
const Message = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  padding: '4px 14px 12px',
  flex: 1,
  color: theme.vars.palette.text.secondary,
  '& strong': { display: 'block', color: theme.vars.palette.text.primary, fontWeight: 600, marginBottom: 2 },
}));

interface CardFigures {
  cpu: number | null;
  memory: number | null;
  disk: number | null;
}

export interface ServerCardProps {
  name: string;
  to: string;
  status: ServerStatus;
  /** "Debian 12 · amd64". */
  platform: string;
  region: string | null;
  /** "8 cores · 32 GB · 4 TB". */
  sizes: string;
  lines: LoadLines;
  headroom: Headroom | null;
  figures: CardFigures;
  /** Epoch milliseconds of the last report of a silent server; undefined while figures are fresh. */
  staleSince?: number | null | undefined;
  spark?: readonly SparkPoint[] | undefined;
  /** Instead of bars: waiting for the first report, agent removed. */
  message?: ReactNode;
  foot?: ReactNode;
  tags?: ReactNode;
}

const RESOURCES = ['cpu', 'memory', 'disk'] as const;

function ResourceBars({ lines, headroom, figures, staleSince }: ServerCardProps) {
  const stale = staleSince !== undefined;
  return (
    <Bars>
      {RESOURCES.map((resource) => {
        const value = figures[resource];
        const { warning, critical } = lines[resource];
        return (
          <Bar
            key={resource}
            data-nearest={!stale && headroom?.resource === resource ? '' : undefined}
            data-band={stale || value === null ? 'ok' : bandOf(value, warning)}
            data-stale={stale ? '' : undefined}
          >
            <span>{RESOURCE_NAME[resource]}</span>
            <CapacityBar
              name={RESOURCE_NAME[resource]}
              value={value}
              line={warning}
              critical={critical}
              stale={stale}
            />
            <Figure value={percentText(value ?? null, warning)} unit="%" />
          </Bar>
        );
      })}
    </Bars>
  );
}

/** One server of the fleet: what it is, its three bars, its distance to the line. */
export function ServerCard(props: ServerCardProps) {
  const { name, to, status, platform, region, sizes, headroom, spark, message, foot, tags, staleSince } = props;
  const line = headroom === null ? 80 : headroom.line;
  return (
    <Frame component="article">
      <Facts>
        <div>
          <Name to={to}>
            <MiddleTruncate text={name} />
          </Name>
          <StatusChip status={status} bare />
        </div>
        <div>
          <span title={platform}>{platform}</span>
          <Region region={region} />
        </div>
        <div>
          <span className="sizes">{sizes}</span>
          {tags}
        </div>
      </Facts>
      {message === undefined ? <ResourceBars {...props} /> : <Message>{message}</Message>}
      <Foot>
        <span>{foot ?? <HeadroomPhrase {...{ headroom, staleSince, status }} />}</span>
        {spark !== undefined && spark.length > 1 && (
          <span className="spark">
            <Spark points={spark} line={line} />
          </span>
        )}
      </Foot>
    </Frame>
  );
}

export const CARD_GAP_PX = 12;
export const CardGrid = styled('div')({
  display: 'grid',
  gap: CARD_GAP_PX,
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 264px), 1fr))',
});
