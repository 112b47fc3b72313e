import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { answerOf, api } from './api.ts';
import { Fleet } from './fleet.ts';
import { router } from './router.tsx';
import { SessionProvider } from './session.tsx';
import './style.css';

const queries = new QueryClient({
  defaultOptions: { queries: { retry: 1, staleTime: 5_000, refetchOnWindowFocus: false } },
});

function Application() {
  const [fleet] = useState(() => new Fleet());
  const me = useQuery({ queryKey: ['me'], queryFn: () => answerOf(api.GET('/v1/app/me')), staleTime: Infinity });
  if (me.data === undefined) return <p className="notice">{me.isError ? me.error.message : 'Fleetgate …'}</p>;
  return (
    <SessionProvider me={me.data} fleet={fleet}>
      <RouterProvider router={router} />
    </SessionProvider>
  );
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Application />
    </QueryClientProvider>
  </StrictMode>,
);
