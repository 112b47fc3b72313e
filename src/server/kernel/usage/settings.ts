import { z } from 'zod';

export const usageSettings = {
  USAGE_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_600)
    .default(10)
    .describe(
      'seconds after which an API process adds what it has counted (`GET /v1/usage`) to the database; they are lost if it is killed',
    ),
};
