export { userCsvTable } from './csv-table.ts';
export { addOtpRoutes } from './otp-routes.ts';
export { addUserRoutes } from './routes.ts';
export { newUser, timezone } from './schema.ts';
export { createUsers, type Users } from './service.ts';
