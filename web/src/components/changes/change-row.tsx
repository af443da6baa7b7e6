import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import type { ChangeSource } from '@plimsoll/contract/rules/changes';
import type { Change } from '@plimsoll/contract/wire/changes';
import { useId, useState } from 'react';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { Link } from '../../router.ts';
import { momentMs } from '../../time/age.ts';
import { clockTime, dayAndTime, fullMoment } from '../../time/zone.ts';
import { Age } from '../age.tsx';
import {
  DnsOutlined as HostIcon,
  ExpandMore as ExpandMoreIcon,
  HubOutlined as ClusterIcon,
  SettingsOutlined as PlimsollIcon,
  UpgradeOutlined as DeployIcon,
} from '../icons/material.tsx';
import { changeLink, SOURCE_NAME, subjectOf } from './change-words.ts';
import { FieldDiff } from './field-diff.tsx';

const ICON: Record<ChangeSource, typeof HostIcon> = {
  cluster: ClusterIcon,
  host: HostIcon,
  deploy: DeployIcon,
  plimsoll: PlimsollIcon,
};

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'auto 16px minmax(0, 1fr) auto auto',
  gap: '0 10px',
  padding: '8px 16px',
  alignItems: 'start',
  '& > time': { color: theme.vars.palette.text.secondary, fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  '& > svg': { fontSize: 16, marginTop: 2, color: theme.vars.palette.load.text3 },
  '& .message': { overflowWrap: 'anywhere' },
  '& .message > b': { fontWeight: 600 },
  '& .where': {
    ...theme.typography.caption,
    display: 'flex',
    flexWrap: 'wrap',
    gap: '0 8px',
    color: theme.vars.palette.text.secondary,
    overflowWrap: 'anywhere',
  },
  '& .age': { ...theme.typography.caption, lineHeight: '20px', color: theme.vars.palette.load.text3 },
  '& .diff': { gridColumn: '3 / -1', padding: '8px 0 4px' },
  [theme.breakpoints.down('sm')]: {
    gridTemplateColumns: '16px minmax(0, 1fr) auto auto',
    '& > time': { ...theme.typography.caption, gridColumn: '2 / -1', gridRow: 2 },
    '& .diff': { gridColumn: '1 / -1' },
  },
}));
const Fold = styled(ButtonBase)({
  width: 24,
  height: 24,
  '& svg': { fontSize: 18 },
  '&[aria-expanded="true"] svg': { transform: 'rotate(180deg)' },
});

/** The API accepts no others; a page must not rely on it. */
const isWebAddress = (link: string | null): link is string => link !== null && /^https?:\/\//i.test(link);

interface ChangeRowProps {
  change: Change;
  /** Shows the day, too. */
  dated?: boolean;
  /** Why it stands here: "this object itself". */
  why?: string;
  /** The same change elsewhere, which this row stands for too. */
  others?: readonly Change[];
}

const NAMED = 6;

/** The other places of a change that many have, such as an update of all web servers. */
function Elsewhere({ others }: { others: readonly Change[] }) {
  const more = others.length - NAMED;
  return (
    <>
      <span>also on</span>
      {others.slice(0, NAMED).map((one) => {
        const to = changeLink(one);
        const words = escapeInvisible(one.hostname ?? one.cluster_name ?? one.name);
        return to === null ? (
          <span key={one.id}>{words}</span>
        ) : (
          <Link key={one.id} to={to}>
            {words}
          </Link>
        );
      })}
      {more > 0 && <span>and {more} more</span>}
    </>
  );
}

/** One change with its time, place and author. A button opens its fields. */
export function ChangeRow({ change, dated = false, why, others = [] }: ChangeRowProps) {
  const [open, setOpen] = useState(false);
  const body = useId();
  const ms = momentMs(change.at) ?? 0;
  const Icon = ICON[change.source];
  const to = changeLink(change);
  const subject = subjectOf(change);
  return (
    <Row>
      <time dateTime={change.at} title={fullMoment(ms)}>
        {dated ? dayAndTime(ms) : clockTime(ms)}
      </time>
      <Icon aria-label={SOURCE_NAME[change.source]} />
      <div style={{ minWidth: 0 }}>
        <div className="message">
          <b>{to === null ? subject : <Link to={to}>{subject}</Link>}</b> {escapeInvisible(change.title)}
        </div>
        <div className="where">
          {change.cluster_name !== null && <span>{escapeInvisible(change.cluster_name)}</span>}
          {others.length > 0 && <Elsewhere others={others} />}
          {change.by !== null && <span>by {escapeInvisible(change.by)}</span>}
          {why !== undefined && <span>{why}</span>}
          {isWebAddress(change.link) && (
            <a href={change.link} target="_blank" rel="noopener noreferrer nofollow">
              Open the pipeline
            </a>
          )}
        </div>
      </div>
      <span className="age">
        <Age at={ms} form="short" />
      </span>
      {change.fields.length > 0 && (
        <Fold
          aria-expanded={open}
          aria-controls={body}
          aria-label={`Fields of ${subject}`}
          onClick={() => setOpen(!open)}
        >
          <ExpandMoreIcon aria-hidden />
        </Fold>
      )}
      {open && (
        <div id={body} className="diff">
          <FieldDiff fields={change.fields} />
        </div>
      )}
    </Row>
  );
}
