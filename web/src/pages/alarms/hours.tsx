import { useState } from 'react';
import { useSession } from '../../session.tsx';
import { DAYS, type Rule } from './rule-types.ts';

type Hours = NonNullable<Rule['auth_hours']>;

/** 8.5 is 08:30, as the API has it; 24 is the end of the day. */
const toClock = (hours: number): string => {
  const minutes = Math.round(hours * 60) % 1_440;
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
};

function fromClock(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return Math.round((hours + minutes / 60) * 10_000) / 10_000;
}

/** The hours of a form; undefined where no day has any. */
export function hoursOf(form: FormData): Hours | undefined {
  const days = DAYS.flatMap((day): [string, object][] => {
    if (form.get(`hours.${day}`) === null) return [];
    if (form.get(`hours.${day}.all`) !== null) return [[day, { all_day: true }]];
    const max = fromClock(String(form.get(`hours.${day}.to`)));
    return [[day, { min: fromClock(String(form.get(`hours.${day}.from`))), max: max === 0 ? 24 : max }]];
  });
  return days.length === 0 ? undefined : (Object.fromEntries(days) as Hours);
}

export function WeeklyHours({ hours, isUse }: { hours: Hours | undefined; isUse: boolean }) {
  const { t } = useSession();
  const [days, setDays] = useState<ReadonlySet<string>>(() => new Set(Object.keys(hours ?? {})));
  return (
    <fieldset className="wide">
      <legend>{t('rule.hours')}</legend>
      <p className="quiet">{isUse ? t('rule.hoursUse') : t('rule.hoursAlways')}</p>
      {DAYS.map((day) => {
        const own = hours?.[day];
        const isOn = days.has(day);
        return (
          <div key={day} className="actions hours">
            <label className="check">
              <input
                type="checkbox"
                name={`hours.${day}`}
                checked={isOn}
                onChange={() => setDays(new Set(isOn ? [...days].filter((each) => each !== day) : [...days, day]))}
              />
              {t(`day.${day}`)}
            </label>
            {isOn && (
              <>
                <label>
                  {t('rule.from')}
                  <input
                    type="time"
                    name={`hours.${day}.from`}
                    aria-label={`${t(`day.${day}`)}: ${t('rule.from')}`}
                    defaultValue={toClock(own?.min ?? 8)}
                  />
                </label>
                <label>
                  {t('rule.to')}
                  <input
                    type="time"
                    name={`hours.${day}.to`}
                    aria-label={`${t(`day.${day}`)}: ${t('rule.to')}`}
                    defaultValue={toClock(own?.max ?? 18)}
                  />
                </label>
                <label className="check">
                  <input type="checkbox" name={`hours.${day}.all`} defaultChecked={own?.all_day === true} />
                  {t('rule.allDay')}
                </label>
              </>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}
