import { useEffect, useState } from 'react';

const EVERY_MS = 5_000;

/** The current time, for ages that grow while nothing arrives. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}
