import { ErrorState } from './states.tsx';

/** A page's chunk could not be loaded, or the page itself broke: a reload brings the newest build. */
export function RouteFailure() {
  return (
    <main>
      <ErrorState
        message="This page could not be shown"
        detail="The dashboard may have been updated since this tab was opened."
        onRetry={() => window.location.reload()}
      />
    </main>
  );
}
