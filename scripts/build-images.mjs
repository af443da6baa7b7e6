import { becomePinned } from './bootstrap.mjs';

becomePinned('scripts/images/main.ts');
