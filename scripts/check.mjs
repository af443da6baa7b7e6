import { becomePinned } from './bootstrap.mjs';

becomePinned('scripts/check/main.ts');
