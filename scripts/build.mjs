import { becomePinned } from './bootstrap.mjs';

becomePinned('scripts/build/main.ts');
