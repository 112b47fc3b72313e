import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { reload } from '../../../web/src/parts/live.ts';

/** A client with a query that is shown, whose answers the test gives one by one. */
function shown() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const asked: ((status: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => void asked.push(resolve));
  const observer = new QueryObserver(queries, { queryKey: ['commands', 'one'], queryFn });
  observer.subscribe(() => {});
  return { queries, asked, status: () => observer.getCurrentResult().data };
}

it('loads again what an event changes while it is loaded for the first time', async () => {
  const { queries, asked, status } = shown();
  const reloaded = reload(queries, ['commands']);
  expect(asked).toHaveLength(1);
  asked[0]!('sent');
  await expect.poll(() => asked.length).toBe(2);
  asked[1]!('acknowledged');
  await reloaded;
  expect(status()).toBe('acknowledged');
  queries.clear();
});

it('loads what is shown once for an event', async () => {
  const { queries, asked, status } = shown();
  asked[0]!('sent');
  await expect.poll(status).toBe('sent');
  const reloaded = reload(queries, ['commands']);
  asked[1]!('acknowledged');
  await reloaded;
  expect(status()).toBe('acknowledged');
  expect(asked).toHaveLength(2);
  queries.clear();
});
