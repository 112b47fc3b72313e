import { useQuery } from '@tanstack/react-query';
import type { Position } from 'geojson';
import { answerOf, api } from '../../api.ts';
import { Table } from '../../parts/listing.tsx';
import { useSession } from '../../session.tsx';

export interface TrackAlarm {
  /** epoch ms */
  readonly at: number;
  readonly title: string;
  readonly source: 'device' | 'rule';
  readonly place: Position | undefined;
}

const PAGE = 500;

/** What rules have notified the user of about the vehicle. Days are those of the shown zone. */
export function useNotified(targa: string, from: string, to: string) {
  const { may, language } = useSession();
  return useQuery({
    queryKey: ['alarms', 'of', targa, from, to, language],
    queryFn: async (): Promise<TrackAlarm[]> => {
      const params = { path: { user_id: 'me', from }, query: { to, lang: language, limit: PAGE } };
      const { items } = await answerOf(api.GET('/v1/notifications/history/{user_id}/{from}', { params }));
      return items
        .filter((each) => each.targa === targa && each.kind === 'alarm')
        .map(({ title, occurredAt, position }) => ({
          at: Date.parse(occurredAt),
          title,
          source: 'rule',
          place:
            position?.latitude === undefined || position.longitude === undefined
              ? undefined
              : [position.longitude, position.latitude],
        }));
    },
    enabled: may('notifications:read'),
    retry: false,
  });
}

export function Alarms({ alarms, onPick }: { alarms: readonly TrackAlarm[]; onPick: (at: number) => void }) {
  const { t, clock } = useSession();
  return (
    <section aria-label={t('vehicle.alarms')}>
      <h2>{t('vehicle.alarms')}</h2>
      {alarms.length === 0 && <p>{t('vehicle.noAlarms')}</p>}
      {alarms.length > 0 && (
        <Table head={[t('alarm.when'), t('alarm.what'), t('alarm.where')]}>
          {alarms.map(({ at, title, source, place }) => (
            <tr key={`${at} ${title}`}>
              <td>{clock(at)}</td>
              <td>
                <strong>{title}</strong> {source === 'device' && <span className="quiet">{t('vehicle.byDevice')}</span>}
              </td>
              <td>
                {place === undefined ? (
                  t('vehicle.none')
                ) : (
                  <button type="button" onClick={() => onPick(at)}>
                    {t('vehicle.showAt')}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
