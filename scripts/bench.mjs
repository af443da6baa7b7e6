import { becomePinned } from './bootstrap.mjs';

becomePinned('scripts/lab/bench/main.ts');
