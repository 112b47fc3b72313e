import { useQuery } from '@tanstack/react-query';
import { textAt } from '../../api.ts';
import { Loaded } from '../../parts/problem.tsx';
import { useSession } from '../../session.tsx';

interface Methods {
  readonly password: boolean;
  readonly singleSignOn: { readonly label: string } | null;
}

async function readMethods(): Promise<Methods> {
  return JSON.parse(await textAt('/login/methods'));
}

/** How users log in, as the login page offers it: the operator of the server decides. */
export function LoginMethods() {
  const methods = useQuery({ queryKey: ['login-methods'], queryFn: readMethods });
  return <Loaded query={methods}>{(known) => <Offered methods={known} />}</Loaded>;
}

function Offered({ methods: { password, singleSignOn } }: { readonly methods: Methods }) {
  const { t } = useSession();
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
