import { becomePinned } from './bootstrap.mjs';

becomePinned('scripts/start/main.ts');
