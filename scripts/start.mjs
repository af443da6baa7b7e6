import { join } from 'node:path';
import { becomePinned, ROOT } from './bootstrap.mjs';

// Small pools for short-lived objects: the API of one machine needs 2 MB of them, and Node would keep 48. The cache holds
// compiled code, so that the next start neither strips types nor compiles. With an arena of malloc for each thread the API
// takes 13 MB more. Blocks of 32 KiB go back to the system when they are freed; in the heap of malloc they leave holes of
// 20 MB after a start.
becomePinned('scripts/start/main.ts', {
  flags: ['--max-semi-space-size=2'],
  env: {
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(ROOT, '.cache', 'node'),
    MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX || '1',
    MALLOC_MMAP_THRESHOLD_: process.env.MALLOC_MMAP_THRESHOLD_ || '32768',
  },
});
