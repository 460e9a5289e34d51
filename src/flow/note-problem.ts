import { setProblem } from '../store/runners.ts'
import type { Context } from './context.ts'

/** Stores why a runner takes no jobs for now, or with null that it does again. */
export function noteProblem({ db }: Context, runnerId: string, problem: string | null) {
  return setProblem(db, runnerId, problem)
}
