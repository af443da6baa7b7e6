import Button from '@mui/material/Button';
import type { ChannelView } from '@plimsoll/contract/wire/notify';
import { useState } from 'react';
import { channelsQuery } from '../../../api/notify.ts';
import { useQuery } from '../../../api/query.ts';
import { useMayEdit } from '../../../api/user.ts';
import { awaitedWords, FeedPanel } from '../../../components/feedback/feed-panel.tsx';
import { Page } from '../../../components/page.tsx';
import { plural } from '../../../format/figures.ts';
import { useFreshness } from '../../../state/use-freshness.ts';
import { AlertsNav } from '../alerts-nav.tsx';
import { ChannelDialog } from './channel-dialog.tsx';
import { ChannelRow } from './channel-row.tsx';
import { ContentsPanel } from './contents-panel.tsx';
import { DeliveriesPanel } from './deliveries-panel.tsx';
import { NoLinkNotice } from './no-link-notice.tsx';
import { Add as AddIcon } from '../../../components/icons/pages.tsx';

/** "2 channels. The last message through 1 of them failed." */
function sentenceOf(channels: readonly ChannelView[]): string {
  if (channels.length === 0) return 'No channel yet: alerts appear on this dashboard only.';
  const failing = channels.filter(({ last_delivery: last }) => last !== null && last.outcome !== 'delivered').length;
  const count = `${plural(channels.length, 'channel')}.`;
  return failing === 0 ? count : `${count} The last message failed on ${failing}.`;
}

export function Component() {
  const asked = useQuery(channelsQuery());
  const mayEdit = useMayEdit();
  /** The channel in the dialog; `new` creates one. */
  const [edited, setEdited] = useState<ChannelView | 'new' | null>(null);
  useFreshness('updated', asked.dataUpdatedAt || null);
  const channels = asked.data?.channels ?? [];
  // An API of an older version does not report it.
  const lacksLink = asked.data?.messages_link === false;
  const add = mayEdit && (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setEdited('new')}>
      Add channel
    </Button>
  );
  return (
    <Page
      title="Channels"
      sentence={asked.data === undefined ? awaitedWords(asked, 'channels') : sentenceOf(channels)}
      actions={<AlertsNav current="channels" />}
    >
      {lacksLink && channels.length > 0 && <NoLinkNotice />}
      <FeedPanel
        title="Channels"
        note={asked.data?.total}
        actions={channels.length > 0 && add}
        asked={asked}
        rows={2}
        empty={{
          sentence: 'No channels yet',
          reason: 'A channel sends alerts to Telegram, e-mail, Slack and others.',
          action: add,
        }}
      >
        {channels.map((channel) => (
          <ChannelRow key={channel.id} channel={channel} mayEdit={mayEdit} onEdit={() => setEdited(channel)} />
        ))}
      </FeedPanel>
      {channels.length > 0 && <ContentsPanel />}
      <DeliveriesPanel channels={channels} />
      {edited !== null && (
        <ChannelDialog
          channel={edited === 'new' ? null : edited}
          lacksLink={lacksLink}
          onClose={() => setEdited(null)}
          onSaved={() => setEdited(null)}
        />
      )}
    </Page>
  );
}
