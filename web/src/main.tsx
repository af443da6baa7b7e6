import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './fonts/latin.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { watchPrinting } from './state/printing.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element #root');
watchPrinting(window, document.documentElement);
createRoot(root).render(<App />);
