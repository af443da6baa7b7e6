import { LegalPage } from '../../components/legal-page.tsx';
import type { LegalClause } from '../../components/legal-page.tsx';
import { PROMISES } from '../../format/legal-promises.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';

const Nav = () => (
  <>
    <Link to={paths.landing}>Home</Link>
    <Link to={paths.privacy}>Privacy Policy</Link>
    <Link to={paths.login}>Sign In</Link>
  </>
);

const CLAUSES: readonly LegalClause[] = [
  {
    id: 'acceptance',
    title: 'Acceptance',
    text: (
      <>
        <p>By signing in or installing the agent you accept these terms. If you do not, do not use the service.</p>
        <p>
          You must be at least {PROMISES.minimumAge} years old, or have the consent of a parent or guardian, to use it.
        </p>
      </>
    ),
  },
  {
    id: 'service',
    title: 'The service',
    text: (
      <>
        <p>
          An agent on each server, or on each node of a Kubernetes cluster, reports measurements every 60 seconds. The
          dashboard stores them, shows them to the account that owns the server, and sends alerts to the channels you
          configure.
        </p>
        <p>
          The agent only reports. The dashboard can only change how often it reports and which of its sources are on. It
          cannot make the agent run, read or change anything else on the machine.
        </p>
      </>
    ),
  },
  {
    id: 'account',
    title: 'Your account',
    text: (
      <>
        <ul>
          <li>You sign in with GitHub, Google, your organisation’s provider, or a local account.</li>
          <li>A session token lasts {PROMISES.sessionHours} hours and ends when you log out.</li>
          <li>
            Keep your permanent tokens and install commands secret. You can replace or revoke each of them at any time.
            Your audit log lists the actions made with them.
          </li>
          <li>You are responsible for all actions made with your account.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'use',
    title: 'Acceptable use',
    text: (
      <>
        <ul>
          <li>Install the agent only on machines and clusters that you own or administer.</li>
          <li>Do not try to read data of another account, or to overload or disable the service.</li>
          <li>Do not use the service to break a law that applies to you.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'plans',
    title: 'Plans and limits',
    text: (
      <>
        <p>
          Your own installation has no limits. If the operator offers the plans of the{' '}
          <Link to={paths.landing}>home page</Link>, a plan limits the number of servers and the length of the history,
          and nothing else. The error message names the limit you reach.
        </p>
      </>
    ),
  },
  {
    id: 'data',
    title: 'Your data',
    text: (
      <>
        <p>
          You own the data that your servers report. You can export all of it and delete your account on your Profile
          page.
        </p>
        <p>
          Metrics are kept for {PROMISES.retention.metrics}, alerts for {PROMISES.retention.alerts}, events for{' '}
          {PROMISES.retention.events} and processes for {PROMISES.retention.processes}, unless you set a shorter time.
        </p>
      </>
    ),
  },
  {
    id: 'termination',
    title: 'Termination',
    text: (
      <>
        <p>
          You may stop at any time: uninstall the agents and delete the account. The operator may close an account that
          breaks these terms. Account data is deleted within {PROMISES.accountDeletionDays} days of termination.
        </p>
      </>
    ),
  },
  {
    id: 'warranty',
    title: 'No warranty',
    text: (
      <>
        <p>
          The software comes under the Apache License 2.0, “as is”, without warranty of any kind. Monitoring can fail
          together with the systems it monitors, so do not make it your only safeguard. As far as the law allows, the
          operator and the authors are not liable for damage that follows from its use.
        </p>
      </>
    ),
  },
  {
    id: 'changes',
    title: 'Changes',
    text: (
      <>
        <p>
          The date above shows the last change of these terms. The operator announces a change to your disadvantage
          before it applies.
        </p>
      </>
    ),
  },
];

export function Component() {
  return (
    <LegalPage
      title="Terms of Service"
      lastUpdated={PROMISES.lastUpdated}
      nav={<Nav />}
      intro={
        <p>
          These terms govern the use of this installation of Plimsoll. “The operator” is whoever runs it; “you” are the
          person who signs in. What is stored and for how long is in the <Link to={paths.privacy}>Privacy Policy</Link>.
        </p>
      }
      clauses={CLAUSES}
    />
  );
}
