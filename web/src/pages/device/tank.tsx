import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { answerOf, api } from '../../api.ts';
import { Writable } from '../../parts/writable.tsx';
import { useSession } from '../../session.tsx';
import { type Options, useSaveOptions } from './save-options.ts';

const NAMES = ['fuelTankLitres', 'fuelSource', 'fuelCalibration'] as const;
/** `reading:liters` pairs, separated by commas; at least two */
const CALIBRATION = '\\s*-?\\d+(\\.\\d+)?:\\d+(\\.\\d+)?(\\s*,\\s*-?\\d+(\\.\\d+)?:\\d+(\\.\\d+)?)+\\s*';

/** Options that describe the tank of the device's vehicle: its size, the gauge, and what the gauge's readings mean. */
export function Tank({ imei, options }: { imei: string; options: Options }) {
  const { t, may } = useSession();
  const { save, isRunning, result } = useSaveOptions(imei);
  const state = useQuery({
    queryKey: ['state', imei],
    queryFn: () => answerOf(api.GET('/v1/devices/{imei}/state', { params: { path: { imei } } })),
    retry: false,
  });
  const numeric = Object.entries(state.data?.attributes ?? {}).filter(([, { value }]) => typeof value === 'number');
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = NAMES.flatMap((name): [string, string | number][] => {
      const text = String(form.get(name)).trim();
      return text === '' ? [] : [[name, name === 'fuelTankLitres' ? Number(text) : text.replace(/\s+/g, '')]];
    });
    void save((name) => NAMES.some((own) => own === name), given);
  };
  const value = (name: (typeof NAMES)[number]): string => String(options[name] ?? '');
  return (
    <form className="card form" aria-label={t('tank.title')} onSubmit={submit} key={NAMES.map(value).join('\n')}>
      <h2 className="wide">{t('tank.title')}</h2>
      <p className="wide quiet">{t('tank.help')}</p>
      <Writable isAllowed={may('devices:write')} reason={t('role.readOnly')}>
        <label>
          {t('tank.litres')}
          <input
            name="fuelTankLitres"
            type="number"
            min={1}
            max={10_000}
            step="any"
            defaultValue={value('fuelTankLitres')}
          />
        </label>
        <label>
          {t('tank.source')}
          <input
            name="fuelSource"
            list="fuel-sources"
            pattern="[A-Za-z][A-Za-z0-9_]{0,63}"
            autoComplete="off"
            defaultValue={value('fuelSource')}
          />
          <datalist id="fuel-sources">
            {numeric.map(([name, { value: now }]) => (
              <option key={name} value={name} label={`${name} = ${now}`} />
            ))}
          </datalist>
        </label>
        <label className="wide">
          {t('tank.calibration')}
          <input
            name="fuelCalibration"
            pattern={CALIBRATION}
            maxLength={1_000}
            placeholder="0:0, 500:120, 1000:300"
            autoComplete="off"
            defaultValue={value('fuelCalibration')}
          />
        </label>
      </Writable>
      {may('devices:write') && (
        <p className="wide actions">
          <button type="submit" className="primary" disabled={isRunning}>
            {t('tank.save')}
          </button>
        </p>
      )}
      {result}
    </form>
  );
}
