import { commandParametersIt } from '../../i18n/command-parameters-it.ts';
import { titleIn } from '../../i18n/title.ts';
import { useSession } from '../../session.tsx';
import type { CommandType } from './types.ts';

/** A field for each parameter of a command, as the protocol defines it. */
export function TypeFields({ type: { type, parameters } }: { type: CommandType }) {
  const { t, language } = useSession();
  return parameters.map((parameter) => {
    const { name, type: kind, required } = parameter;
    const title = titleIn(language, parameter, commandParametersIt);
    const id = `param-${type}-${name}`;
    const label = required ? title : `${title} (${t('send.optional')})`;
    return (
      <label key={id} htmlFor={id}>
        {label}
        {kind === 'boolean' ? (
          <select id={id} name={`param.${name}`} required={required} defaultValue="">
            <option value="" />
            <option value="true">{t('send.yes')}</option>
            <option value="false">{t('send.no')}</option>
          </select>
        ) : (
          <input
            id={id}
            name={`param.${name}`}
            type={kind === 'number' ? 'number' : 'text'}
            step="any"
            required={required}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </label>
    );
  });
}

/** Parameters as the API takes them; empty fields are left out. */
export function parametersOf({ parameters }: CommandType, form: FormData): Record<string, string | number | boolean> {
  return Object.fromEntries(
    parameters.flatMap(({ name, type }) => {
      const text = String(form.get(`param.${name}`) ?? '');
      if (text === '') return [];
      return [[name, type === 'number' ? Number(text) : type === 'boolean' ? text === 'true' : text]];
    }),
  );
}
