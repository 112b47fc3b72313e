// `npm run interop`: installs parsers and devices of other projects, and compares what they say with what we say.
process.env.FLEETGATE_INTEROP = '1';
process.argv.push('test/interop');
await import('./test.mjs');
