import { Notice } from '../../../components/feedback/notice.tsx';

/** Says why messages have no link, and which setting gives them one. */
export const NoLinkNotice = () => (
  <Notice tone="warning">
    Messages cannot link to this dashboard: its address is not set. Set <code>PLIMSOLL_PUBLIC_URL</code> and restart the
    API.
  </Notice>
);
