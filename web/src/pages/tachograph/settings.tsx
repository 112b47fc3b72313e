import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { answerOf, api } from '../../api.ts';
import { DRIVER_SERVICES } from '../../lists.ts';
import { type Action, useAction } from '../../parts/action.tsx';
import { type Described, Labelled } from '../../parts/fields.tsx';
import { Loaded } from '../../parts/problem.tsx';
import { Writable } from '../../parts/writable.tsx';
import { useSession } from '../../session.tsx';
import { textOf } from './revocable.tsx';
import { clockText, nightOf, placesText, readTerms, type Terms } from './settings-form.ts';
import { NationOptions, TachographPage } from './shared.tsx';

const EMPLOYER = [
  ['name', 'text'],
  ['address', 'text'],
  ['telephone', 'tel'],
  ['email', 'email'],
  ['taxCode', 'text'],
  ['vatNumber', 'text'],
  ['insuranceNumber', 'text'],
] as const;

/** What the undertaking has decided about analyses and payroll. Costs and layouts have no fields here and stay as they are. */
export function SettingsPage() {
  const { t } = useSession();
  const action = useAction(['tachograph']);
  const query = useQuery({
    queryKey: ['tachograph', 'terms'],
    queryFn: () => answerOf(api.GET('/v1/drivers/ddd/settings')),
  });
  return (
    <TachographPage title={t('terms.title')}>
      <Loaded query={query}>
        {/* fields have their defaults from the record: a changed record needs new ones */}
        {(terms) => <TermsForm key={JSON.stringify(terms)} terms={terms} action={action} />}
      </Loaded>
    </TachographPage>
  );
}

function TermsForm({ terms, action }: { readonly terms: Terms; readonly action: Action }) {
  const { t, may } = useSession();
  const { run, isRunning, result } = action;
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void run(async () => {
      await answerOf(api.PUT('/v1/drivers/ddd/settings', { body: readTerms(terms, (name) => textOf(form, name)) }));
      return t('terms.saved');
    });
  };
  return (
    <form className="card form" onSubmit={save} aria-label={t('terms.title')}>
      <Writable isAllowed={may('ddd:write')} reason={t('role.readOnly')}>
        <h2 className="wide">{t('terms.employer')}</h2>
        {EMPLOYER.map(([name, type]) => (
          <Labelled key={name} label={t(`terms.${name}`)}>
            {(field) => (
              <input {...field} type={type} name={name} maxLength={200} defaultValue={terms.employer?.[name] ?? ''} />
            )}
          </Labelled>
        ))}
        <h2 className="wide">{t('terms.analysis')}</h2>
        <Labelled label={t('terms.homeNation')}>
          {(field) => <Nations field={field} name="homeNation" value={terms.homeNation} />}
        </Labelled>
        <Labelled label={t('terms.residence')} note={t('terms.residenceNote')}>
          {(field) => <Nations field={field} name="residence" value={terms.residence} />}
        </Labelled>
        <Labelled label={t('terms.service')}>
          {(field) => (
            <select {...field} name="service" defaultValue={terms.service}>
              {DRIVER_SERVICES.map((service) => (
                <option key={service} value={service}>
                  {t(`terms.${service}`)}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        <Labelled label={t('terms.unknownAs')}>
          {(field) => (
            <select {...field} name="unknownAs" defaultValue={terms.unknownAs}>
              <option value="unknown">{t('terms.asUnknown')}</option>
              <option value="rest">{t('terms.asRest')}</option>
            </select>
          )}
        </Labelled>
        <Labelled label={t('terms.bases')} note={t('terms.basesNote')}>
          {(field) => <textarea {...field} name="bases" rows={2} defaultValue={placesText(terms.bases)} />}
        </Labelled>
        <Labelled label={t('terms.baseRadius')}>
          {(field) => (
            <input
              {...field}
              type="number"
              name="baseRadiusM"
              min={10}
              max={100_000}
              defaultValue={terms.baseRadiusM}
              required
            />
          )}
        </Labelled>
        <h2 className="wide">{t('terms.payroll')}</h2>
        <Labelled label={t('terms.zone')} note={t('terms.zoneNote')}>
          {(field) => <input {...field} name="zone" defaultValue={terms.zone ?? ''} placeholder="Europe/Rome" />}
        </Labelled>
        <Labelled label={t('terms.attribution')}>
          {(field) => (
            <select {...field} name="attribution" defaultValue={terms.attribution}>
              <option value="calendar">{t('terms.byCalendar')}</option>
              <option value="shift">{t('terms.byShift')}</option>
            </select>
          )}
        </Labelled>
        <Labelled label={t('terms.weekly')}>
          {(field) => (
            <input
              {...field}
              name="weekly"
              pattern="[0-9]{1,2}:[0-5][0-9]"
              defaultValue={clockText(terms.weeklyMinutes)}
              required
            />
          )}
        </Labelled>
        <Labelled label={t('terms.travelFrom')}>
          {(field) => (
            <input
              {...field}
              name="travelFrom"
              pattern="[0-9]{1,2}:[0-5][0-9]"
              defaultValue={clockText(terms.travelFromMinutes)}
              required
            />
          )}
        </Labelled>
        <Labelled label={t('terms.referenceMonths')}>
          {(field) => (
            <input
              {...field}
              type="number"
              name="referenceMonths"
              min={1}
              max={6}
              defaultValue={terms.referenceMonths}
              required
            />
          )}
        </Labelled>
        {(['nightFrom', 'nightTo'] as const).map((name) => (
          <Labelled key={name} label={t(`terms.${name}`)}>
            {(field) => (
              <input {...field} type="time" name={name} defaultValue={clockText(nightOf(terms, name))} required />
            )}
          </Labelled>
        ))}
        <Labelled label={t('terms.holidays')} note={t('terms.holidaysNote')}>
          {(field) => <input {...field} name="holidays" defaultValue={terms.holidays.join(', ')} />}
        </Labelled>
        <label className="check">
          <input type="checkbox" name="availabilityAsWork" value="yes" defaultChecked={terms.availabilityAsWork} />
          {t('terms.availabilityAsWork')}
        </label>
      </Writable>
      <div className="actions wide">
        {may('ddd:write') && (
          <button type="submit" className="primary" disabled={isRunning}>
            {t('terms.save')}
          </button>
        )}
        {result}
      </div>
    </form>
  );
}

/** States as tachographs print them, members of the Union with their names. */
function Nations({
  field,
  name,
  value,
}: {
  readonly field: Described;
  readonly name: string;
  readonly value: number | null;
}) {
  const { t } = useSession();
  return (
    <select {...field} name={name} defaultValue={value ?? ''}>
      {name === 'residence' && <option value="">{t('vehicle.none')}</option>}
      <NationOptions />
    </select>
  );
}
