import { z } from 'zod';
import type { App } from '../../kernel/http/index.ts';
import { member } from '../../kernel/http/index.ts';

export const LANGUAGES = ['en', 'it'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface FoundAddress {
  readonly address: string | null;
  readonly source: 'service' | 'offline';
  readonly attribution: string;
}

/** Addresses of positions, in their order. */
export type AddressesOf = (
  positions: readonly { readonly latitude: number; readonly longitude: number }[],
  language: Language,
) => Promise<readonly FoundAddress[]>;

/** Of a query or a body: the language of addresses. */
export const language = z.enum(LANGUAGES).default('en').describe('language of addresses');

/** What is at a position. */
export function addPlaceRoutes(app: App, addressesOf: AddressesOf): void {
  app.get(
    '/v1/places',
    {
      config: { access: ['positions:read'] },
      schema: {
        tags: ['movement'],
        summary: 'The address of a position',
        description:
          'From the configured geocoder (`GEOCODER_URL`), otherwise the nearest place of GeoNames. Show `attribution` ' +
          'with the address.',
        querystring: z.object({
          latitude: z.coerce.number().min(-90).max(90).meta({ example: 45.4642 }),
          longitude: z.coerce.number().min(-180).max(180).meta({ example: 9.19 }),
          lang: language,
        }),
        response: {
          200: z.object({
            address: member.address.nullable().describe('null: no place is near'),
            source: z.enum(['service', 'offline']),
            attribution: z.string(),
          }),
        },
      },
    },
    async (request) => {
      const { lang, ...position } = request.query;
      const [found] = await addressesOf([position], lang);
      return found!;
    },
  );
}
