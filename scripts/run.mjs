// `npm run <command>`: makes the checkout ready, then hands over to the command line in this very process.
await import('./ready.mjs');
const { main } = await import('../dist/src/cli/main.js');
await main(process.argv.slice(2));
