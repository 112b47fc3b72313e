import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answerOf, api } from '../../api.ts';
import { Listing, Table } from '../../parts/listing.tsx';
import { useSession } from '../../session.tsx';
import { isRuleType, type Rule } from './rule-types.ts';

export function useRules() {
  return useQuery({
    queryKey: ['rules'],
    queryFn: async () => {
      const params = { path: { id: 'me' }, query: { limit: 1 } };
      return (await answerOf(api.GET('/v1/notifications/{id}', { params }))).rules;
    },
  });
}

export function RulesPage() {
  const { t, may } = useSession();
  const rules = useRules();
  return (
    <div className="page">
      <h1>{t('rule.title')}</h1>
      {may('notifications:write') && (
        <div className="actions">
          <Link className="button" to="/rules/$id" params={{ id: 'new' }}>
            {t('rule.new')}
          </Link>
        </div>
      )}
      <Listing query={rules} items={rules.data} empty={t('rule.none')}>
        {(items) => <RuleTable rules={items} />}
      </Listing>
    </div>
  );
}

function RuleTable({ rules }: { rules: readonly Rule[] }) {
  const { t } = useSession();
  return (
    <Table head={[t('rule.type'), t('rule.description'), t('rule.priority'), t('map.list'), t('rule.channels')]}>
      {rules.map(({ id, type, description, priority, vehicles, channels }) => (
        <tr key={id}>
          <td>
            <Link to="/rules/$id" params={{ id }}>
              {isRuleType(type) ? t(`ruleType.${type}`) : type}
            </Link>
          </td>
          <td>{description}</td>
          <td>{t(`severity.${priority as 'low' | 'normal' | 'high' | 'critical'}`)}</td>
          <td>
            {vehicles.slice(0, 5).join(', ')}
            {vehicles.length > 5 ? ` … (${vehicles.length})` : ''}
          </td>
          <td>{channels.map((each) => t(`rule.channel.${each}`)).join(', ')}</td>
        </tr>
      ))}
    </Table>
  );
}
