import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { answerOf, api } from '../../api.ts';
import { CHANNELS, PRIORITIES, RULE_TYPES } from '../../lists.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Problem, ReadingProblem } from '../../parts/problem.tsx';
import { Writable } from '../../parts/writable.tsx';
import { useSession } from '../../session.tsx';
import { type Area, inRequest } from './area.ts';
import { Backtest } from './backtest.tsx';
import { hoursOf, WeeklyHours } from './hours.tsx';
import { ParamFields } from './param-fields.tsx';
import { Places } from './places.tsx';
import {
  hasArea,
  isRuleType,
  paramsOf,
  RULE_PARAMS,
  type Rule,
  type RuleInput,
  type RuleType,
  splitList,
} from './rule-types.ts';
import { useRules } from './rules.tsx';

const route = getRouteApi('/rules/$id');

export function RulePage() {
  const { t } = useSession();
  const { id } = route.useParams();
  const rules = useRules();
  const rule = rules.data?.find((each) => each.id === id);
  return (
    <div className="page">
      <p>
        <Link to="/rules">{t('rule.back')}</Link>
      </p>
      <ReadingProblem query={rules} />
      {id === 'new' && <Editor rule={undefined} />}
      {id !== 'new' && rule !== undefined && <Editor key={id} rule={rule} />}
      {id !== 'new' && rules.data !== undefined && rule === undefined && <h1>{t('error.missing')}</h1>}
    </div>
  );
}

/** What the form contains, as the API takes it. */
function ruleOf(
  form: FormData,
  rule: Rule | undefined,
  geofences: readonly string[],
  area: Area | undefined,
): RuleInput {
  const type = form.get('type') as RuleType;
  const auth = hoursOf(form);
  const places = hasArea(type)
    ? {
        ...(geofences.length > 0 ? { geofences: [...geofences] } : {}),
        ...(area === undefined ? {} : { area: inRequest(area) }),
      }
    : {};
  const webhook = paramsOf(form, ['webhookUrl']);
  return {
    ...(rule === undefined ? {} : { id: rule.id }),
    type,
    description: String(form.get('description')),
    priority: form.get('priority') as RuleInput['priority'],
    timezone: String(form.get('timezone')),
    users: splitList(String(form.get('users'))),
    vehicles: splitList(String(form.get('vehicles'))),
    channels: CHANNELS.filter((each) => form.get(`channel.${each}`) !== null),
    cooldownSeconds: Number(form.get('cooldownSeconds') || 0),
    ...(auth === undefined ? {} : { auth_hours: auth }),
    params: { ...paramsOf(form, RULE_PARAMS[type]), ...places, ...webhook },
  } as RuleInput;
}

function Editor({ rule }: { rule: Rule | undefined }) {
  const { t, me, may } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const [type, setType] = useState<RuleType>(rule !== undefined && isRuleType(rule.type) ? rule.type : 'overspeed');
  const [geofences, setGeofences] = useState<readonly string[]>(rule?.params?.geofences ?? []);
  const [area, setArea] = useState<Area | undefined>(rule?.params?.area as Area | undefined);
  const [result, setResult] = useState<{ text: string; isProblem: boolean }>();
  const [isAsking, setAsking] = useState(false);
  const mayWrite = may('notifications:write') && rule?.changeable !== false;
  const mayNotifyOthers = may('users:read');
  const current = (): RuleInput => ruleOf(new FormData(form.current!), rule, geofences, area);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setResult(undefined);
    try {
      const body = { notification_data: current() };
      const params = { path: { version: 'v1' } };
      const { notificationId } = await answerOf(api.PUT('/v1/{version}/notifications', { params, body }));
      await queries.invalidateQueries({ queryKey: ['rules'] });
      setResult({ text: t('rule.saved'), isProblem: false });
      if (rule === undefined) await navigate({ to: '/rules/$id', params: { id: notificationId } });
    } catch (error) {
      setResult({ text: (error as Error).message, isProblem: true });
    }
  };
  const remove = async (): Promise<void> => {
    setAsking(false);
    try {
      await answerOf(api.DELETE('/v1/notifications/{id}', { params: { path: { id: rule!.id } } }));
      await queries.invalidateQueries({ queryKey: ['rules'] });
      await navigate({ to: '/rules' });
    } catch (error) {
      setResult({ text: (error as Error).message, isProblem: true });
    }
  };
  return (
    <>
      <h1>{rule === undefined ? t('rule.new') : `${t('rule.edit')}: ${t(`ruleType.${type}`)}`}</h1>
      <form ref={form} className="card form" onSubmit={(event) => void save(event)} aria-label={t('rule.edit')}>
        <Writable isAllowed={mayWrite} reason={t(may('notifications:write') ? 'rule.ofOthers' : 'role.readOnly')}>
          <label>
            {t('rule.type')}
            <select name="type" value={type} onChange={(event) => setType(event.target.value as RuleType)}>
              {RULE_TYPES.map((each) => (
                <option key={each} value={each}>
                  {t(`ruleType.${each}`)}
                </option>
              ))}
            </select>
          </label>
          <label>
            {t('rule.priority')}
            <select name="priority" defaultValue={rule?.priority ?? 'normal'}>
              {PRIORITIES.map((each) => (
                <option key={each} value={each}>
                  {t(`severity.${each}`)}
                </option>
              ))}
            </select>
          </label>
          <label className="wide">
            {t('rule.description')}
            <input name="description" maxLength={1_000} defaultValue={rule?.description ?? ''} />
          </label>
          <label className="wide">
            {t('rule.vehicles')}
            <textarea name="vehicles" required rows={3} defaultValue={rule?.vehicles.join('\n') ?? ''} />
          </label>
          <label className="wide">
            {t('rule.users')}
            <input
              name="users"
              required
              readOnly={!mayNotifyOthers}
              defaultValue={rule?.users.join(', ') ?? me.user.id}
            />
            {!mayNotifyOthers && <small className="quiet">{t('rule.onlySelf')}</small>}
          </label>
          <fieldset className="wide">
            <legend>{t('rule.channels')}</legend>
            {CHANNELS.map((each) => (
              <label key={each} className="check">
                <input
                  type="checkbox"
                  name={`channel.${each}`}
                  defaultChecked={(rule?.channels ?? ['app']).includes(each)}
                />
                {t(`rule.channel.${each}`)}
              </label>
            ))}
            <label>
              {t('param.webhookUrl')}
              <input name="param.webhookUrl" type="url" defaultValue={rule?.params?.webhookUrl ?? ''} />
            </label>
          </fieldset>
          <label>
            {t('rule.cooldown')}
            <input name="cooldownSeconds" type="number" min={0} defaultValue={rule?.cooldownSeconds ?? 0} />
          </label>
          <label>
            {t('rule.zone')}
            <input name="timezone" required defaultValue={rule?.timezone ?? me.tenant.timezone} />
          </label>
          <ParamFields key={type} type={type} values={rule?.params ?? {}} />
          {hasArea(type) && <Places geofences={geofences} onGeofences={setGeofences} area={area} onArea={setArea} />}
          <WeeklyHours hours={rule?.auth_hours} isUse={type === 'unauthorized_use'} />
          {mayWrite && (
            <div className="actions wide">
              <button type="submit" className="primary">
                {t('rule.save')}
              </button>
              {rule !== undefined && (
                <button type="button" onClick={() => setAsking(true)}>
                  {t('rule.delete')}
                </button>
              )}
            </div>
          )}
        </Writable>
        {result?.isProblem === true && <Problem error={result.text} />}
        {result?.isProblem === false && <p role="status">{result.text}</p>}
      </form>
      {may('positions:read') && <Backtest current={current} />}
      {isAsking && <Confirm text={t('rule.confirmDelete')} onYes={() => void remove()} onNo={() => setAsking(false)} />}
    </>
  );
}
