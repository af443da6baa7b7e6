import { LegalPage } from '../../components/legal-page.tsx';
import type { LegalClause } from '../../components/legal-page.tsx';
import { PROMISES } from '../../format/legal-promises.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { StoredKinds } from './stored-kinds.tsx';

const { retention, detail } = PROMISES;

const Nav = () => (
  <>
    <Link to={paths.landing}>Home</Link>
    <Link to={paths.terms}>Terms of Service</Link>
    <Link to={paths.login}>Sign In</Link>
  </>
);

const Retention = () => (
  <table>
    <tbody>
      <tr>
        <th scope="row">Metrics</th>
        <td>
          {retention.metrics}: in full for {detail.rawDays} days, as 5-minute averages for {detail.fiveMinuteDays} days,
          as hourly averages for {detail.hourlyDays} days
        </td>
      </tr>
      <tr>
        <th scope="row">Alerts</th>
        <td>{retention.alerts}</td>
      </tr>
      <tr>
        <th scope="row">Events</th>
        <td>{retention.events}</td>
      </tr>
      <tr>
        <th scope="row">Processes</th>
        <td>{retention.processes}</td>
      </tr>
      <tr>
        <th scope="row">Account</th>
        <td>until you delete it; gone within {PROMISES.accountDeletionDays} days of termination</td>
      </tr>
    </tbody>
  </table>
);

const CLAUSES: readonly LegalClause[] = [
  {
    id: 'stored',
    title: 'What is stored',
    text: (
      <>
        <StoredKinds />
      </>
    ),
  },
  {
    id: 'not-stored',
    title: 'What is not stored',
    text: (
      <>
        <ul>
          <li>
            No full addresses of the peers of your machines. IPv4 is cut to its /24 network, IPv6 to its /64, on the
            machine itself, before anything is sent.
          </li>
          <li>
            No passwords, keys or tokens from command lines. The agent removes them on the machine, and the server
            removes them again.
          </li>
          <li>No contents of files, traffic, environment variables, Kubernetes secrets or config maps.</li>
          <li>No tracking: no analytics and no advertising. Your browser contacts only this installation.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'why',
    title: 'What it is used for',
    text: (
      <>
        <p>
          To show you your own servers and clusters, to raise the alerts you asked for, and to answer your questions in
          the AI chat where the operator has configured one. It is not sold and not shared with advertisers.
        </p>
      </>
    ),
  },
  {
    id: 'how-long',
    title: 'How long it is kept',
    text: (
      <>
        <Retention />
        <p>You can set shorter times on your Profile page. The next clean-up deletes older data.</p>
      </>
    ),
  },
  {
    id: 'browser',
    title: 'Data in your browser',
    text: (
      <>
        <p>
          The session token, valid for {PROMISES.sessionHours} hours, is held in the browser’s local storage and in a
          cookie that scripts cannot read. Local storage also holds the state of the sidebar, the theme, the time zone
          and which alerts you have read. Other sites cannot read it.
        </p>
        <p>
          A second cookie, valid for 180 days, marks a browser in which somebody signed in. It gives this browser its
          own limit of sign-in attempts and grants no access.
        </p>
      </>
    ),
  },
  {
    id: 'who',
    title: 'Who can see it',
    text: (
      <>
        <p>
          Access is role-based: an account sees and changes only the servers and clusters it owns, an agent may only
          report for its own server, and an install command may only enrol. The operator can reach the database itself.
        </p>
        <p>
          Third parties receive data only if you or the operator choose them: your sign-in provider, the messaging
          service for alerts, and the AI provider of the chat.
        </p>
      </>
    ),
  },
  {
    id: 'safety',
    title: 'How it is protected',
    text: (
      <>
        <p>
          Passwords and tokens are stored as hashes, channel secrets encrypted. Agents report over TLS unless someone
          explicitly allows otherwise. If a breach puts your data at risk, the operator informs you within{' '}
          {PROMISES.breachNoticeHours} hours of learning of it.
        </p>
      </>
    ),
  },
  {
    id: 'rights',
    title: 'Your rights',
    text: (
      <>
        <ul>
          <li>See and export everything stored about you, and delete your account, on your Profile page.</li>
          <li>Ask the operator for anything else. You get an answer within {PROMISES.requestDays} days.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'age',
    title: 'Age',
    text: (
      <>
        <p>
          The service is not for anyone under {PROMISES.minimumAge} without the consent of a parent or guardian. The
          operator deletes data of a child without this consent on request.
        </p>
      </>
    ),
  },
  {
    id: 'changes',
    title: 'Changes',
    text: (
      <>
        <p>The date above shows the last change of this policy.</p>
      </>
    ),
  },
];

export function Component() {
  return (
    <LegalPage
      title="Privacy Policy"
      lastUpdated={PROMISES.lastUpdated}
      nav={<Nav />}
      intro={
        <p>
          This installation of Plimsoll is run by its operator, who decides where the data lives. This page lists the
          stored data, the data that is never stored, and the retention times. The{' '}
          <Link to={paths.terms}>Terms of Service</Link> say how it may be used.
        </p>
      }
      clauses={CLAUSES}
    />
  );
}
