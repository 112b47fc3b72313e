import { useSyncExternalStore } from 'react';

/** What a person has chosen for this browser. */
export interface Settings {
  readonly language: 'en' | 'it' | undefined;
  readonly theme: 'light' | 'dark' | undefined;
  readonly zone: string | undefined;
}

const KEY = 'fleetgate-console';
const listeners = new Set<() => void>();

function read(): Settings {
  const nothing = { language: undefined, theme: undefined, zone: undefined };
  try {
    return { ...nothing, ...JSON.parse(window.localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return nothing;
  }
}

let settings = read();

function applyTheme(): void {
  if (settings.theme === undefined) delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = settings.theme;
}
applyTheme();

export function changeSettings(change: Partial<Settings>): void {
  settings = { ...settings, ...change };
  window.localStorage.setItem(KEY, JSON.stringify(settings));
  applyTheme();
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSettings = (): Settings => useSyncExternalStore(subscribe, () => settings);
