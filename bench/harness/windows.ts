import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Window } from './compare.ts'
import type { Plan } from './plan.ts'

/** Work in one process: the figure is the time of one round, of as many as fill some time. */
export function timed(work: () => unknown, least = 50): Window {
  return () => {
    const begun = performance.now()
    let rounds = 0
    let taken: number
    do {
      work()
      rounds += 1
      taken = performance.now() - begun
    } while (taken < least)
    return Promise.resolve(taken / rounds)
  }
}

/** A start of Node that ends with this code: the figure is the time from the one to the other. */
export function started(args: readonly string[], env: NodeJS.ProcessEnv, expected = 0): Window {
  return async () => {
    const begun = performance.now()
    const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
    const [code] = (await once(child, 'exit')) as [number | null]
    const taken = performance.now() - begun
    if (code !== expected) throw new Error(`node ${args.join(' ')} ended with code ${code}`)
    return taken
  }
}

/** What the method asks for in one process, or with BENCH_QUICK=1 a try that proves little. */
export const inProcess = (plan: Plan): Plan => ({ ...plan, pairs: plan.quick ? 4 : 24 })

/** The same for processes that are started. */
export const byStarts = (plan: Plan): Plan => ({ ...plan, pairs: plan.quick ? 4 : 28 })
