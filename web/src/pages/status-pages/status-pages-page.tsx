import Button from '@mui/material/Button';
import type { StatusPageOnWire } from '@plimsoll/contract/wire/checks/status-pages';
import { useState } from 'react';
import { failureText, type RequestFailed } from '../../api/client.ts';
import { useMutation, useQuery, useQueryClient } from '../../api/query.ts';
import { deleteStatusPage, statusPagesQuery } from '../../api/status-pages.ts';
import { useIsAdmin } from '../../api/user.ts';
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx';
import { awaitedWords, FeedPanel } from '../../components/feedback/feed-panel.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Page } from '../../components/page.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { PageDialog } from './page-dialog.tsx';
import { PageRow } from './page-row.tsx';
import { Add as AddIcon } from '../../components/icons/pages.tsx';

const publicWords = (pages: readonly StatusPageOnWire[]): string => {
  const count = pages.filter(({ status }) => status === 'public').length;
  return count === 0 ? 'Nothing is public.' : `${count} public. Anyone with a link can read its page.`;
};

/** The status pages of the organisation and their links. */
export function Component() {
  const asked = useQuery(statusPagesQuery());
  const isAdmin = useIsAdmin();
  const queries = useQueryClient();
  /** The page in the form; `new` creates one. */
  const [edited, setEdited] = useState<StatusPageOnWire | 'new' | null>(null);
  const [ended, setEnded] = useState<StatusPageOnWire | null>(null);
  const remove = useMutation<unknown, RequestFailed, string>({
    mutationFn: deleteStatusPage,
    onSettled: () => queries.invalidateQueries({ queryKey: ['account'] }),
  });
  const pages = asked.data?.status_pages ?? [];
  const add = isAdmin && (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setEdited('new')}>
      New status page
    </Button>
  );
  const confirm = () => {
    if (ended !== null) remove.mutate(ended.page_id);
    setEnded(null);
  };
  return (
    <Page
      title="Status pages"
      sentence={asked.data === undefined ? awaitedWords(asked, 'status pages') : publicWords(pages)}
      actions={
        <Button component={Link} to={paths.profile} variant="outlined">
          Profile
        </Button>
      }
    >
      {remove.error !== null && <Notice tone="error">{failureText(remove.error)}</Notice>}
      <FeedPanel
        title="Status pages"
        note={asked.data?.total}
        actions={pages.length > 0 && add}
        asked={asked}
        rows={3}
        empty={{
          sentence: 'No status pages',
          reason: isAdmin
            ? 'A status page shows the state of chosen servers and checks to anyone with its link.'
            : 'A status page shows the state of chosen servers and checks to anyone with its link. An admin can create one.',
          action: add,
        }}
      >
        {pages.map((page) => (
          <PageRow
            key={page.page_id}
            page={page}
            mayChange={isAdmin}
            busy={remove.isPending}
            onEdit={() => setEdited(page)}
            onDelete={() => setEnded(page)}
          />
        ))}
      </FeedPanel>
      {edited !== null && <PageDialog page={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      <ConfirmDialog
        open={ended !== null}
        title={`Delete ${ended === null ? '' : escapeInvisible(ended.title)}?`}
        confirm="Delete"
        danger
        onConfirm={confirm}
        onClose={() => setEnded(null)}
      >
        <span>Its link stops working at once. You cannot undo this. A new page has a new link.</span>
      </ConfirmDialog>
    </Page>
  );
}
