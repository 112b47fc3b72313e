import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { answerOf, api, NO_ANSWER, whileAway } from './api.ts';
import { Fleet } from './fleet.ts';
import { en } from './i18n/en.ts';
import { it } from './i18n/it.ts';
import { router } from './router.tsx';
import { SessionProvider } from './session.tsx';
import { useSettings } from './settings.ts';
import './style.css';

const queries = new QueryClient({
  defaultOptions: { queries: { retry: 1, staleTime: 5_000, refetchOnWindowFocus: false, refetchInterval: whileAway } },
});

function Application() {
  const [fleet] = useState(() => new Fleet());
  const me = useQuery({ queryKey: ['me'], queryFn: () => answerOf(api.GET('/v1/app/me')), staleTime: Infinity });
  const language = useSettings().language ?? navigator.language;
  if (me.data === undefined) {
    const away = (language.startsWith('it') ? it : en)['error.away'];
    const problem = me.error?.message === NO_ANSWER ? away : me.error?.message;
    return <p className="notice">{problem ?? 'Fleetgate …'}</p>;
  }
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
