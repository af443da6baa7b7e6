import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useSyncExternalStore } from 'react';
import { useAt, useBackToNow } from '../../state/use-at.ts';
import { ageText } from '../../time/age.ts';
import { onTick } from '../../time/clock.ts';
import { fullMoment } from '../../time/zone.ts';
import { sinceMoment } from '../../time/since-moment.ts';
import { HistoryOutlined as HistoryIcon } from '../../components/icons/material.tsx';

/** Height of the band in px; what sticks below the top bar makes room for it. */
export const MOMENT_BAND_PX = 44;

const Band = styled('section')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  minHeight: MOMENT_BAND_PX,
  padding: '4px 24px',
  borderBottom: `1px solid ${theme.vars.palette.info.main}`,
  // The tint is translucent and the page scrolls below it.
  background: `linear-gradient(${theme.vars.palette.load.infoTint}, ${theme.vars.palette.load.infoTint}) ${theme.vars.palette.background.default}`,
  color: theme.vars.palette.text.secondary,
  '& > svg': { flex: 'none', fontSize: 18, color: theme.vars.palette.info.main },
  '& > div': { flex: 1, minWidth: 0, overflowWrap: 'anywhere' },
  '& strong': { fontWeight: 600, color: theme.vars.palette.text.primary, fontVariantNumeric: 'tabular-nums' },
  '& > button': { flex: 'none' },
  [theme.breakpoints.down('sm')]: { padding: '2px 12px', gap: 8, '& > button': { minHeight: 40 } },
}));

/** Says on every page that it shows a moment of the past, and leads back. `ofNow`: this page has no past. */
export function MomentBand({ ofNow }: { ofNow: boolean }) {
  const [at] = useAt();
  const backToNow = useBackToNow();
  const ago = useSyncExternalStore(onTick, () => (at === null ? '' : ageText(Date.now() / 1000 - at)));
  if (at === null) return null;
  const moment = sinceMoment(at * 1000);
  return (
    <Band aria-label="Moment shown">
      <HistoryIcon aria-hidden />
      <div role="status" title={fullMoment(at * 1000)}>
        {ofNow ? (
          <>
            This page shows now. Other pages are shown as of <strong>{moment}</strong>.
          </>
        ) : (
          <>
            Shown as of <strong>{moment}</strong>, {ago} ago. Updates are paused.
          </>
        )}
      </div>
      <Button variant="outlined" size="small" onClick={backToNow}>
        Back to now
      </Button>
    </Band>
  );
}
