// The code that runs in each thread of the pool.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Done } from './reader.ts'
import { type SharedClock, startClock } from './stopwatch.ts'
import type { Work } from './work.ts'

export interface Task extends Pick<Work<unknown, unknown>, 'module' | 'name'> {
  input: unknown
  clock: SharedClock
}

export async function doTask({ module, name, input, clock }: Task): Promise<Done<unknown>> {
  // Loading time does not count: the input does not cause it.
  const work = await findWork(module, name)
  const elapsed = startClock(clock)
  const result = await work.run(input)
  return { result, spent: elapsed() }
}

async function findWork(module: string, name: string): Promise<Work<unknown, unknown>> {
  const exported = (await load(module)) as Readonly<Record<string, unknown>>
  const work = exported[name] as Work<unknown, unknown> | undefined
  if (work?.name !== name) throw new Error(`${module} exports no work by the name ${name}`)
  return work
}

/** In tests modules are sources, which threads can load only with `require`. */
function load(module: string): unknown {
  if (!/\.tsx?$/.test(module)) return import(module)
  return createRequire(import.meta.url)(fileURLToPath(module))
}
