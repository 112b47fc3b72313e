import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiProblem, answerOf, api } from '../../api.ts';
import { INFRINGEMENT_STATUSES, SEVERITIES } from '../../lists.ts';
import { useAction } from '../../parts/action.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Choice, Filters } from '../../parts/filters.tsx';
import { Listing, Table } from '../../parts/listing.tsx';
import { type Cursor, usePages } from '../../parts/pages.ts';
import { saveFile } from '../../parts/save-file.ts';
import { useSession } from '../../session.tsx';
import { DateRange, DriverLink, dateText, hours, TachographPage, useDrivers, useInterval } from './shared.tsx';

const route = getRouteApi('/tachograph/infringements');
const FORMATS = ['pdf', 'xlsx', 'csv'] as const;
const KINDS: Readonly<Record<string, string>> = { MI: 'idle', SI: 'warn', VSI: 'bad', MSI: 'bad' };
const PAGE = 100;

interface Filter {
  readonly driver?: string | undefined;
  readonly severity?: (typeof SEVERITIES)[number] | undefined;
  readonly status?: (typeof INFRINGEMENT_STATUSES)[number] | undefined;
  readonly from: string;
  readonly to: string;
}

type Infringement = Awaited<ReturnType<typeof readPage>>['items'][number];
type Letter = Infringement['letters'][number];

const readPage = ({ driver, severity, status, from, to }: Filter, cursor: Cursor) =>
  answerOf(
    api.GET('/v1/drivers/ddd/infringements', {
      params: {
        query: {
          from,
          to,
          limit: PAGE,
          ...(driver && { driver_id: driver }),
          ...(severity && { severity }),
          ...(status && { status }),
          ...cursor,
        },
      },
    }),
  );

function useFilter(): Filter {
  const search = route.useSearch();
  return {
    driver: search.driver,
    severity: SEVERITIES.find((each) => each === search.severity),
    status: INFRINGEMENT_STATUSES.find((each) => each === search.status),
    ...useInterval(search),
  };
}

export function InfringementsPage() {
  const { t, number, language } = useSession();
  const filter = useFilter();
  const names = useDrivers();
  const navigate = useNavigate({ from: '/tachograph/infringements' });
  const change = (more: Partial<Filter>): void =>
    void navigate({ search: (before) => ({ ...before, ...more }), replace: true });
  const list = usePages(['tachograph', 'infringements', filter], (cursor) => readPage(filter, cursor));
  const { run, isRunning, result } = useAction(['nothing']);
  const save = (format: (typeof FORMATS)[number]): Promise<void> =>
    run(async () => {
      const { from, to, driver } = filter;
      const body = { from, to, format, lang: language, ...(driver && { drivers: [driver] }) };
      await saveFile({ path: '/v1/drivers/ddd/infringements_file', name: `infringements-${from}.${format}`, body });
      return undefined;
    });
  const totals = list.data?.pages[0]?.totals;
  return (
    <TachographPage title={t('tacho.infringements')}>
      <Filters>
        <Choice
          label={t('alarm.driver')}
          values={[...names.keys()]}
          value={filter.driver}
          text={(id) => names.get(id) ?? id}
          onChange={(driver) => change({ driver })}
        />
        <Choice
          label={t('alarm.severity')}
          values={SEVERITIES}
          value={filter.severity}
          onChange={(severity) => change({ severity })}
        />
        <Choice
          label={t('alarm.state')}
          values={INFRINGEMENT_STATUSES}
          value={filter.status}
          text={(each) => t(`infringement.${each}`)}
          onChange={(status) => change({ status })}
        />
        <DateRange {...filter} onChange={change} />
        {FORMATS.map((format) => (
          <button key={format} type="button" disabled={isRunning} onClick={() => void save(format)}>
            {format.toUpperCase()}
          </button>
        ))}
      </Filters>
      {result}
      {totals !== undefined && totals.count > 0 && (
        <p className="actions" role="status">
          <strong>{t('tacho.count', { n: totals.count })}</strong>
          {Object.entries(totals.bySeverity).map(([severity, n]) => (
            <span key={severity} className={`tag ${KINDS[severity] ?? ''}`}>
              {severity}: {n}
            </span>
          ))}
          {totals.fineEur.max > 0 && (
            <span className="quiet">
              {t('tacho.fines', { min: number(totals.fineEur.min), max: number(totals.fineEur.max) })}
            </span>
          )}
        </p>
      )}
      <Listing
        query={list}
        items={list.data?.pages.flatMap(({ items }) => items)}
        empty={t('tacho.noInfringements', { from: filter.from, to: filter.to })}
      >
        {(items) => <Infringements items={items} names={names} filter={filter} />}
      </Listing>
    </TachographPage>
  );
}

interface TableProps {
  readonly items: readonly Infringement[];
  readonly names: ReadonlyMap<string, string>;
  readonly filter: Filter;
}

/** Those of one driver are selected for a letter. */
function Infringements({ items, names, filter }: TableProps) {
  const { t, time, may, language } = useSession();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { run, isRunning, result } = useAction(['tachograph']);
  const chosen = items.filter(({ id }) => selected.has(id));
  const driverId = chosen[0]?.driverId;
  const toggle = (id: string): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  /** what is known of the letters before */
  const [asked, setAsked] = useState<string>();
  const written = chosen.flatMap(({ letters }) => letters);
  const issue = (repeats: boolean): Promise<void> =>
    run(async () => {
      const body = {
        driverId: driverId!,
        from: filter.from,
        to: filter.to,
        infringementIds: [...selected],
        lang: language,
        repeats,
      };
      try {
        await answerOf(api.POST('/v1/drivers/ddd/letters', { body }));
      } catch (error) {
        // somebody else has issued one since the list was read
        if (repeats || !(error instanceof ApiProblem && error.code === 'letter-exists')) throw error;
        setAsked(error.message);
        return undefined;
      }
      setSelected(new Set());
      return t('tacho.letterIssued', { name: names.get(driverId!) ?? driverId! });
    });
  const letterText = ({ state, issuedAt, acknowledgedOn }: Letter): string =>
    `${time(issuedAt)}, ${t(`letter.${state}`)}${acknowledgedOn === null ? '' : ` ${dateText(acknowledgedOn)}`}`;
  /** Each letter once. */
  const letterTexts = (letters: readonly Letter[]): string =>
    [...new Map(letters.map((letter) => [letter.id, letterText(letter)])).values()].join('; ');
  const decide = (id: string, status: (typeof INFRINGEMENT_STATUSES)[number]): Promise<void> =>
    run(async () => {
      await answerOf(api.PATCH('/v1/drivers/ddd/infringements/{id}', { params: { path: { id } }, body: { status } }));
      return undefined;
    });
  const mayWrite = may('ddd:write');
  return (
    <>
      {mayWrite && (
        <div className="actions">
          <button
            type="button"
            className="primary"
            disabled={isRunning || chosen.length === 0}
            onClick={() => (written.length > 0 ? setAsked(letterTexts(written)) : void issue(false))}
          >
            {t('tacho.issue')}
          </button>
          <span className="quiet">
            {chosen.length === 0 ? t('tacho.selectForLetter') : t('tacho.selected', { n: chosen.length })}
          </span>
        </div>
      )}
      {result}
      {asked !== undefined && (
        <Confirm
          text={t('tacho.confirmLetter', {
            name: names.get(driverId!) ?? driverId!,
            letters: letterTexts(written) || asked,
          })}
          onYes={() => {
            setAsked(undefined);
            void issue(true);
          }}
          onNo={() => setAsked(undefined)}
        />
      )}
      <Table
        head={[
          ...(mayWrite ? [t('tacho.letter')] : []),
          t('alarm.driver'),
          t('tacho.fact'),
          t('alarm.severity'),
          t('alarm.when'),
          t('tacho.measured'),
          t('tacho.sanction'),
          t('alarm.state'),
        ]}
      >
        {items.map((each) => (
          <tr key={each.id}>
            {mayWrite && (
              <td>
                <input
                  type="checkbox"
                  aria-label={`${t('tacho.letter')}: ${each.rule} ${each.from}`}
                  checked={selected.has(each.id)}
                  disabled={driverId !== undefined && driverId !== each.driverId}
                  onChange={() => toggle(each.id)}
                />
              </td>
            )}
            <td>
              <DriverLink id={each.driverId} name={names.get(each.driverId)} month={each.from.slice(0, 7)} />
            </td>
            <td>
              <Fact rule={each.rule} article={each.article} />
              {each.letters.map((letter) => (
                <div key={letter.id} className="quiet">
                  {t('tacho.letterOf', { letter: letterText(letter) })}
                </div>
              ))}
            </td>
            <td>
              {each.severity !== null && <span className={`tag ${KINDS[each.severity]}`}>{each.severity}</span>}
              {each.remarks.map((remark) => (
                <div key={remark} className="quiet">
                  {t(`remark.${remark}`)}
                  {remark === 'derogation-possible' &&
                    each.derogation !== null &&
                    `, ${each.derogation.article}: ${t(`check.${each.derogation.check}`)}`}
                </div>
              ))}
            </td>
            <td>{time(each.from)}</td>
            <td>
              {hours(each.measured)} <span className="quiet">/ {hours(each.limit)}</span>
            </td>
            <td>
              <Sanction italian={each.italian} />
            </td>
            <td>
              {mayWrite ? (
                <select
                  aria-label={`${t('alarm.state')}: ${each.rule} ${each.from}`}
                  value={each.status}
                  onChange={(event) =>
                    void decide(each.id, INFRINGEMENT_STATUSES.find((s) => s === event.target.value) ?? 'open')
                  }
                >
                  {INFRINGEMENT_STATUSES.map((status) => (
                    <option key={status} value={status}>
                      {t(`infringement.${status}`)}
                    </option>
                  ))}
                </select>
              ) : (
                t(`infringement.${each.status}`)
              )}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

export function Fact({ rule, article }: Pick<Infringement, 'rule' | 'article'>) {
  const { t } = useSession();
  return (
    <>
      {t(`infringementRule.${rule}`)}
      <div className="quiet">{article}</div>
    </>
  );
}

function Sanction({ italian }: { italian: Infringement['italian'] }) {
  const { t, number } = useSession();
  if (italian === null || italian.fine === null) return <>{t('vehicle.none')}</>;
  const { minEur, maxEur, approximate } = italian.fine;
  return (
    <>
      {approximate && '~ '}
      {number(minEur)}–{number(maxEur)} €
      {italian.points !== null && <div className="quiet">{t('tacho.points', { n: italian.points })}</div>}
    </>
  );
}
