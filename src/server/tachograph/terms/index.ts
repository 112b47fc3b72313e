import type pg from 'pg';
import { noteChange } from '../../kernel/audit/index.ts';
import { type App, tenantOf } from '../../kernel/http/index.ts';
import { type Terms, terms } from './schema.ts';
import * as store from './store.ts';

/** What a tenant has decided, with the zone that payroll goes by. */
export interface TermsInForce extends Omit<Terms, 'zone'> {
  readonly zone: string;
  /** of the tenant, where the terms name no employer */
  readonly tenantTitle: string;
}

/** Italian payroll by default. */
const DEFAULT_ZONE = 'Europe/Rome';

export async function termsOf(pool: pg.Pool, tenantId: number): Promise<TermsInForce> {
  const row = await store.readTerms(pool, tenantId);
  const decided = terms.parse(row.content ?? {});
  return { ...decided, zone: decided.zone ?? (row.zone === 'UTC' ? DEFAULT_ZONE : row.zone), tenantTitle: row.title };
}

/** The terms for one driver: residence and service are the driver's, where they are known. */
export async function termsOfDriver(pool: pg.Pool, tenantId: number, driverId: string): Promise<TermsInForce> {
  const terms = await termsOf(pool, tenantId);
  const own = await store.readDriverTerms(pool, tenantId, driverId);
  return { ...terms, residence: own.residence ?? terms.residence, service: own.service ?? terms.service };
}

/** The employer in one line, as documents print it. */
export function employerText({ employer, tenantTitle }: TermsInForce, language: 'it' | 'en'): string {
  if (employer === null) return tenantTitle;
  const { name, address, taxCode, vatNumber, insuranceNumber } = employer;
  const label = language === 'it' ? { tax: 'C.F.', vat: 'P.IVA' } : { tax: 'Tax code', vat: 'VAT number' };
  return [
    name,
    address,
    taxCode && `${label.tax} ${taxCode}`,
    vatNumber && `${label.vat} ${vatNumber}`,
    insuranceNumber && `INAIL ${insuranceNumber}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

export function addTermsRoutes(app: App, pool: pg.Pool, onChange: () => void): void {
  const schema = { tags: ['tachograph'], response: { 200: terms } };
  app.get(
    '/v1/drivers/ddd/settings',
    {
      config: { access: ['payroll:read'] },
      schema: { ...schema, summary: 'How tachograph data are analysed and written for payroll' },
    },
    async (request) => terms.parse((await store.readTerms(pool, tenantOf(request))).content ?? {}),
  );
  app.put(
    '/v1/drivers/ddd/settings',
    {
      config: { access: ['ddd:write', 'payroll:read'] },
      schema: {
        ...schema,
        summary: 'Decide how tachograph data are analysed and written for payroll',
        description: 'Omitted members have their defaults. All drivers are analysed again.',
        body: terms.meta({
          example: {
            employer: {
              name: 'Rossi Trasporti S.r.l.',
              address: 'Via Roma 1, 20100 Milano, Italia',
              telephone: '+39 02 1234567',
              email: 'info@example.com',
              taxCode: '01234567890',
              vatNumber: 'IT01234567890',
            },
          },
        }),
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      const before = (await store.readTerms(pool, tenantId)).content;
      await store.writeTerms(pool, tenantId, request.body);
      noteChange(request, { object: 'tachograph-settings', before, after: request.body });
      onChange();
      return request.body;
    },
  );
}
