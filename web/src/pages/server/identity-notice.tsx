import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { Fragment } from 'react';
import { Age } from '../../components/age.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { momentMs } from '../../time/age.ts';

const IN_TEXT = { textDecoration: 'underline', textUnderlineOffset: 3 } as const;

/** Signs that more than one machine is this server, and what to do. */
export function IdentityNotice({ server: { identity } }: { server: Pick<ServerDetail, 'identity'> }) {
  const { shares_machine_id_with: others, former_token_used_at: usedAt } = identity;
  return (
    <>
      {others.length > 0 && (
        <div style={{ marginTop: 12 }}>
          <Notice tone="warning">
            <p>
              <strong>This server shares its machine id with </strong>
              {others.map(({ id, name }, index) => (
                <Fragment key={id}>
                  {index > 0 && ', '}
                  <Link to={paths.server(id)} style={IN_TEXT}>
                    {escapeInvisible(name)}
                  </Link>
                </Fragment>
              ))}
              . One is a clone of the other, or both are clones of a template.
            </p>
            <p>
              Give one of them an id of its own: <code>rm /etc/machine-id &amp;&amp; systemd-machine-id-setup</code>.
              Then enrol it again with the command of Setup, and delete its old server here.
            </p>
          </Notice>
        </div>
      )}
      {usedAt !== null && (
        <div style={{ marginTop: 12 }}>
          <Notice tone="warning">
            <p>
              <strong>A collector reports with a former token of this server.</strong> The API refused it last{' '}
              <Age at={momentMs(usedAt)} />. It may run on another machine with the same machine id.
            </p>
            <p>
              On that machine, enrol again with the command of Setup. <code>plimsoll status</code> shows the same
              reason.
            </p>
          </Notice>
        </div>
      )}
    </>
  );
}
