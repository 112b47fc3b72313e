import { useState } from 'react';
import { ApiProblem, CONSOLE_HEADERS } from '../../api.ts';
import { Problem } from '../../parts/problem.tsx';
import { useSession } from '../../session.tsx';

const FORMATS = ['gpx', 'kml', 'geojson', 'csv'] as const;

/** A file of what is shown: the day, or the trip that is selected. */
async function download(targa: string, from: string, to: string, format: (typeof FORMATS)[number]): Promise<void> {
  const response = await fetch('/v1/vehicles/download_route', {
    method: 'POST',
    headers: { ...CONSOLE_HEADERS, 'content-type': 'application/json', accept: '*/*' },
    body: JSON.stringify({ targa, from, to, format }),
  });
  if (!response.ok) throw new ApiProblem(response.status, (await response.json()).detail ?? `HTTP ${response.status}`);
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = `${targa}-${from.slice(0, 10)}.${format}`;
  link.click();
  URL.revokeObjectURL(url);
}

export function Downloads({ targa, from, to }: { targa: string; from: string; to: string }) {
  const { t } = useSession();
  const [problem, setProblem] = useState<string>();
  const start = (format: (typeof FORMATS)[number]): void => {
    setProblem(undefined);
    download(targa, from, to, format).catch((error: Error) => setProblem(error.message));
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
