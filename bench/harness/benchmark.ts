import { SetupError } from '../../src/domain/errors.ts'
import type { Comparison } from './compare.ts'
import { openDatabases, type Databases } from './databases.ts'
import { type Goal, type Line, lineOf, skippedLine } from './line.ts'
import { type Plan, planOf } from './plan.ts'
import { inWorkplace, type Workplace } from './workplace.ts'

/** What a benchmark that needs no server works with. */
export interface LocalBench {
  place: Workplace
  plan: Plan
  env: NodeJS.ProcessEnv
}

/** What a benchmark that needs a database works with. */
export interface Bench extends LocalBench {
  databases: Databases
}

export interface Measured {
  comparison: Comparison
  further: Readonly<Record<string, unknown>>
}

/** Runs a benchmark in a folder of its own and prints its line; without PostgreSQL it is skipped. */
export async function benchmark(
  goal: Goal,
  measure: (bench: Bench) => Promise<Measured>,
): Promise<void> {
  await inBench(async (bench) => {
    const databases = await openDatabases(bench.place, bench.env).catch((error: unknown) => {
      if (error instanceof SetupError) return error
      throw error
    })
    if (databases instanceof SetupError) return skippedLine(goal, databases.message)
    const measured = await measure({ ...bench, databases: bench.place.keep(databases) })
    return measuredLine(goal, bench, measured)
  })
}

/** The same for one that needs no server. */
export async function localBenchmark(
  goal: Goal,
  measure: (bench: LocalBench) => Promise<Measured>,
): Promise<void> {
  await inBench(async (bench) => measuredLine(goal, bench, await measure(bench)))
}

async function inBench(work: (bench: LocalBench) => Promise<Line>): Promise<void> {
  const { env } = process
  const plan = planOf(env)
  const line = await inWorkplace((place) => work({ place, plan, env }))
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

function measuredLine(goal: Goal, { plan }: LocalBench, { comparison, further }: Measured): Line {
  return lineOf(goal, comparison, { ...further, ...(plan.quick ? { quick: true } : {}) })
}
