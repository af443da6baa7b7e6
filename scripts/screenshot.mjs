import { becomePinned } from './bootstrap.mjs';

becomePinned('scripts/screenshot/main.ts');
