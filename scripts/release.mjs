import { becomePinned } from './bootstrap.mjs';

becomePinned('scripts/release/main.ts');
