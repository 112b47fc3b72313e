import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Me } from './api.ts';
import type { Fleet, FleetSnapshot } from './fleet.ts';
import { en, type Key } from './i18n/en.ts';
import { it } from './i18n/it.ts';
import { formatMessage, type Values } from './i18n/message.ts';
import { useSettings } from './settings.ts';

export interface Session {
  readonly me: Me;
  readonly fleet: Fleet;
  readonly language: 'en' | 'it';
  readonly zone: string;
  readonly may: (scope: string) => boolean;
  readonly t: (key: Key, values?: Values) => string;
  /** with the abbreviation of the zone, always */
  readonly time: (instant: string | number | null | undefined) => string;
  readonly clock: (instant: string | number) => string;
  readonly age: (instant: string | number | null | undefined, now: number) => string;
  readonly duration: (seconds: number) => string;
  readonly number: (value: number, digits?: number) => string;
}

const Context = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(Context);
  if (session === undefined) throw new Error('there is no session');
  return session;
}

export function useFleet(): FleetSnapshot {
  const { fleet } = useSession();
  return useSyncExternalStore(fleet.subscribe, fleet.snapshot);
}

const dictionaries = { en, it };

function createSession(me: Me, fleet: Fleet, language: 'en' | 'it', zone: string): Session {
  const words = dictionaries[language];
  const locale = language === 'it' ? 'it-IT' : 'en-GB';
  const t = (key: Key, values: Values = {}): string => formatMessage(words[key], values, locale);
  const day = { day: '2-digit', month: '2-digit', year: 'numeric' } as const;
  const hour = { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' } as const;
  const whole = new Intl.DateTimeFormat(locale, { ...day, ...hour, timeZone: zone });
  const short = new Intl.DateTimeFormat(locale, { ...hour, timeZone: zone });
  const days = new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' });
  const duration = (seconds: number): string => {
    const s = Math.max(0, Math.round(seconds));
    if (s < 90) return `${s} s`;
    if (s < 5_400) return `${Math.round(s / 60)} min`;
    if (s < 172_800) return `${Math.floor(s / 3_600)} h ${Math.round((s % 3_600) / 60)} min`;
    return days.format(Math.round(s / 86_400));
  };
  return {
    me,
    fleet,
    language,
    zone,
    t,
    duration,
    may: (scope) => me.scopes.includes(scope),
    time: (instant) => (instant === null || instant === undefined ? t('age.never') : whole.format(new Date(instant))),
    clock: (instant) => short.format(new Date(instant)),
    age: (instant, now) =>
      instant === null || instant === undefined
        ? t('age.never')
        : t('age.ago', { age: duration((now - new Date(instant).getTime()) / 1_000) }),
    number: (value, digits = 0) => new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value),
  };
}

export function SessionProvider({ me, fleet, children }: { me: Me; fleet: Fleet; children: ReactNode }) {
  const chosen = useSettings();
  const own = me.user.locale.startsWith('it') ? 'it' : 'en';
  const language = chosen.language ?? own;
  const zone = chosen.zone ?? me.user.timezone;
  const session = useMemo(() => createSession(me, fleet, language, zone), [me, fleet, language, zone]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(() => (me.scopes.includes('positions:read') ? fleet.start() : undefined), [me, fleet]);
  return <Context.Provider value={session}>{children}</Context.Provider>;
}
