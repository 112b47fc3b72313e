import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Me } from '../api.ts';
import { useIsDark } from '../parts/dark.ts';
import { useSession } from '../session.tsx';
import type { BaseMap } from './base-map.ts';
import type { FleetMap } from './fleet-map.ts';
import type { MapTheme } from './style.ts';

export interface MapHandle {
  readonly container: RefObject<HTMLDivElement | null>;
  readonly map: FleetMap | undefined;
  readonly isUnavailable: boolean;
}

async function baseOf(tiles: Me['map'], theme: MapTheme, language: string): Promise<BaseMap | undefined> {
  if (tiles === null) return undefined;
  const { loadBaseMap } = await import('./base-map.ts');
  return loadBaseMap(tiles, theme, language);
}

/** The map is loaded when a page with it is opened first. */
export function useMap(onSelect: (targa: string) => void): MapHandle {
  const container = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<FleetMap>();
  const [isUnavailable, setUnavailable] = useState(false);
  const isDark = useIsDark();
  const { me, t, language } = useSession();
  const { map: tiles } = me;
  const missingBase = useRef((detail: string) => detail);
  missingBase.current = (detail) => t('map.noBase', { detail });
  const select = useRef(onSelect);
  select.current = onSelect;
  useEffect(() => {
    let made: FleetMap | undefined;
    let isEnded = false;
    const theme = isDark ? 'dark' : 'light';
    const missing = missingBase.current;
    const base = baseOf(tiles, theme, language).then(
      (loaded) => ({ base: loaded }),
      (error: Error) => ({ base: undefined, notice: missing(error.message) }),
    );
    Promise.all([import('./fleet-map.ts'), base])
      .then(([{ FleetMap }, look]) => {
        if (isEnded || container.current === null) return;
        const attribution = tiles?.attribution ?? '';
        made = new FleetMap(container.current, { theme, attribution, ...look }, (targa) => select.current(targa));
        setMap(made);
      })
      .catch(() => setUnavailable(true));
    return () => {
      isEnded = true;
      made?.remove();
      setMap(undefined);
    };
  }, [isDark, tiles, language]);
  return { container, map, isUnavailable };
}
