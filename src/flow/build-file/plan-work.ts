import type { RequestVariables } from '../../domain/request/request.ts'
import type { Settings } from '../../domain/settings.ts'
import { workOf } from '../../reader/work.ts'
import type { ConfigRead } from './config-read.ts'
import { type BuildPlan, type PlannedEvent, planBuild } from './plan-build.ts'
import { readTexts, type Texts } from './read-texts.ts'
import type { Wanted } from './read-with-imports.ts'

/** All that a plan is made of. */
export interface PlanInput extends Texts {
  event: PlannedEvent
  settings: Settings
  /** Those of a request by API. */
  variables: RequestVariables | null
}

/** Reads a build file with its imports, as far as they are known, and plans its build. */
export const planWork = workOf(
  import.meta.url,
  'planWork',
  async (input: PlanInput): Promise<{ plan: BuildPlan } | Wanted> => {
    const done = await readTexts(input, input.event.data)
    if ('wanted' in done) return done
    const read = withVariables(done.read, input.variables)
    return { plan: planBuild(read, input.event, input.settings) }
  },
)

/**
 * A configuration with further variables for all of its jobs, behind its own, so that they win. They are
 * no part of what is merged: there one form of `env` would replace another.
 */
function withVariables(read: ConfigRead, variables: RequestVariables | null): ConfigRead {
  if (read.kind !== 'read' || !variables) return read
  const { env } = read.config
  const { global = [], ...others } = (env ?? {}) as { global?: unknown[] }
  return { ...read, config: { ...read.config, env: { global: [...global, variables], ...others } } }
}
