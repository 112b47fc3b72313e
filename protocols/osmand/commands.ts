import { customCommand } from '#codec';

/** The text is the body of the next answer to a query. */
export const commands = { custom: customCommand<undefined>('Text that an app reads out of the answer to its report') };
