import { SetupError } from '../../src/domain/errors.ts'
import type { Comparison } from './compare.ts'
import { openDatabases, type Databases } from './databases.ts'
import { type Goal, lineOf, skippedLine } from './line.ts'
import { type Plan, planOf } from './plan.ts'
import { inWorkplace, type Workplace } from './workplace.ts'

/** What a benchmark that needs a database works with. */
export interface Bench {
  place: Workplace
  databases: Databases
  plan: Plan
  env: NodeJS.ProcessEnv
}

export interface Measured {
  comparison: Comparison
  further: Readonly<Record<string, unknown>>
}

/** Runs a benchmark in a place of its own and prints its line; without PostgreSQL it is skipped. */
export async function benchmark(
  goal: Goal,
  measure: (bench: Bench) => Promise<Measured>,
): Promise<void> {
  const { env } = process
  const plan = planOf(env)
  const line = await inWorkplace(async (place) => {
    const databases = await openDatabases(place, env).catch((error: unknown) => {
      if (error instanceof SetupError) return error
      throw error
    })
    if (databases instanceof SetupError) return skippedLine(goal, databases.message)
    const { comparison, further } = await measure({
      ...{ place, plan, env },
      databases: place.keep(databases),
    })
    return lineOf(goal, comparison, { ...further, ...(plan.quick ? { quick: true } : {}) })
  })
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
