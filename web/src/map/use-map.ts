import { type RefObject, useEffect, useRef, useState } from 'react';
import { useSession } from '../session.tsx';
import { useSettings } from '../settings.ts';
import type { FleetMap } from './fleet-map.ts';

const DARK = '(prefers-color-scheme: dark)';

function useIsDark(): boolean {
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

export interface MapHandle {
  readonly container: RefObject<HTMLDivElement | null>;
  readonly map: FleetMap | undefined;
  readonly isUnavailable: boolean;
}

/** The map is loaded when a page with it is opened first. */
export function useMap(onSelect: (targa: string) => void): MapHandle {
  const container = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<FleetMap>();
  const [isUnavailable, setUnavailable] = useState(false);
  const isDark = useIsDark();
  const { map: tiles } = useSession().me;
  const select = useRef(onSelect);
  select.current = onSelect;
  useEffect(() => {
    let made: FleetMap | undefined;
    let isEnded = false;
    import('./fleet-map.ts')
      .then(({ FleetMap }) => {
        if (isEnded || container.current === null) return;
        made = new FleetMap(container.current, isDark ? 'dark' : 'light', tiles, (targa) => select.current(targa));
        setMap(made);
      })
      .catch(() => setUnavailable(true));
    return () => {
      isEnded = true;
      made?.remove();
      setMap(undefined);
    };
  }, [isDark, tiles]);
  return { container, map, isUnavailable };
}
