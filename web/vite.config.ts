import babel from '@rolldown/plugin-babel';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';

/** Where the API listens while developing: `npm run dev` says so; else the default of PLIMSOLL_HOST and PLIMSOLL_PORT. */
const API_ORIGIN = process.env['PLIMSOLL_API_URL'] ?? 'http://127.0.0.1:8420';

export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: [react(), babel({ presets: [reactCompilerPreset()] }), precompress()],
  server: { proxy: { '/api': API_ORIGIN, '/install.sh': API_ORIGIN, '/charts': API_ORIGIN } },
  build: {
    // The content security policy allows no data: URL for fonts, and a small file is compressed better on its own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'baseline-widely-available',
    outDir: mode === 'parts' ? '.cache/parts' : 'dist',
    emptyOutDir: true,
    rolldownOptions: { input: mode === 'parts' ? 'parts.html' : 'index.html' },
  },
}));
