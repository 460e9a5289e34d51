import { type Check, check } from '../request/check.ts'
import type { Provider } from '../owner.ts'

const remedy =
  'install bubblewrap on the machine of the runner, or set JOBS_WITHOUT_ISOLATION=true if everyone ' +
  'who can push to these repositories may read and change everything of the service'

/** For operators: what waits where no job can be isolated, and what to do about it. */
export const waitsForIsolation = `jobs of the code host’s repositories wait, since this machine cannot isolate them: ${remedy}`

/** Repositories of this machine belong to its users, who can run programs here anyway (D41). */
export function needsIsolation({ provider }: { provider: Provider }): boolean {
  return provider !== 'local'
}

/** Whether a runner keeps jobs from each other and from the service. */
export function isolates({ isolation }: { isolation: string }): boolean {
  return isolation !== 'none'
}

/** Whether a job may run as far as isolation is concerned; failed, it says what to do. */
export function isolationCheck(passed: boolean): Check {
  const says = `no runner can isolate it: ${remedy}`
  return check('isolation', passed, passed ? {} : { says })
}
