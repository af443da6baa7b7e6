import { becomePinned } from './bootstrap.mjs';

becomePinned('scripts/lab/faults/main.ts');
