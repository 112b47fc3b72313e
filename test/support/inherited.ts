/** What processes of a test take over from the test itself; all else of their environment is given by each test. */
export const INHERITED: NodeJS.ProcessEnv = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
