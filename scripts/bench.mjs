import { becomePinned } from './bootstrap.mjs';

becomePinned('scripts/bench/main.ts');
