import babel from '@rolldown/plugin-babel';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { ALIASES } from './aliases.ts';
import { CHUNKS } from './chunks.ts';
import { pageDocuments } from './page-documents.ts';
import { precompress } from './precompress.ts';

/** Address of the API in development, which `npm run dev` sets; else the default of PLIMSOLL_HOST and PLIMSOLL_PORT. */
const API_ORIGIN = process.env['PLIMSOLL_API_URL'] ?? 'http://127.0.0.1:8420';

export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: [react(), babel({ presets: [reactCompilerPreset()] }), pageDocuments(), precompress()],
  resolve: { alias: ALIASES },
  server: { proxy: { '/api': API_ORIGIN, '/install.sh': API_ORIGIN, '/charts': API_ORIGIN, '/status/': API_ORIGIN } },
  build: {
    // The content security policy allows no data: URL for fonts, and a small file is compressed better on its own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'baseline-widely-available',
    outDir: mode === 'parts' ? '.cache/parts' : 'dist',
    emptyOutDir: true,
    // The entry has 510 kB before compression, 163 kB after; `npm run bench -- web` reports its size.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // `npm start` builds on first use; its reader has no use for the bundler's profile of plugins.
      checks: { bundlerTimings: false },
      input: mode === 'parts' ? 'parts.html' : 'index.html',
      output: { codeSplitting: { groups: CHUNKS } },
    },
  },
}));
