import { NO_ANSWER } from '../api.ts';
import { useSession } from '../session.tsx';

/** What is shown instead of data that could not be loaded. */
export function Problem({ error, retry }: { error: string; retry?: () => void }) {
  const { t } = useSession();
  return (
    <div className="problem" role="alert">
      {error === NO_ANSWER ? t('error.away') : t('error.load', { detail: error })}
      {retry && (
        <button type="button" onClick={retry}>
          {t('error.retry')}
        </button>
      )}
    </div>
  );
}
