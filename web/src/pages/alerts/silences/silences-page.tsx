import AddIcon from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { SilenceOnWire } from '@plimsoll/contract/wire/alert-silences';
import { useState } from 'react';
import { endSilence, silencesQuery } from '../../../api/alert-acting.ts';
import { failureText } from '../../../api/client.ts';
import { useMutation, useQuery, useQueryClient } from '../../../api/query.ts';
import { useMayEdit } from '../../../api/user.ts';
import { Chip } from '../../../components/chips.tsx';
import { FeedPanel } from '../../../components/feedback/feed-panel.tsx';
import { Notice } from '../../../components/feedback/notice.tsx';
import { Page } from '../../../components/page.tsx';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { useFreshness } from '../../../state/use-freshness.ts';
import { momentMs } from '../../../time/age.ts';
import { dayAndTime, fullMoment, zoneName } from '../../../time/zone.ts';
import { AlertsNav } from '../alerts-nav.tsx';
import { Quiet } from '../form-parts.tsx';
import { SilenceDialog } from './silence-dialog.tsx';

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'center',
  gap: 12,
  minHeight: 52,
  padding: '6px 16px',
  '& > div': { minWidth: 0, overflowWrap: 'anywhere' },
  '& b': { fontWeight: 600, marginRight: 8 },
  '&[data-over] b': { color: theme.vars.palette.load.text3 },
}));

const STATUS = { active: 'Active', pending: 'Starts later', expired: 'Ended' } as const;
const NO_BUTTON = { expired: true, active: false, pending: false } as const;

/** "until 24 Nov 08:00 UTC, by mira: deploy". */
function periodWords({ starts_at: from, ends_at: to, status, created_by: by, comment }: SilenceOnWire): string {
  const end = momentMs(to) ?? 0;
  const start = status === 'pending' ? `from ${dayAndTime(momentMs(from) ?? 0)} ` : '';
  const until = `${start}until ${dayAndTime(end)} ${zoneName(end)}`;
  return `${until}${by === null ? '' : `, by ${by}`}${comment === '' ? '' : `: ${comment}`}`;
}

/** The silences of the account: what they match, until when, and by whom. */
export function Component() {
  const asked = useQuery(silencesQuery());
  const mayEdit = useMayEdit();
  const [isAdding, setAdding] = useState(false);
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: endSilence,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['alerts'] }),
  });
  useFreshness('updated', asked.dataUpdatedAt || null);
  const silences = asked.data?.silences ?? [];
  const active = silences.filter(({ status }) => status === 'active').length;
  const add = mayEdit && (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setAdding(true)}>
      Add silence
    </Button>
  );
  return (
    <Page
      title="Silences"
      sentence={
        asked.data === undefined ? 'Loading silences…' : `${active} active. Silenced alerts are listed, not sent.`
      }
      actions={<AlertsNav current="silences" />}
    >
      {end.error !== null && <Notice tone="error">{failureText(end.error)}</Notice>}
      <FeedPanel
        title="Silences"
        note={asked.data?.total}
        actions={silences.length > 0 && add}
        asked={asked}
        rows={3}
        empty={{
          sentence: 'No silences',
          reason: 'A silence holds messages back until its end, for example during a deploy.',
          action: add,
        }}
      >
        {silences.map((silence) => (
          <Row
            key={silence.silence_id}
            aria-label={escapeInvisible(silence.text)}
            data-over={silence.status === 'expired' ? '' : undefined}
          >
            <div>
              <b>{escapeInvisible(silence.text)}</b>
              <Chip>{STATUS[silence.status]}</Chip>
              <br />
              <Quiet title={fullMoment(momentMs(silence.ends_at) ?? 0)}>{escapeInvisible(periodWords(silence))}</Quiet>
            </div>
            {mayEdit && !NO_BUTTON[silence.status] && (
              <Button variant="outlined" disabled={end.isPending} onClick={() => end.mutate(silence.silence_id)}>
                {silence.status === 'active' ? 'End now' : 'Delete'}
              </Button>
            )}
          </Row>
        ))}
      </FeedPanel>
      {isAdding && <SilenceDialog onClose={() => setAdding(false)} onSaved={() => setAdding(false)} />}
    </Page>
  );
}
