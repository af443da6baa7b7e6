import { lazy } from 'react';
import { loadScript } from '../../state/load-script.ts';

const loadDialog = () => loadScript(() => import('./silence-end-dialog.tsx'));

/** The form of {@link loadSilenceDialog}; it needs a `Suspense`. */
export const SilenceEndDialog = lazy(loadDialog);

/** Loads the form for the end of a silence before someone chooses it: when its menu opens. If that fails, choosing it loads it. */
export const loadSilenceDialog = () => void loadDialog().catch(() => undefined);
