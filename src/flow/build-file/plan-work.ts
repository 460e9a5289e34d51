import { type ImportTarget, targetKey } from '../../buildfile/imports/reference.ts'
import type { Loaded, Raw } from '../../buildfile/imports/source.ts'
import { readBuildFileWithImports } from '../../buildfile/read-build-file.ts'
import type { Settings } from '../../domain/settings.ts'
import { workOf } from '../../reader/work.ts'
import { buildFilePath, configOf } from './config-read.ts'
import { type BuildPlan, type PlannedEvent, planBuild } from './plan-build.ts'

/** All that a plan is made of; plain data, since a thread makes it. */
export interface PlanInput {
  /** The build file; null where a request by API brought all that there is. */
  own: Raw | null
  /** What it brought, in order of precedence. */
  brought: readonly Raw[]
  /** owner/name */
  repository: string
  event: PlannedEvent
  settings: Settings
  /** What is known of the files that it imports, by their keys. */
  loaded: ReadonlyMap<string, Loaded>
}

/** The plan, or the imports that have to be loaded first: the first of them is needed in any case. */
export type PlanOutcome = { plan: BuildPlan } | { wanted: ImportTarget[] }

/** Reads a build file with its imports, as far as they are known, and plans its build. */
export const planWork = workOf(
  import.meta.url,
  'planWork',
  async ({
    own,
    brought,
    repository,
    event,
    settings,
    loaded,
  }: PlanInput): Promise<PlanOutcome> => {
    const wanted: ImportTarget[] = []
    const file = await readBuildFileWithImports(own?.text ?? null, {
      path: buildFilePath,
      brought,
      repository,
      data: event.data,
      async load(target) {
        const known = loaded.get(targetKey(target))
        if (!known) wanted.push(target)
        // What is missing ends the reading before the long part of it.
        return known ?? { kind: 'missing' }
      },
    })
    if (wanted.length > 0) return { wanted }
    return { plan: planBuild(configOf(file, own, brought), event, settings) }
  },
)
