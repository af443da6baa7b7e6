import { styled } from '@mui/material/styles';
import { headroomBand } from '@plimsoll/contract/rules/headroom';
import type { Server } from '@plimsoll/contract/wire/servers';
import { pointsText, RESOURCE_NAME, sideOf } from '@plimsoll/contract/rules/load-words';

const Words = styled('span')(({ theme }) => ({
  whiteSpace: 'nowrap',
  '&[data-band="near"] b': { color: theme.vars.palette.load.nearText },
  '&[data-band="over"] b': { color: theme.vars.palette.load.overText },
  '&[data-band="quiet"], &[data-band="quiet"] b, & i': {
    color: theme.vars.palette.load.text3,
    fontWeight: 400,
    fontStyle: 'normal',
  },
  '& b': { fontWeight: 600, fontVariantNumeric: 'tabular-nums' },
}));

const WITHOUT = {
  installing: 'no report yet',
  uninstalled: 'agent removed',
  offline: 'no reports',
  refused: 'reports refused',
} as const;

/** "CPU 11 over" in a cell; why not, for a server that has no figures. */
export function Distance({ server: { headroom, status } }: { server: Server }) {
  if (status !== 'active') return <Words data-band="quiet">{WITHOUT[status]}</Words>;
  if (headroom === null) return <Words data-band="quiet">no figures</Words>;
  const side = sideOf(headroom.points);
  return (
    <Words data-band={headroomBand(headroom)}>
      <b>
        {RESOURCE_NAME[headroom.resource]} {side !== 'at' && pointsText(headroom.points)}
      </b>{' '}
      <i>{side === 'at' ? 'at the line' : side}</i>
    </Words>
  );
}
