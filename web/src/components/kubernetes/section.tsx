import { styled } from '@mui/material/styles';
import type { ClusterOverviewAnswer } from '@plimsoll/contract/wire/kubernetes';
import type { ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { Link, useSearchParams } from '../../router.ts';
import { useView } from '../../state/view.ts';
import { useFreshness } from '../../state/use-freshness.ts';
import { Age } from '../age.tsx';
import { Page } from '../page.tsx';
import { TabBar } from '../tab-bar.tsx';

import { TARGET_PX, TOUCH } from '../screen.ts';
import { ClusterNotices } from './cluster-notices.tsx';
import { ClusterThen, type MomentAsked } from './cluster-then.tsx';
import { collectorReportedAt, isCollectorSilent } from './collector-age.ts';

const Crumbs = styled('nav')(({ theme }) => ({
  ...theme.typography.caption,
  marginBottom: 4,
  '& ol': { listStyle: 'none', display: 'flex', flexWrap: 'wrap', gap: 8, margin: 0, padding: 0 },
  '& li': { color: theme.vars.palette.text.secondary, minWidth: 0, overflowWrap: 'anywhere' },
  '& li + li::before': { content: '"›"', marginRight: 8, color: theme.vars.palette.load.text3 },
  [TOUCH]: {
    '& li': { minHeight: TARGET_PX, alignContent: 'center' },
    '& a': { display: 'inline-block', padding: '10px 0' },
  },
}));
const Head = styled('header')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  flexWrap: 'wrap',
  gap: '8px 12px',
  paddingTop: 16,
  '& > div': { minWidth: 0 },
  '& h1': { ...theme.typography.h1, margin: 0, overflowWrap: 'anywhere' },
  '& .title': { display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: '4px 10px' },
  '& p': { margin: 0, color: theme.vars.palette.text.secondary },
  '& p.age': { ...theme.typography.caption, color: theme.vars.palette.load.text3 },
  '& > .aside': { marginLeft: 'auto', display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 8 },
  '& > .aside > p': { maxWidth: 460, textAlign: 'right' },
  [theme.breakpoints.down('md')]: {
    paddingTop: 12,
    '& > .aside': { marginLeft: 0 },
    '& > .aside > p': { textAlign: 'left' },
  },
}));

/** Figures of a silent collector lose their colours: green would say that all is well now. */
const Figures = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: 16,
  minWidth: 0,
  '&[data-silent]': { filter: 'grayscale(1)' },
});

/** The cluster the address names; null is all of them. */
export const useClusterId = () => useSearchParams()[0].get('cluster');

interface Crumb {
  label: string;
  /** Without one the item is plain text. */
  to?: string;
}

type Overview = Pick<ClusterOverviewAnswer, 'total_nodes' | 'total_pods' | 'age_seconds' | 'collectors' | 'problems'>;

interface KubernetesSectionProps {
  /** Which tab is this one's; null: a page below a tab. */
  tab: 'overview' | 'nodes' | 'pods' | 'workloads' | 'namespaces' | 'events' | 'capacity' | 'clusters' | null;
  crumbs: readonly Crumb[];
  title: string;
  /** Beside the title. */
  chip?: ReactNode;
  sentence: ReactNode;
  aside?: ReactNode;
  /** The overview of the cluster(s) of the page, and when it came: counts of the tabs, and the age of all figures. */
  overview: { data: Overview | undefined; dataUpdatedAt: number };
  /** The cluster(s) of the page at the moment shown, in place of `children`. */
  moment: MomentAsked;
  children: ReactNode;
}

/** The frame of the Kubernetes screens: where one is, what it is, the tabs. With one cluster there is none to compare. */
export function KubernetesSection(props: KubernetesSectionProps) {
  const cluster = useClusterId();
  const search = cluster === null ? '' : `?cluster=${encodeURIComponent(cluster)}`;
  const { tab, crumbs, overview } = props;
  const clusters = props.moment.clusters ?? 0;
  const { at } = useView();
  // Nothing of now stands on a page of the past.
  const counts = at === null ? overview.data : undefined;
  const reportedAt = counts === undefined ? null : collectorReportedAt(counts, overview.dataUpdatedAt);
  const isSilent = counts !== undefined && isCollectorSilent(counts);
  useFreshness('updated', reportedAt, isSilent);
  return (
    <Page title={props.title} header={false}>
      <Head>
        <div>
          <Crumbs aria-label="Breadcrumb">
            <ol>
              {crumbs.map(({ label, to }, index) => (
                <li key={label} aria-current={index === crumbs.length - 1 ? 'page' : undefined}>
                  {to === undefined || index === crumbs.length - 1 ? label : <Link to={`${to}${search}`}>{label}</Link>}
                </li>
              ))}
            </ol>
          </Crumbs>
          <div className="title">
            <h1>{props.title}</h1>
            {at === null && props.chip}
          </div>
          <p>{props.sentence}</p>
          {reportedAt !== null && (
            <p className="age">
              <Age
                at={reportedAt}
                prefix={(counts?.collectors.length ?? 1) > 1 ? 'Oldest cluster state ' : 'Cluster state '}
              />
            </p>
          )}
        </div>
        {at === null && props.aside !== undefined && <div className="aside">{props.aside}</div>}
      </Head>
      <TabBar
        label="Kubernetes"
        tabs={[
          { to: `${paths.kubernetes}${search}`, label: 'Overview', current: tab === 'overview' },
          {
            to: `${paths.kubernetesNodes}${search}`,
            label: 'Nodes',
            count: counts?.total_nodes,
            current: tab === 'nodes',
          },
          { to: `${paths.kubernetesPods}${search}`, label: 'Pods', count: counts?.total_pods, current: tab === 'pods' },
          { to: `${paths.kubernetesWorkloads}${search}`, label: 'Workloads', current: tab === 'workloads' },
          { to: `${paths.kubernetesNamespaces}${search}`, label: 'Namespaces', current: tab === 'namespaces' },
          { to: `${paths.kubernetesEvents}${search}`, label: 'Events', current: tab === 'events' },
          { to: `${paths.kubernetesCapacity}${search}`, label: 'Capacity', current: tab === 'capacity' },
          ...(clusters > 1
            ? [{ to: paths.kubernetesClusters, label: 'Clusters', count: clusters, current: tab === 'clusters' }]
            : []),
        ]}
      />
      {counts !== undefined && <ClusterNotices collectors={counts.collectors} problems={counts.problems} />}
      <Figures data-silent={isSilent ? '' : undefined}>
        {at === null ? props.children : <ClusterThen asked={props.moment} />}
      </Figures>
    </Page>
  );
}
