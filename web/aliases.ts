import { fileURLToPath } from 'node:url';

/** Import aliases of the web, for the build and for the tests. The glob of the flags takes a path or an alias, and no package name. */
export const ALIASES = { '@flags': fileURLToPath(new URL('3x2', import.meta.resolve('country-flag-icons'))) };
