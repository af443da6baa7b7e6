import { becomePinned } from './bootstrap.mjs';

becomePinned('scripts/lab/incidents/main.ts');
