import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { QueryClientProvider } from '@tanstack/react-query';
import { createQueryClient } from './api/query-client.ts';
import { createBrowserRouter, RouterProvider } from './router.ts';
import { createRoutes } from './routes.tsx';
import { theme, THEME_STORAGE_KEY } from './theme.ts';

const queryClient = createQueryClient();
const router = createBrowserRouter(createRoutes(queryClient));

export function App() {
  return (
    <ThemeProvider theme={theme} defaultMode="dark" modeStorageKey={THEME_STORAGE_KEY}>
      <CssBaseline />
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ThemeProvider>
  );
}
