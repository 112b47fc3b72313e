import { useSession } from '../../session.tsx';
import { kindOfParam, RULE_PARAMS, type RuleType } from './rule-types.ts';

/** A field for each condition of a type of rule. An empty one stands for the default. */
export function ParamFields({ type, values }: { type: RuleType; values: Readonly<Record<string, unknown>> }) {
  const { t } = useSession();
  const names = RULE_PARAMS[type];
  if (names.length === 0) return null;
  return (
    <fieldset className="wide fields">
      <legend>{t('rule.params')}</legend>
      {names.includes('litres') && <p className="quiet wide">{t('rule.fuelOptions')}</p>}
      {names.map((name) => {
        const kind = kindOfParam(name);
        const value = values[name];
        if (kind === 'flag') {
          return (
            <label key={name} className="check">
              <input type="checkbox" name={`param.${name}`} defaultChecked={value === true} />
              {t(`param.${name}`)}
            </label>
          );
        }
        const text = Array.isArray(value) ? value.join(', ') : value === undefined ? '' : String(value);
        return (
          <label key={name}>
            {t(`param.${name}`)}
            <input name={`param.${name}`} type={kind === 'number' ? 'number' : 'text'} step="any" defaultValue={text} />
          </label>
        );
      })}
    </fieldset>
  );
}
