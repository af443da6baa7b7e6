import { styled } from '@mui/material/styles';
import type { UserProfile } from '@plimsoll/contract/wire/accounts/users';
import { Age } from '../../components/age.tsx';
import { Chip } from '../../components/chips.tsx';
import { Facts } from '../../components/facts.tsx';
import { StatusIcon } from '../../components/status-icons.tsx';
import { Panel } from '../../components/panel.tsx';
import { momentMs } from '../../time/age.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { day } from '../../time/zone.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';

const Who = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 14,
  padding: '16px 16px 12px',
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& img, & .initial': { flex: 'none', width: 48, height: 48, borderRadius: '50%' },
  '& .initial': {
    display: 'grid',
    placeItems: 'center',
    boxSizing: 'border-box',
    border: `2px solid ${theme.vars.palette.load.line}`,
    fontSize: 20,
    fontWeight: 600,
  },
  '& strong': { display: 'block', fontSize: 16, lineHeight: '24px', fontWeight: 600, overflowWrap: 'anywhere' },
  '& span': { color: theme.vars.palette.text.secondary, overflowWrap: 'anywhere' },
}));
const Links = styled('nav')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: '0 20px',
  padding: '4px 16px 8px',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > a': { display: 'inline-flex', alignItems: 'center', minHeight: 40, fontWeight: 500 },
}));

/** Only an address of our own: the API hands avatars through, and nothing else may be loaded. */
const ownPath = (avatar: string | null) => (avatar !== null && /^\/(?!\/)/.test(avatar) ? avatar : null);

export function AccountPanel({ user }: { user: UserProfile }) {
  const avatar = ownPath(user.avatar);
  return (
    <Panel title="Account">
      <Who>
        {avatar === null ? (
          <span className="initial" aria-hidden>
            {(user.name || user.email).slice(0, 1).toUpperCase()}
          </span>
        ) : (
          <img src={avatar} alt="" width={48} height={48} />
        )}
        <div>
          <strong>{escapeInvisible(user.name)}</strong>
          <span>{escapeInvisible(user.email)}</span>
        </div>
      </Who>
      <Facts
        facts={[
          { name: 'Name', value: escapeInvisible(user.name) },
          { name: 'Email', value: escapeInvisible(user.email) },
          {
            name: 'GitHub',
            value: user.github_username === null ? 'not connected' : escapeInvisible(user.github_username),
          },
          {
            name: 'Status',
            value: (
              <Chip>
                <StatusIcon status={user.is_active ? 'active' : 'uninstalled'} />
                {user.is_active ? 'Active' : 'Inactive'}
              </Chip>
            ),
          },
          { name: 'Member since', value: day(Date.parse(user.created_at)) },
          { name: 'Last login', value: <Age at={momentMs(user.last_login)} /> },
        ]}
      />
      <Links aria-label="Resources you own">
        <Link to={paths.servers}>Servers</Link>
        <Link to={paths.kubernetes}>Kubernetes</Link>
        <Link to={paths.kubernetesNodes}>Kubernetes nodes</Link>
      </Links>
    </Panel>
  );
}
