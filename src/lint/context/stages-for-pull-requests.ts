import { type Config, isBlank, listOf, type Path } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'
import { isTestCommand } from '../shell/test-command.ts'
import type { LintContext } from './context.ts'

const onlyBranch = /^\s*branch\s*(?:=|==|IN|=~|~=)\s*[^&|]*$/i

/** Conditions on version numbers: these are usually names of tags, which pull requests cannot target. */
const versions = /^\s*branch\s*(?:=~|~=)\s*\/?\^?\(?(?:v\??|\[vV\]\??)?\(?(?:\\d|\[0-9\])/i

const deploying = /deploy|publish|release/i

/** Names of stages that check a deployment. */
const looking = /\b(?:tests?|testing|checks?|verification)\s*$/i

export interface StageForPullRequests {
  name: string
  condition: string
  /** Path of the condition. */
  path: Path
  /** Indexes of the stage's entries in `jobs.include`. */
  jobs: readonly number[]
}

/** Stages that deploy by commands, with a condition that pull requests meet; call through `once`. */
export function stagesForPullRequests({ config }: LintContext): readonly StageForPullRequests[] {
  const jobs = listOf(isMap(config.jobs) ? config.jobs.include : undefined)
  const stages = stagesOf(jobs)
  return listOf(config.stages).flatMap((stage, index) => {
    if (!isMap(stage) || typeof stage.name !== 'string' || typeof stage.if !== 'string') return []
    if (!deploying.test(stage.name) || looking.test(stage.name)) return []
    if (!onlyBranch.test(stage.if) || versions.test(stage.if)) return []
    if (/\b(?:AND|OR|NOT|type|tag|fork|head_\w+)\b/i.test(stage.if)) return []
    const folded = stage.name.toLowerCase()
    const indexes = stages.flatMap((name, at) => (name === folded ? [at] : []))
    const own = indexes.map((at) => jobs[at]).filter(isMap)
    // Deployments with a provider skip pull requests automatically.
    if (own.length === 0 || own.some((job) => !isBlank(job.deploy) || !isBlank(job.if))) return []
    if (own.every((job) => onlyTests(job.script ?? config.script))) return []
    if (!isBlank(config.deploy) && own.every((job) => runsNothing(job, config))) return []
    return [{ name: stage.name, condition: stage.if, path: ['stages', index, 'if'], jobs: indexes }]
  })
}

/** Stage of each entry of `jobs.include`, in lower case; without a stage, the previous entry's. */
function stagesOf(jobs: readonly unknown[]): readonly string[] {
  let stage = 'test'
  return jobs.map((job) => {
    if (isMap(job) && typeof job.stage === 'string') stage = job.stage.toLowerCase()
    return stage
  })
}

/** Whether a job only runs the deployments inherited from the root. */
function runsNothing(job: Config, config: Config): boolean {
  return listOf(job.script ?? config.script).every(
    (command) => typeof command === 'string' && idle.test(command),
  )
}

/** Values of `script` that run nothing. */
const idle = /^\s*(?:skip|ignore|true|:|exit 0|(?:echo|printf)\s[^;&|$`>]*)\s*$/

/** Whether the commands of `script` only test or build. */
function onlyTests(script: unknown): boolean {
  const commands = listOf(script)
  return commands.every((command) => typeof command === 'string' && isTestCommand(command))
}
