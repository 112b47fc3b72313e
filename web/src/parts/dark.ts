import { useEffect, useState } from 'react';
import { useSettings } from '../settings.ts';

const DARK = '(prefers-color-scheme: dark)';

/** The theme that is shown: the one chosen, otherwise that of the system. */
export function useIsDark(): boolean {
  const { theme } = useSettings();
  const [system, setSystem] = useState(() => window.matchMedia(DARK).matches);
  useEffect(() => {
    const query = window.matchMedia(DARK);
    const changed = (): void => setSystem(query.matches);
    query.addEventListener('change', changed);
    return () => query.removeEventListener('change', changed);
  }, []);
  return theme === undefined ? system : theme === 'dark';
}
