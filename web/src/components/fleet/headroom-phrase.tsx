import { styled } from '@mui/material/styles';
import { headroomBand } from '@plimsoll/contract/rules/headroom';
import type { ServerStatus } from '@plimsoll/contract/rules/limits';
import type { Headroom } from '@plimsoll/contract/wire/servers';
import { pointsText, RESOURCE_NAME, sideOf } from '@plimsoll/contract/rules/load-words';
import { Age } from '../age.tsx';
import { BandIcon, StatusIcon } from '../status-icons.tsx';

const Phrase = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  whiteSpace: 'nowrap',
  '& b': { fontWeight: 600, fontVariantNumeric: 'tabular-nums' },
  '&[data-band="over"] .points': { color: theme.vars.palette.load.overText },
  '&[data-band="near"] .points': { color: theme.vars.palette.load.nearText },
  '&[data-quiet]': { color: theme.vars.palette.load.text3 },
}));

interface HeadroomPhraseProps {
  headroom: Headroom | null;
  /** `full` says "points below the line", `short` says "below". */
  form?: 'full' | 'short';
  /** Set when the figures are old: epoch milliseconds of the last report. */
  staleSince?: number | null | undefined;
  /** Status of a server whose figures are old. */
  status?: ServerStatus;
}

/** "▲ CPU · 11 over the line". */
export function HeadroomPhrase({ headroom, form = 'short', staleSince, status = 'offline' }: HeadroomPhraseProps) {
  if (staleSince !== undefined) {
    return (
      <Phrase data-quiet="">
        <StatusIcon status={status} />
        <span>
          {staleSince === null ? (
            status === 'refused' ? (
              'No report stored'
            ) : (
              'No report yet'
            )
          ) : (
            <Age at={staleSince} prefix="Last report " />
          )}
        </span>
      </Phrase>
    );
  }
  if (headroom === null) return <Phrase data-quiet="">No line set</Phrase>;
  const band = headroomBand(headroom);
  const side = sideOf(headroom.points);
  const words = form === 'full' ? (side === 'over' ? 'over the line' : 'points below the line') : side;
  return (
    <Phrase data-band={band}>
      <BandIcon band={band} />
      <span>
        <b>{RESOURCE_NAME[headroom.resource]}</b> ·{' '}
        {side === 'at' ? (
          <b className="points">at the line</b>
        ) : (
          <>
            <b className="points">{pointsText(headroom.points)}</b> {words}
          </>
        )}
      </span>
    </Phrase>
  );
}
