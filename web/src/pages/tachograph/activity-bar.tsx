import { useSession } from '../../session.tsx';
import { hours } from './shared.tsx';

export type Activity = 'rest' | 'availability' | 'work' | 'driving' | 'unknown';

export interface Day {
  readonly date: string;
  readonly minutesInDay: number;
  readonly minutes: Readonly<Record<Activity, number>>;
  readonly distanceKm: number;
  readonly vehicles: readonly string[];
  readonly manualEntries: boolean;
  /** where a person's correction counts, with what was recorded */
  readonly corrected: readonly {
    readonly correctionId: string;
    readonly from: string;
    readonly to: string;
    readonly was: Activity;
    readonly activity: Activity;
  }[];
  readonly intervals: readonly {
    readonly from: string;
    readonly to: string;
    readonly activity: Activity;
  }[];
}

/** Share of the height: the more demanding the activity, the higher. Readable without colors too. */
const HEIGHTS: Readonly<Record<Activity, number>> = {
  driving: 10,
  work: 7.5,
  availability: 5.5,
  rest: 3.5,
  unknown: 1.5,
};
const ACTIVITIES = ['driving', 'work', 'availability', 'rest', 'unknown'] as const;
const TICKS = [3, 6, 9, 12, 15, 18, 21];

/** 24 hours of a day. Its label has the same in text. */
export function ActivityBar({ day: { date, minutesInDay, minutes, intervals } }: { day: Day }) {
  const { t } = useSession();
  const start = Date.parse(intervals[0]?.from ?? `${date}T00:00:00Z`);
  const at = (instant: string): number => (Date.parse(instant) - start) / 60_000;
  const label = ACTIVITIES.map((each) => `${t(`activity.${each}`)} ${hours(minutes[each])}`).join(', ');
  return (
    <svg
      className="activity-bar"
      viewBox={`0 0 ${minutesInDay} 10`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${date}: ${label}`}
    >
      <rect className="activity-ground" x="0" y="0" width={minutesInDay} height="10" />
      {intervals.map(({ from, to, activity }) => (
        <rect
          key={from}
          className={`activity-${activity}`}
          x={at(from)}
          y={10 - HEIGHTS[activity]}
          width={Math.max(0, Math.min(at(to), minutesInDay) - at(from))}
          height={HEIGHTS[activity]}
        >
          <title>{`${from.slice(11, 16)}–${to.slice(11, 16)} ${t(`activity.${activity}`)}`}</title>
        </rect>
      ))}
      {TICKS.map((hour) => (
        <line
          key={hour}
          className={hour === 12 ? 'day-noon' : 'day-hour'}
          x1={(hour * minutesInDay) / 24}
          x2={(hour * minutesInDay) / 24}
          y1="0"
          y2="10"
        />
      ))}
    </svg>
  );
}

export function Legend() {
  const { t } = useSession();
  return (
    <p className="actions legend">
      {ACTIVITIES.map((each) => (
        <span key={each}>
          <svg viewBox="0 0 14 10" width="14" height="10" aria-hidden="true">
            <rect className={`activity-${each}`} x="0" y={10 - HEIGHTS[each]} width="14" height={HEIGHTS[each]} />
          </svg>{' '}
          {t(`activity.${each}`)}
        </span>
      ))}
    </p>
  );
}
