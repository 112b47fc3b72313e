import { useState } from 'react';
import { Problem } from '../../parts/problem.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useSession } from '../../session.tsx';

const FORMATS = ['gpx', 'kml', 'geojson', 'csv'] as const;

/** Files of what is shown: the day, or the trip that is selected. */
export function Downloads({ targa, from, to }: { targa: string; from: string; to: string }) {
  const { t } = useSession();
  const [problem, setProblem] = useState<string>();
  const start = (format: (typeof FORMATS)[number]): void => {
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
        {FORMATS.map((format) => (
          <button key={format} type="button" onClick={() => start(format)}>
            {format.toUpperCase()}
          </button>
        ))}
      </p>
      {problem !== undefined && <Problem error={problem} />}
    </section>
  );
}
