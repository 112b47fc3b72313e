import { useQuery } from '@tanstack/react-query';
import { Problem } from '../../parts/problem.tsx';
import { useSession } from '../../session.tsx';

interface Methods {
  readonly password: boolean;
  readonly singleSignOn: { readonly label: string } | null;
}

async function readMethods(): Promise<Methods> {
  const response = await fetch('/login/methods');
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
}

/** How users log in, as the login page offers it: the operator of the server decides. */
export function LoginMethods() {
  const { t } = useSession();
  const methods = useQuery({ queryKey: ['login-methods'], queryFn: readMethods });
  if (methods.isError) return <Problem error={methods.error.message} retry={() => void methods.refetch()} />;
  if (methods.data === undefined) return null;
  const { password, singleSignOn } = methods.data;
  return (
    <section className="card" aria-label={t('login.title')}>
      <h2>{t('login.title')}</h2>
      <dl>
        <dt>{t('login.sso')}</dt>
        <dd>
          <span className={`tag ${singleSignOn === null ? '' : 'good'}`}>
            {singleSignOn === null ? t('login.ssoOff') : t('login.ssoOn', { label: singleSignOn.label })}
          </span>
        </dd>
        <dt>{t('login.password')}</dt>
        <dd>
          <span className="tag">{t(password ? 'login.allowed' : 'login.notAllowed')}</span>
        </dd>
      </dl>
      <p className="quiet">{t('login.help')}</p>
    </section>
  );
}
