export { addAllowanceRoutes, expenseKind } from './routes.ts';
