import { becomePinned } from './bootstrap.mjs';

becomePinned('scripts/agent-build/main.ts');
