import { useEffect, useState } from 'react';
import { answerOf, api } from '../../api.ts';
import { useMap } from '../../map/use-map.ts';
import { Problem } from '../../parts/problem.tsx';
import { useSession } from '../../session.tsx';
import type { RuleInput } from './rule-types.ts';

type Result = Awaited<ReturnType<typeof run>>;
const DAY_MS = 86_400_000;
const SHOWN = 500;

const run = (rule: RuleInput, days: number) => {
  const to = Date.now();
  const body = { rule, from: new Date(to - days * DAY_MS).toISOString(), to: new Date(to).toISOString() };
  return answerOf(api.POST('/v1/notifications/backtest', { body }));
};

/** Messages that the rule in the form would have sent, in a list and on the map. */
export function Backtest({ current }: { current: () => RuleInput }) {
  const { t } = useSession();
  const [days, setDays] = useState(7);
  const [result, setResult] = useState<Result>();
  const [problem, setProblem] = useState<string>();
  const [isRunning, setRunning] = useState(false);
  const start = async (): Promise<void> => {
    setProblem(undefined);
    setRunning(true);
    try {
      setResult(await run(current(), days));
    } catch (error) {
      setResult(undefined);
      setProblem((error as Error).message);
    }
    setRunning(false);
  };
  return (
    <section className="card" aria-label={t('rule.backtest')}>
      <h2>{t('rule.backtest')}</h2>
      <div className="actions">
        <label>
          {t('rule.days')}
          <input
            type="number"
            min={1}
            max={31}
            value={days}
            onChange={({ target }) => setDays(Math.max(1, Number(target.value)))}
          />
        </label>
        <button type="button" disabled={isRunning} onClick={() => void start()}>
          {isRunning ? t('loading') : t('rule.run')}
        </button>
      </div>
      {problem !== undefined && <Problem error={problem} />}
      {result !== undefined && <Messages result={result} />}
    </section>
  );
}

function Messages({ result: { messages, evaluatedPositions } }: { result: Result }) {
  const { t, time } = useSession();
  const { container, map } = useMap(() => {});
  const places = messages.flatMap(({ latitude, longitude }): [number, number][] =>
    latitude === null || longitude === null ? [] : [[longitude, latitude]],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the places follow from the messages
  useEffect(() => {
    void map?.showPlaces(places);
    if (places.length > 0) void map?.fit(places);
  }, [map, messages]);
  return (
    <>
      <p role="status">{t('rule.result', { n: messages.length, positions: evaluatedPositions })}</p>
      {places.length > 0 && (
        <div ref={container} className="map draw-map" role="application" aria-label={t('alarm.map')} />
      )}
      {messages.length > 0 && (
        <div className="scroll">
          <table className="cards">
            <thead>
              <tr>
                <th>{t('alarm.when')}</th>
                <th>{t('alarm.what')}</th>
              </tr>
            </thead>
            <tbody>
              {messages.slice(0, SHOWN).map(({ at, vehicle, title, body }) => (
                <tr key={`${vehicle} ${at} ${title}`}>
                  <td>{time(at)}</td>
                  <td>
                    <strong>{title}</strong>
                    <div className="quiet">{body}</div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
