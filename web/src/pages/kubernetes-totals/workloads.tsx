import { TotalsPage } from './totals-page.tsx';

/** Every Deployment, StatefulSet, DaemonSet and CronJob with its sums. */
export const Component = () => <TotalsPage by="owner" />;
