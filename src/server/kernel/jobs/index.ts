export { whileLeased } from './renewal.ts';
export {
  claim,
  end,
  type HeldTable,
  hold,
  type JobTable,
  type Leased,
  postpone,
  release,
  renew,
} from './store.ts';
