import { becomePinned } from './bootstrap.mjs';

becomePinned('scripts/test/main.ts');
