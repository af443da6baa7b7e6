import { becomePinned } from './bootstrap.mjs';

becomePinned('scripts/cluster/main.ts');
