import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import type { RehearseAnswer } from '@plimsoll/contract/wire/alert-rules';
import { LEVEL_NAME } from '../../../components/chips.tsx';
import { Pager } from '../../../components/pager.tsx';
import { PanelBody, Rows } from '../../../components/panel.tsx';
import { LevelIcon } from '../../../components/status-icons.tsx';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { ageText, momentMs } from '../../../time/age.ts';
import { dayAndTime } from '../../../time/zone.ts';
import { Quiet } from '../../../components/form/form-parts.tsx';

export type Moment = RehearseAnswer['moments'][number];

export const MOMENTS_ON_PAGE = 8;

const Row = styled(ButtonBase)(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '16px minmax(0, 1fr) auto auto',
  alignItems: 'center',
  gap: 12,
  width: '100%',
  minHeight: 40,
  padding: '0 16px',
  font: 'inherit',
  textAlign: 'left',
  '&:hover': { backgroundColor: theme.vars.palette.action.hover },
  '&[aria-current]': { backgroundColor: theme.vars.palette.action.selected },
  '& > .host': { minWidth: 0, overflowWrap: 'anywhere' },
  '& > time': { fontVariantNumeric: 'tabular-nums' },
  '& > .lasted': { color: theme.vars.palette.load.text3 },
  [theme.breakpoints.down('sm')]: {
    gridTemplateColumns: '16px minmax(0, 1fr) auto',
    padding: '6px 16px',
    '& > .lasted': { gridColumn: '2 / -1', marginTop: -8 },
  },
}));

const lasted = ({ fired_at: from, resolved_at: to }: Moment): string =>
  to === null ? 'would still fire' : `for ${ageText(((momentMs(to) ?? 0) - (momentMs(from) ?? 0)) / 1000)}`;

/** "Critical from 20 Nov 03:00, would still fire". */
export const momentWords = (moment: Moment): string =>
  `${LEVEL_NAME[moment.level]} from ${dayAndTime(momentMs(moment.fired_at) ?? 0)}, ${lasted(moment)}`;

interface MomentsProps {
  moments: readonly Moment[];
  fired: number | null;
  picked: Moment | null;
  /** Index of the first moment shown. */
  offset: number;
  onOffset: (offset: number) => void;
  onPick: (moment: Moment) => void;
}

/** Lists the moments, newest first. Each shows itself on the chart. */
export function Moments({ moments, fired, picked, offset, onOffset, onPick }: MomentsProps) {
  if (moments.length === 0) return null;
  return (
    <>
      <Rows aria-label="Moments">
        {moments.slice(offset, offset + MOMENTS_ON_PAGE).map((moment) => (
          <li key={`${moment.server_id} ${moment.fired_at}`}>
            <Row
              aria-current={moment === picked || undefined}
              aria-label={`${escapeInvisible(moment.hostname)}: ${momentWords(moment)}. Show on the chart`}
              onClick={() => onPick(moment)}
            >
              <LevelIcon level={moment.level} />
              <span className="host">{escapeInvisible(moment.hostname)}</span>
              <time dateTime={moment.fired_at}>{dayAndTime(momentMs(moment.fired_at) ?? 0)}</time>
              <span className="lasted">{lasted(moment)}</span>
            </Row>
          </li>
        ))}
      </Rows>
      {moments.length > MOMENTS_ON_PAGE && (
        <Pager offset={offset} limit={MOMENTS_ON_PAGE} total={moments.length} onOffset={onOffset} />
      )}
      {fired !== null && fired > moments.length && (
        <PanelBody>
          <Quiet>
            The newest {moments.length} of {fired}.
          </Quiet>
        </PanelBody>
      )}
    </>
  );
}
