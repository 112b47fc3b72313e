import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId } from 'react';
import { answerOf, api } from '../../api.ts';
import { optionsIt } from '../../i18n/options-it.ts';
import { titleIn } from '../../i18n/title.ts';
import { Loaded } from '../../parts/problem.tsx';
import { Writable } from '../../parts/writable.tsx';
import { useSession } from '../../session.tsx';
import { type Options as OptionValues, useSaveOptions, type Value } from './save-options.ts';

export const useProtocol = (id: string | null) =>
  useQuery({
    queryKey: ['protocols', id],
    queryFn: () => answerOf(api.GET('/v1/protocols/{protocol}', { params: { path: { protocol: id! } } })),
    enabled: id !== null && id !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

type Definition = NonNullable<ReturnType<typeof useProtocol>['data']>['options'][number];

function readOption({ type }: Definition, text: string): Value {
  if (type === 'boolean') return text === 'true';
  return type === 'number' ? Number(text) : text;
}

/** Options that the protocol of the device has, with their explanations; those beside them are listed. */
export function Options({ imei, protocol, options }: { imei: string; protocol: string; options: OptionValues }) {
  const known = useProtocol(protocol);
  return (
    <Loaded query={known}>
      {(found) => <OptionsForm imei={imei} definitions={found.options} options={options} />}
    </Loaded>
  );
}

interface FormProps {
  readonly imei: string;
  readonly definitions: readonly Definition[];
  readonly options: OptionValues;
}

function OptionsForm({ imei, definitions, options }: FormProps) {
  const { t, may } = useSession();
  const { save, isRunning, result } = useSaveOptions(imei);
  const others = Object.entries(options).filter(([name]) => !definitions.some((each) => each.name === name));
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = definitions.flatMap((each): [string, Value][] => {
      const text = String(form.get(each.name) ?? '').trim();
      return text === '' ? [] : [[each.name, readOption(each, text)]];
    });
    void save((name) => definitions.some((each) => each.name === name), given);
  };
  const stored = JSON.stringify(definitions.map(({ name }) => options[name]));
  return (
    <form className="card form" aria-label={t('options.title')} onSubmit={submit} key={stored}>
      {definitions.length === 0 && <p className="wide quiet">{t('options.none')}</p>}
      <Writable isAllowed={definitions.length === 0 || may('devices:write')} reason={t('role.readOnly')}>
        {definitions.map((each) => (
          <OptionField key={each.name} definition={each} value={options[each.name]} />
        ))}
      </Writable>
      {others.length > 0 && (
        <p className="wide quiet">
          {t('options.others')}: {others.map(([name, value]) => `${name} = ${value}`).join(', ')}
        </p>
      )}
      {may('devices:write') && definitions.length > 0 && (
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

function OptionField({ definition, value }: { definition: Definition; value: Value | undefined }) {
  const { t, language } = useSession();
  const id = useId();
  const { name, type, title, default: usual } = definition;
  const text = value === undefined ? '' : String(value);
  const shown = usual === true ? t('options.yes') : usual === false ? t('options.no') : usual;
  const hint = shown === null || shown === undefined ? t('vehicle.none') : t('options.default', { value: shown });
  return (
    <label className="wide" htmlFor={id}>
      <span>
        {titleIn(language, { title }, optionsIt)} <code className="quiet">{name}</code>
      </span>
      {type === 'boolean' ? (
        <select id={id} name={name} defaultValue={text}>
          <option value="">{hint}</option>
          <option value="true">{t('options.yes')}</option>
          <option value="false">{t('options.no')}</option>
        </select>
      ) : (
        <input
          id={id}
          name={name}
          type={type === 'number' ? 'number' : 'text'}
          step="any"
          maxLength={1_000}
          autoComplete="off"
          placeholder={hint}
          defaultValue={text}
        />
      )}
    </label>
  );
}
