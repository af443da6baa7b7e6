import { auditQuery } from '../../api/account.ts';
import { useQuery } from '../../api/query.ts';
import { useEveryRow } from '../../api/every-row.ts';
import { ExportButton } from '../../components/export/export-button.tsx';
import { fieldsTable } from '../../components/export/export-file.ts';
import { Age } from '../../components/age.tsx';
import { FeedPanel } from '../../components/feedback/feed-panel.tsx';
import { momentMs } from '../../time/age.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { sentenceOf } from './audit-words.ts';
import { Entry, Quiet } from './profile-parts.tsx';

const EXPORTED = ['at', 'action', 'person', 'token', 'address', 'detail', 'id'] as const;

/** Audit log of this account, newest first. */
export function AuditPanel() {
  const asked = useQuery(auditQuery());
  const entries = asked.data?.entries ?? [];
  const everyEntry = useEveryRow(auditQuery, ({ entries: rows, total }) => ({ rows, total }));
  return (
    <FeedPanel
      title="Audit log"
      note={asked.data === undefined ? undefined : `${entries.length} of ${asked.data.total}`}
      actions={
        <ExportButton
          holds={['audit log']}
          table={async () => fieldsTable(await everyEntry(), EXPORTED)}
          disabled={entries.length === 0}
        />
      }
      asked={asked}
      rows={4}
      empty={{ sentence: 'No changes yet' }}
    >
      {entries.map((entry) => (
        <Entry key={entry.id}>
          <div>
            {escapeInvisible(sentenceOf(entry))}
            {entry.address !== null && (
              <>
                <br />
                <Quiet>from {escapeInvisible(entry.address)}</Quiet>
              </>
            )}
          </div>
          <Quiet>
            <Age at={momentMs(entry.at)} form="short" />
          </Quiet>
        </Entry>
      ))}
    </FeedPanel>
  );
}
