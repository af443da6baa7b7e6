import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { Age } from '../../components/age.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { momentMs } from '../../time/age.ts';

/** Why a server that sends reports has no new figures, and what to do. */
export function RefusedNotice({ server: { status, refusal } }: { server: Pick<ServerDetail, 'status' | 'refusal'> }) {
  if (status !== 'refused' || refusal === null) return null;
  return (
    <div style={{ marginTop: 12 }}>
      <Notice tone="error">
        <p>
          <strong>The API refuses the reports of this server.</strong> The first was refused{' '}
          <Age at={momentMs(refusal.since)} />, the last <Age at={momentMs(refusal.last_at)} />. None is stored.
        </p>
        <p>
          <code>{escapeInvisible(refusal.detail)}</code>
        </p>
        <p>
          Update the agent or the server, whichever is older. On the machine, <code>plimsoll check</code> shows the same
          reason.
        </p>
      </Notice>
    </div>
  );
}
