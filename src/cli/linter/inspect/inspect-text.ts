import type { ConditionData } from '../../../buildfile/conditions/data.ts'
import { expandJobs } from '../../../buildfile/expand/expand-jobs.ts'
import { expandMatrix } from '../../../buildfile/expand/expand-matrix.ts'
import type { Message } from '../../../buildfile/messages/message.ts'
import type { PreparedText } from '../../../buildfile/prepared-text.ts'
import { readBuildFile } from '../../../buildfile/read-build-file.ts'
import { lintText } from '../../../lint/lint-text.ts'
import { isAdvice } from '../files/selection.ts'

/** The event that the build is for. */
const push: ConditionData = {
  type: 'push',
  repo: 'owner/name',
  branch: 'master',
  tag: null,
  fork: false,
  sender: 'owner',
  commit_message: 'msg',
  head_repo: 'owner/name',
  head_branch: 'master',
}

/** More jobs are not useful; the matrix ends there too. */
const maximumJobs = 10_000

/** Everything that is reported about a build file, in terms of the prepared text (D30). */
export function inspectText(text: string, { advice }: { advice: boolean }) {
  const { config, messages, prepared, error } = readBuildFile(text)
  if (error) {
    const { kind, message, line, column } = error
    return { error: kind, message, at: { line, column } }
  }
  const { axes, rows } = expandMatrix(config)
  const plan = expandJobs(config, { data: push, limit: maximumJobs })
  const advised = advice ? adviceOn(text, prepared) : []
  return {
    messages: [...messages.map(presentMessage), ...advised],
    config,
    jobs: rows,
    axes,
    build: {
      stages: plan.stages.map((stage) => stage.config),
      jobs: plan.jobs.map((job) => job.config),
      messages: plan.messages.map(presentMessage),
    },
  }
}

/** Leaves out absent members, and positions in the text, which are for other readers. */
function presentMessage({ level, key, code, args, line }: Message) {
  return {
    level,
    key,
    code,
    ...(args === undefined ? {} : { args }),
    ...(line === undefined ? {} : { line }),
  }
}

/** The advice on a file, in the form of messages. */
function adviceOn(text: string, { written }: PreparedText) {
  const before = written(0).line
  const { findings } = lintText(text, { advice: true })
  return findings
    .filter(isAdvice)
    .map(({ level, key, code, message, line }) => ({
      level,
      key,
      code,
      args: { message },
      ...(line === null ? {} : { line: line - before }),
    }))
}
