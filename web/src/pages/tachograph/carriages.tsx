import { type FormEvent, useRef } from 'react';
import { countryCode } from '../../../../src/server/tachograph/engine/nations.ts';
import { answerOf, api } from '../../api.ts';
import { useAction } from '../../parts/action.tsx';
import { Listing, Table } from '../../parts/listing.tsx';
import { type Cursor, usePages } from '../../parts/pages.ts';
import { useFleet, useSession } from '../../session.tsx';
import { utcRange } from './corrections.tsx';
import { fromUtcInput, Revocation, textOf } from './revocable.tsx';
import { DriverField, DriverLink, NationOptions, useDrivers } from './shared.tsx';

const PAGE = 100;
const ITALY = 26;

interface Interval {
  /** days */
  readonly from: string;
  readonly to: string;
}

const readPage = ({ from, to }: Interval, cursor: Cursor) => {
  const query = { from: `${from}T00:00:00Z`, to: `${to}T23:59:59Z`, limit: PAGE, ...cursor };
  return answerOf(api.GET('/v1/drivers/ddd/transports', { params: { query } }));
};
type Carriage = Awaited<ReturnType<typeof readPage>>['items'][number];

const rangeOf = ({ loadedAt, unloadedAt }: Carriage): string => utcRange({ from: loadedAt, to: unloadedAt });

/** Carriages that persons have entered, which posting and cabotage are computed from, and a form for one more. */
export function Carriages({ from, to }: Interval) {
  const { t, may } = useSession();
  const { run, isRunning, result } = useAction(['tachograph']);
  const list = usePages(['tachograph', 'carriages', from, to], (cursor) => readPage({ from, to }, cursor));
  const revoke = (id: string, reason: string): Promise<void> =>
    run(async () => {
      const params = { path: { id } };
      await answerOf(api.POST('/v1/drivers/ddd/transports/{id}/revoke', { params, body: { reason } }));
      return t('carriage.revoked');
    });
  const mayWrite = may('ddd:write');
  return (
    <section className="card" aria-label={t('carriage.title')}>
      <h2>{t('carriage.title')}</h2>
      <p className="quiet">{t('carriage.note')}</p>
      <Listing query={list} items={list.data?.pages.flatMap(({ items }) => items)} empty={t('carriage.none')}>
        {(items) => <CarriageTable items={items} onRevoke={mayWrite ? revoke : undefined} />}
      </Listing>
      {mayWrite && <CarriageForm from={from} run={run} isRunning={isRunning} />}
      {result}
    </section>
  );
}

interface TableProps {
  readonly items: readonly Carriage[];
  readonly onRevoke: ((id: string, reason: string) => Promise<void>) | undefined;
}

function CarriageTable({ items, onRevoke }: TableProps) {
  const { t, time } = useSession();
  const names = useDrivers();
  return (
    <Table
      head={[
        t('alarm.driver'),
        t('share.vehicle'),
        t('carriage.range'),
        t('carriage.states'),
        t('carriage.reference'),
        t('carriage.entered'),
        t('ops.action'),
      ]}
    >
      {items.map((each) => (
        <tr key={each.id}>
          <td>
            <DriverLink id={each.driverId} name={names.get(each.driverId)} month={each.loadedAt.slice(0, 7)} />
          </td>
          <td>{each.targa}</td>
          <td>{rangeOf(each)}</td>
          <td>
            {countryCode(each.loadedIn)} – {countryCode(each.unloadedIn)}
            {each.combinedTransport && <div className="quiet">{t('carriage.combined')}</div>}
          </td>
          <td>{each.reference}</td>
          <td>{time(each.createdAt)}</td>
          <td>
            <Revocation
              row={each}
              name={`${each.targa} ${rangeOf(each)}`}
              onRevoke={onRevoke && ((reason) => void onRevoke(each.id, reason))}
            />
          </td>
        </tr>
      ))}
    </Table>
  );
}

interface FormProps {
  /** day */
  readonly from: string;
  readonly run: (change: () => Promise<string | undefined>) => Promise<void>;
  readonly isRunning: boolean;
}

function CarriageForm({ from, run, isRunning }: FormProps) {
  const { t } = useSession();
  const names = useDrivers();
  const { vehicles } = useFleet();
  const element = useRef<HTMLFormElement>(null);
  const add = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void run(async () => {
      const body = {
        driverId: textOf(form, 'driver'),
        targa: textOf(form, 'targa'),
        loadedAt: fromUtcInput(form.get('loadedAt')),
        loadedIn: Number(form.get('loadedIn')),
        unloadedAt: fromUtcInput(form.get('unloadedAt')),
        unloadedIn: Number(form.get('unloadedIn')),
        combinedTransport: form.get('combined') !== null,
        reference: textOf(form, 'reference'),
      };
      await answerOf(api.POST('/v1/drivers/ddd/transports', { body }));
      element.current?.reset();
      return t('carriage.added');
    });
  };
  return (
    <details>
      <summary>{t('carriage.add')}</summary>
      <form ref={element} className="form" onSubmit={add} aria-label={t('carriage.add')}>
        <DriverField names={names} />
        <label>
          {t('share.vehicle')}
          {/* one that is no longer in the fleet may be entered too */}
          <input name="targa" required maxLength={64} list="carriage-plates" />
        </label>
        <datalist id="carriage-plates">
          {vehicles.map(({ targa }) => (
            <option key={targa} value={targa} />
          ))}
        </datalist>
        {(['loaded', 'unloaded'] as const).map((end) => (
          <fieldset key={end}>
            <legend>{t(`posting.${end}`)}</legend>
            <label>
              {t('carriage.utc')}
              <input
                type="datetime-local"
                name={`${end}At`}
                required
                defaultValue={`${from}T${end === 'loaded' ? '08:00' : '16:00'}`}
              />
            </label>
            <Nation name={`${end}In`} />
          </fieldset>
        ))}
        <label>
          {t('carriage.reference')}
          <input name="reference" maxLength={200} />
        </label>
        <label className="check">
          <input type="checkbox" name="combined" />
          {t('carriage.combined')}
        </label>
        <div className="actions">
          <button type="submit" className="primary" disabled={isRunning || names.size === 0}>
            {t('carriage.add')}
          </button>
        </div>
      </form>
    </details>
  );
}

function Nation({ name }: { readonly name: string }) {
  const { t } = useSession();
  return (
    <label>
      {t('posting.state')}
      <select name={name} defaultValue={ITALY}>
        <NationOptions />
      </select>
    </label>
  );
}
