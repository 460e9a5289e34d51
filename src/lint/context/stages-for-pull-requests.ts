import { isMap } from '../../domain/config-value.ts'
import { isBlank, listOf, type Path } from '../../buildfile/expand/values.ts'
import { isTestCommand } from '../shell/test-command.ts'
import type { Context } from './context.ts'

const onlyBranch = /^\s*branch\s*(?:=|==|IN|=~|~=)\s*[^&|]*$/i

/** Patterns of version numbers: tags are called like that, which pull requests do not go into. */
const versions = /^\s*branch\s*(?:=~|~=)\s*\/?\^?\(?(?:v\??|\[vV\]\??)?\(?(?:\\d|\[0-9\])/i

const deploying = /deploy|publish|release/i

/** Names of stages that look at what is, or was, deployed. */
const looking = /\b(?:tests?|testing|checks?|verification)\s*$/i

export interface StageForPullRequests {
  name: string
  condition: string
  /** Of the condition. */
  path: Path
  /** Which entries of `jobs.include` are in it. */
  jobs: readonly number[]
}

/** Stages that deploy by commands of their own, with a condition that pull requests meet; by `once`. */
export function stagesForPullRequests({ config }: Context): readonly StageForPullRequests[] {
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
    // Providers leave pull requests alone by themselves.
    if (own.length === 0 || own.some((job) => !isBlank(job.deploy) || !isBlank(job.if))) return []
    if (own.every((job) => onlyTests(job.script ?? config.script))) return []
    return [{ name: stage.name, condition: stage.if, path: ['stages', index, 'if'], jobs: indexes }]
  })
}

/** The stage of each entry of `jobs.include`, in lower case: of one without a stage that of the one before. */
function stagesOf(jobs: readonly unknown[]): readonly string[] {
  let stage = 'test'
  return jobs.map((job) => {
    if (isMap(job) && typeof job.stage === 'string') stage = job.stage.toLowerCase()
    return stage
  })
}

/** Whether all that a job does in `script` is to test or to build. */
function onlyTests(script: unknown): boolean {
  const commands = listOf(script)
  return commands.every((command) => typeof command === 'string' && isTestCommand(command))
}
