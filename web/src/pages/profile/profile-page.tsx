import Button from '@mui/material/Button';
import { useQuery } from '../../api/query.ts';
import { profileQuery } from '../../api/user.ts';
import { PageSpinner } from '../../components/feedback/page-spinner.tsx';
import { Page } from '../../components/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { ErrorState, failureDetail } from '../../components/feedback/states.tsx';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { AccountPanel } from './account-panel.tsx';
import { AuditPanel } from './audit-panel.tsx';
import { LeavePanel } from './leave-panel.tsx';
import { PreferencesPanel } from './preferences-panel.tsx';
import { Columns, Stack } from './profile-parts.tsx';
import { RetentionPanel } from './retention-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { SecondFactorPanel } from './second-factor-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { TokenPanel } from './token-panel.tsx';
import { TokensPanel } from './tokens-panel.tsx';

export function Component() {
  const asked = useQuery(profileQuery());
  if (asked.isPending) return <PageSpinner />;
  if (asked.data === undefined) {
    return (
      <Page title="Profile">
        <Panel>
          <ErrorState
            message="Failed to load profile"
            detail={failureDetail(asked.error)}
            at={asked.errorUpdatedAt}
            onRetry={() => void asked.refetch()}
          />
        </Panel>
      </Page>
    );
  }
  const { user } = asked.data;
  // The API refuses what these panels read and change to everybody else.
  const isAdmin = user.role === 'admin';
  return (
    <Page
      title="Profile"
      sentence="Your account, its tokens and retention times"
      actions={
        <>
          {user.is_operator && (
            <Button component={Link} to={paths.health} variant="outlined">
              Installation health
            </Button>
          )}
          <Button component={Link} to={paths.team} variant="outlined">
            Team
          </Button>
          <Button component={Link} to={paths.statusPages} variant="outlined">
            Status pages
          </Button>
        </>
      }
    >
      <Columns>
        <Stack>
          <AccountPanel user={user} />
          {isAdmin && <TokenPanel />}
          <TokensPanel />
          {isAdmin && <AuditPanel />}
        </Stack>
        <Stack>
          <PreferencesPanel />
          <PasswordPanel />
          <SecondFactorPanel />
          <SessionsPanel />
          <RetentionPanel />
          {isAdmin && <LeavePanel email={user.email} />}
        </Stack>
      </Columns>
    </Page>
  );
}
