import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { StatusPageOnWire } from '@plimsoll/contract/wire/checks/status-pages';
import { Chip } from '../../components/chips.tsx';
import { CopyButton } from '../../components/form/copy-button.tsx';
import { creatorWords } from '../../format/creator-words.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { momentMs } from '../../time/age.ts';
import { dayAndTime, zoneName } from '../../time/zone.ts';

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'center',
  gap: '8px 16px',
  minHeight: 60,
  padding: '8px 16px',
  '& > div:first-of-type': { minWidth: 0, overflowWrap: 'anywhere' },
  '& b': { fontWeight: 600, marginRight: 8 },
  '& p': { ...theme.typography.caption, margin: '2px 0 0', color: theme.vars.palette.load.text3 },
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: 'minmax(0, 1fr)', paddingBlock: 12 },
}));
const Actions = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 8,
  [theme.breakpoints.down('sm')]: { '& .MuiButton-root': { minHeight: 40 } },
}));

const STATUS = { public: 'Public', off: 'Not published', expired: 'Expired' } as const;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** "3 servers with names and figures, 1 check, ends 24 Dec 08:00 UTC". */
function pageWords(page: StatusPageOnWire): string {
  const { servers, checks, shows_names: names, shows_figures: figures, is_indexable: isIndexable } = page;
  const shown = [...(names ? ['names'] : []), ...(figures ? ['figures'] : [])].join(' and ');
  const end = momentMs(page.expires_at);
  return [
    ...(servers.length === 0
      ? []
      : [`${counted(servers.length, 'server')} ${shown === '' ? 'without names and figures' : `with ${shown}`}`]),
    ...(checks.length === 0 ? [] : [counted(checks.length, 'check')]),
    ...(isIndexable ? ['listed by search engines'] : []),
    ...(end === null ? [] : [`${page.status === 'expired' ? 'ended' : 'ends'} ${dayAndTime(end)} ${zoneName(end)}`]),
    `made by ${creatorWords(page.created_by)}`,
  ].join(', ');
}

interface PageRowProps {
  page: StatusPageOnWire;
  /** False: a reader sees the page and its link. */
  mayChange: boolean;
  busy: boolean;
  onEdit: () => void;
  onDelete: () => void;
}

export function PageRow({ page, mayChange, busy, onEdit, onDelete }: PageRowProps) {
  const title = escapeInvisible(page.title);
  const isPublic = page.status === 'public';
  return (
    <Row aria-label={title}>
      <div>
        <b>{title}</b>
        <Chip>{STATUS[page.status]}</Chip>
        <p>{pageWords(page)}</p>
      </div>
      <Actions>
        {isPublic && (
          <>
            <Button
              component={Link}
              to={{ pathname: page.path }}
              target="_blank"
              variant="outlined"
              aria-label={`Open ${title}`}
            >
              Open
            </Button>
            <CopyButton text={new URL(page.path, window.location.origin).href} label="Copy link" />
          </>
        )}
        <Button
          component={Link}
          to={paths.statusIncidents(page.page_id)}
          variant="outlined"
          aria-label={`Incidents of ${title}`}
        >
          Incidents
        </Button>
        {mayChange && (
          <>
            <Button variant="outlined" aria-label={`Edit ${title}`} onClick={onEdit}>
              Edit
            </Button>
            <Button variant="outlined" aria-label={`Delete ${title}`} disabled={busy} onClick={onDelete}>
              Delete
            </Button>
          </>
        )}
      </Actions>
    </Row>
  );
}
