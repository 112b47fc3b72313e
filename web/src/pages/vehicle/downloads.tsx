import { useState } from 'react';
import { TRACK_FORMATS } from '../../lists.ts';
import { Problem } from '../../parts/problem.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useSession } from '../../session.tsx';

/** Files of what is shown: the day, or the trip that is selected. */
export function Downloads({ targa, from, to }: { targa: string; from: string; to: string }) {
  const { t } = useSession();
  const [problem, setProblem] = useState<string>();
  const start = (format: (typeof TRACK_FORMATS)[number]): void => {
    setProblem(undefined);
    const name = `${targa}-${from.slice(0, 10)}.${format}`;
    saveFile({ path: '/v1/vehicles/download_route', body: { targa, from, to, format }, name }).catch((error: Error) =>
      setProblem(error.message),
    );
  };
  return (
    <section aria-label={t('vehicle.download')}>
      <h2>{t('vehicle.download')}</h2>
      <p className="actions">
        {TRACK_FORMATS.map((format) => (
          <button key={format} type="button" onClick={() => start(format)}>
            {format.toUpperCase()}
          </button>
        ))}
      </p>
      {problem !== undefined && <Problem error={problem} />}
    </section>
  );
}
