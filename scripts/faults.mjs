import { becomePinned } from './bootstrap.mjs';

becomePinned('scripts/faults/main.ts');
