// Runs the built supervisor with the parts that SUPERVISED_ENTRY names.
const { runSupervisor } = await import('../../dist/src/apps/supervisor.js');
const { loadConfig } = await import('../../dist/src/apps/config.js');
process.exit(await runSupervisor({ config: loadConfig(), entry: process.env.SUPERVISED_ENTRY }));
