import { TotalsPage } from './totals-page.tsx';

/** Every namespace with its sums. */
export const Component = () => <TotalsPage by="namespace" />;
